// One local lab to a state folder: two gateways over the same files would each believe the other's writes away.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const fileOf = (stateDir: string): string => path.join(stateDir, 'running.pid')

/** Whether a process of this number is there; one of another user counts. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function holder(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? pid : null
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}

/**
 * Takes the folder for this process until it ends. Answers with the process that has it already; null when it is
 * ours. What a killed process left behind is nobody's.
 */
export function takeState(stateDir: string): number | null {
  mkdirSync(stateDir, { recursive: true })
  const file = fileOf(stateDir)
  for (;;) {
    try {
      // Made whole or not at all: of two that start at once one finds it there.
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
      process.once('exit', () => rmSync(file, { force: true }))
      return null
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    }
    const other = holder(file)
    if (other !== null) return other
    rmSync(file, { force: true })
  }
}
