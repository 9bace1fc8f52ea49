// Fixed texts of prompts are data: parts, and which parts a version has. Decisions name the policy that
// names a version, so a version's bytes never change (held by digests in test/node/panel/prompts.test.ts).

/** A line is a string, or pieces that are joined as they stand. */
type Line = string | readonly string[]

/** A file of prompt parts. */
export type PromptParts<V extends string> = {
  readonly versions: Readonly<Record<V, readonly string[]>>
  readonly parts: Readonly<Record<string, readonly Line[]>>
}

/** The text of one version; an unknown part is a programmer's mistake and throws. */
export function fixedText<V extends string>(file: PromptParts<V>, version: V): string {
  return file.versions[version]
    .map((name) => {
      const lines = file.parts[name]
      if (lines === undefined) throw new Error(`the prompt has no part ${name}`)
      return lines.map((line) => (typeof line === 'string' ? line : line.join(''))).join('\n')
    })
    .join('')
}
