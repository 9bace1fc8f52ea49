// The platform's configuration of one deployment: `wrangler.toml` with the names and ids of this one.
// The file in the repository stays as it is; nobody pastes an id into it.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '..')

/** Written beside `wrangler.toml`, because its paths are relative to its folder. Not kept in git. */
export const configFile = path.join(root, 'wrangler.deploy.toml')

export type Names = {
  /** The script's name, and that of its database; the index is `<name>-kg`. */
  readonly name: string
  readonly database: string
  /** The issuer of everything that is signed: the public name of the deployment. */
  readonly deployment: string
}

/** The configuration's text; throws when the template lost one of the lines that are filled in. */
export function configText(template: string, names: Names): string {
  const fill = (text: string, line: RegExp, by: string): string => {
    if (!line.test(text)) throw new Error(`wrangler.toml has no line ${line.source}`)
    return text.replace(line, by)
  }
  const filled: [RegExp, string][] = [
    [/^name = ".*"$/m, `name = "${names.name}"`],
    [/^DEPLOYMENT = ".*"$/m, `DEPLOYMENT = "${names.deployment}"`],
    [/^database_name = ".*"$/m, `database_name = "${names.name}"`],
    [/^database_id = ".*"$/m, `database_id = "${names.database}"`],
    [/^index_name = ".*"$/m, `index_name = "${names.name}-kg"`],
  ]
  return filled.reduce((text, [line, by]) => fill(text, line, by), template)
}

/** Writes the configuration and answers its path. */
export function writeConfig(names: Names): string {
  const template = readFileSync(path.join(root, 'wrangler.toml'), 'utf8')
  writeFileSync(configFile, configText(template, names))
  return configFile
}
