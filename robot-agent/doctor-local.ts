// What `doctor` finds on this machine: key, ledger, disk, sandboxes.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { SigningKey } from '../contain/keys.ts'
import type { AgentConfig } from './config.ts'
import { Ledger } from './ledger.ts'
import { loadSigningKey } from './signer.ts'

/** One thing looked at. `problem` is null when it is well; `todo` says what a person does about it. */
export type Finding = {
  readonly about: string
  readonly problem: string | null
  readonly todo: string
}

/** Below this a ledger that grows for a day may fill the disk, and a full disk stops the cell. */
const freeBytesMin = 256 * 1024 * 1024

export async function keyCheck(
  config: AgentConfig,
): Promise<{ finding: Finding; key: SigningKey | null }> {
  const { key_file } = config
  const key = await loadSigningKey(key_file)
  if (key.ok) {
    return { finding: { about: `key ${key.value.kid}`, problem: null, todo: '' }, key: key.value }
  }
  const todo = existsSync(key_file)
    ? `chmod 600 ${key_file}; if it is no key, move it away and enrol again`
    : 'ask an administrator for a code, then: enrol --config FILE --code CODE'
  return { finding: { about: 'key', problem: key.error, todo }, key: null }
}

/** Opens the ledger as the agent would. `agentRuns`: another process has it. */
export function ledgerCheck(
  config: AgentConfig,
  oldNode: string | null,
): { finding: Finding; agentRuns: boolean } {
  const about = `ledger in ${config.state_dir}`
  if (oldNode !== null) {
    return {
      finding: {
        about,
        problem: 'not looked at: this Node has no SQLite',
        todo: 'install Node 24',
      },
      agentRuns: false,
    }
  }
  try {
    new Ledger(config.state_dir).close()
    return { finding: { about, problem: null, todo: '' }, agentRuns: false }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const agentRuns = /locked|busy/i.test(problem)
    // A running agent is no fault of the set-up.
    if (agentRuns) {
      return { finding: { about: `${about} (in use)`, problem: null, todo: '' }, agentRuns }
    }
    const todo = `make ${config.state_dir} writable for the user that runs the agent`
    return { finding: { about, problem, todo }, agentRuns }
  }
}

/** Why that many free bytes are too few; null when they are enough. */
export function freeProblem(free: number): string | null {
  if (free >= freeBytesMin) return null
  return `${Math.floor(free / 1_048_576)} MB are free, and ${freeBytesMin / 1_048_576} are the least`
}

export async function diskCheck(config: AgentConfig): Promise<Finding> {
  const todo = 'free some space: with a full disk the agent stops the cell and takes no session'
  try {
    const { bavail, bsize } = await statfs(config.state_dir)
    return { about: 'disk', problem: freeProblem(bavail * bsize), todo }
  } catch (error) {
    return { about: 'disk', problem: error instanceof Error ? error.message : String(error), todo }
  }
}

export function sandboxCheck(config: AgentConfig, known: readonly string[]): Finding {
  const strange = config.sandboxes.filter((name) => !known.includes(name))
  const problem =
    strange.length === 0
      ? null
      : `the site knows no sandbox ${strange.map((s) => `"${s}"`).join(', ')}`
  return {
    about: 'sandboxes',
    problem,
    todo: 'correct `sandboxes`, or have an administrator add them to the registry',
  }
}
