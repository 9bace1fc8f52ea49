// Word to systemd (sd_notify): that the agent is ready, and, again and again, that its loop still turns.
// Node has no datagram sockets of the local kind, so the manager's own small program sends them.
import { spawn } from 'node:child_process'
import type { Log } from './log.ts'

type Env = Readonly<Record<string, string | undefined>>
export type ServiceNotify = { readonly ready: () => void; readonly stopping: () => void }

/** Does nothing where no service manager listens. The beat is half of what the unit's watchdog allows. */
export function serviceNotify(env: Env, log: Log): ServiceNotify {
  const quiet = { ready: () => {}, stopping: () => {} }
  if (env['NOTIFY_SOCKET'] === undefined) return quiet
  let told = false
  const say = (...words: string[]) => {
    const child = spawn('systemd-notify', words, { stdio: 'ignore' })
    child.on('error', (error) => {
      if (!told) log('warn', 'service_not_told', { error: error.message })
      told = true
    })
  }
  const everyMs = Number(env['WATCHDOG_USEC'] ?? 0) / 2_000
  return {
    ready: () => {
      say('--ready')
      if (everyMs > 0) setInterval(() => say('WATCHDOG=1'), everyMs).unref()
    },
    stopping: () => say('--stopping'),
  }
}
