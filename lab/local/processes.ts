// Child processes in groups of their own, so that a kill takes workerd and MCP servers with it. A
// killed parent alone would leave workerd listening on the same port.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { root } from './bundle.ts'

export type Child = {
  readonly pid: number
  readonly process: ChildProcess
  /** Lines of stderr so far. */
  readonly log: string[]
  /** Waits for a line of stdout or stderr that matches. */
  readonly line: (pattern: RegExp, timeoutMs: number) => Promise<string>
  readonly exited: Promise<number | null>
  /** Signals the whole group and waits for the end. */
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
}

export type SpawnOptions = {
  env?: Record<string, string>
  /** Called with each line of stderr. */
  onLine?: (line: string) => void
}

/** Starts `node SCRIPT ARGS` from the project root in its own process group. */
export function startNode(
  script: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Child {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  })
  const log: string[] = []
  const seen: string[] = []
  const waiters = new Set<(line: string) => void>()
  const take = (line: string): void => {
    seen.push(line)
    for (const waiter of waiters) waiter(line)
  }
  createInterface({ input: child.stdout }).on('line', take)
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.push(line)
    options.onLine?.(line)
    take(line)
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const pid = child.pid ?? 0
  return {
    pid,
    process: child,
    log,
    exited,
    line: (pattern, timeoutMs) => {
      const before = seen.find((line) => pattern.test(line))
      if (before !== undefined) return Promise.resolve(before)
      return new Promise((resolve, reject) => {
        const finish = (): void => {
          clearTimeout(timer)
          waiters.delete(waiter)
        }
        const timer = setTimeout(() => {
          finish()
          reject(
            new Error(
              `${script}: no line ${pattern} in ${timeoutMs} ms\n${log.slice(-15).join('\n')}`,
            ),
          )
        }, timeoutMs)
        const waiter = (line: string): void => {
          if (!pattern.test(line)) return
          finish()
          resolve(line)
        }
        waiters.add(waiter)
        void exited.then((code) => {
          finish()
          reject(new Error(`${script}: ended with ${code}\n${log.slice(-15).join('\n')}`))
        })
      })
    },
    kill: async (signal) => {
      try {
        process.kill(-pid, signal)
      } catch {
        // The group is already gone.
      }
      await exited
    },
  }
}

export type GatewayProcess = { url: string; operatorToken: string; child: Child }

/** Starts the gateway process and waits until it answers. */
export async function startGatewayProcess(
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<GatewayProcess> {
  const child = startNode('lab/local/gateway-main.ts', args, options)
  const line = await child.line(/^\{"url"/, 120_000)
  const { url, operator_token } = JSON.parse(line) as { url: string; operator_token: string }
  return { url, operatorToken: operator_token, child }
}

/** The process of the simulated cell that writes this journal (Linux). */
export function deviceOf(journal: string): number {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || !existsSync(`/proc/${entry}/cmdline`)) continue
    const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0')
    if (words.includes('--journal') && words.includes(journal)) return Number(entry)
  }
  throw new Error(`no process writes ${journal}`)
}
