// `run`: the agent until it is told to leave. Signals and the service manager speak to it here.
import { randomBytes } from 'node:crypto'
import { Agent } from './agent.ts'
import type { AgentConfig } from './config.ts'
import { stderrLog } from './log.ts'
import type { AgentSigner } from './signer.ts'
import { serviceNotify } from './service-notify.ts'

/** Starts the agent; throws with a plain message when it cannot. `atRest` as in `Agent.start`. */
export async function run(
  config: AgentConfig,
  signer: AgentSigner,
  atRest: ReadonlySet<string>,
): Promise<void> {
  const log = stderrLog(config.log)
  let agent: Agent
  try {
    agent = new Agent(config, signer, {
      log,
      nowMs: () => Date.now(),
      monotonicMs: () => performance.now(),
      random: () => Math.random(),
      randomBytes: () => randomBytes(26),
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${config.state_dir}: ${why} (is another agent using this state_dir?)`, {
      cause: error,
    })
  }
  const notify = serviceNotify(process.env, log)
  const leave = () => {
    notify.stopping()
    agent.stop('shutdown').then(
      (clean) => process.exit(clean ? 0 : 1),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, leave)
  process.on('SIGUSR2', () => agent.haltSessions())
  await agent.start(atRest)
  notify.ready()
}
