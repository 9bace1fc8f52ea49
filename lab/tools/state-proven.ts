// `node lab/tools/state-proven.ts [FILE]` states in `NAME.proven.json` beside a site file that its lab has run
// every row of it as it is now. A person runs it who knows that; `--check` only compares.
import { readFile, writeFile } from 'node:fs/promises'
import { demoSiteFiles, loadSite, provenFile } from '../local/demo-site.ts'
import { provenDigests } from '../../protocol/proven.ts'

const says =
  'The lab of this site file has run these rows before, each under the eyes of a person. ' +
  'A row that is not as it was then is unproven.'

/** The statement over all rows of a site file, as text. */
async function statement(siteFile: string): Promise<string> {
  const { registry } = await loadSite(siteFile)
  const rows = await provenDigests(registry.tools)
  return `${JSON.stringify({ says, rows }, null, 2)}\n`
}

if (import.meta.main) {
  const [file = demoSiteFiles.registry] = process.argv.slice(2).filter((arg) => arg !== '--check')
  const text = await statement(file)
  if (process.argv.includes('--check')) {
    const same = (await readFile(provenFile(file), 'utf8')) === text
    process.stderr.write(same ? 'as stated\n' : 'some rows are not as stated\n')
    process.exitCode = same ? 0 : 1
  } else {
    await writeFile(provenFile(file), text)
    process.stderr.write(`wrote ${provenFile(file)}\n`)
  }
}
