// One folder for everything that a run of the tests puts into the temporary folder; gone when it ends,
// however many gateways, agents and cells were started in it, and whether their tests passed or not.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const mark = 'PORTCULLIS_TEST_TMP'

/** Points TMPDIR of this process and of every worker at a new folder. Returns what removes it again. */
export default function setup(): () => void {
  // Each project asks; the first one makes the folder for all.
  if (process.env[mark] !== undefined) return () => undefined
  const before = process.env['TMPDIR']
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-tests-'))
  process.env[mark] = folder
  process.env['TMPDIR'] = folder
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  // Some programs write on their way out, after the projects are closed.
  process.once('exit', remove)
  return () => {
    remove()
    delete process.env[mark]
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
