// One folder for everything that a run of the tests puts into the temporary folder; gone when it ends,
// however many gateways, agents and cells were started in it. Whoever leaves something in it fails the run.
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const mark = 'PORTCULLIS_TEST_TMP'
const memory = '/dev/shm'
const freeBytesMin = 4 * 1024 ** 3

/** Memory, where there is plenty: every commit of every object is synced, and a disk takes its time for that. */
function place(): string {
  if (process.env['TMPDIR'] !== undefined) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize >= freeBytesMin) return memory
  } catch {
    // Not every system has it.
  }
  return tmpdir()
}

/** Points TMPDIR of this process and of every worker at a new folder. Returns what removes it again. */
export default function setup(): () => void {
  // Each project asks; the first one makes the folder for all.
  if (process.env[mark] !== undefined) return () => undefined
  const before = process.env['TMPDIR']
  const folder = mkdtempSync(path.join(place(), 'portcullis-tests-'))
  process.env[mark] = folder
  process.env['TMPDIR'] = folder
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  // Some programs write on their way out, after the projects are closed.
  process.once('exit', () => {
    const left = readdirSync(folder)
    remove()
    if (left.length === 0) return
    process.stderr.write(`left in the temporary folder: ${left.sort().join(', ')}\n`)
    process.exitCode = 1
  })
  return () => {
    delete process.env[mark]
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
