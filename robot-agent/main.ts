// The robot agent as a process: `node robot-agent/main.ts --config FILE`. It dials out to the gateway,
// drives the cell's MCP servers, and stops in an orderly way on SIGTERM.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Agent } from './agent.ts'
import { loadConfig } from './config.ts'
import { stderrLog } from './log.ts'
import { loadSigningKey, signerOf } from './signer.ts'

const usage = `usage: node robot-agent/main.ts --config FILE
  The file and its keys are described in docs/robot-agent.md.
  Overrides: PORTCULLIS_GATEWAY, _SITE, _AGENT, _CELL, _KEY_FILE, _STATE_DIR
  --at-rest SERVER: a person at the cell has seen that what an earlier run moved on this server is at
    rest; it is reported so and not asked again. For a device that can never confirm. May be repeated.
  SIGTERM or SIGINT: no further node, orphan policies, reports, exit 0.
  SIGUSR2: a person at the cell stops the running session; the agent stays.`

function fail(message: string): never {
  process.stderr.write(`robot-agent: ${message}\n`)
  process.exit(2)
}

function given(): { config: string; atRest: ReadonlySet<string> } {
  try {
    const { values } = parseArgs({
      options: {
        config: { type: 'string' },
        'at-rest': { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      process.stderr.write(`${usage}\n`)
      process.exit(0)
    }
    const config = values.config ?? fail(`--config is missing\n${usage}`)
    return { config, atRest: new Set(values['at-rest']) }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
}

const { config: configFile, atRest } = given()
const config = loadConfig(configFile, process.env)
if (!config.ok) fail(config.error)
const key = await loadSigningKey(config.value.key_file)
if (!key.ok) fail(key.error)

function openAgent(): Agent {
  if (!config.ok || !key.ok) return fail('not configured')
  try {
    return new Agent(config.value, signerOf(key.value, config.value), {
      log: stderrLog,
      nowMs: () => Date.now(),
      monotonicMs: () => performance.now(),
      random: () => Math.random(),
      randomBytes: () => randomBytes(26),
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fail(`${config.value.state_dir}: ${why} (is another agent using this state_dir?)`)
  }
}

const agent = openAgent()
const leave = () => {
  agent.stop('shutdown').then(
    (clean) => process.exit(clean ? 0 : 1),
    () => process.exit(1),
  )
}
process.once('SIGTERM', leave)
process.once('SIGINT', leave)
process.on('SIGUSR2', () => agent.haltSessions())
await agent.start(atRest)
