// The robot agent as a program: `run` (the default), `enrol` and `doctor`. Every refusal of the command
// line says what to do and ends with 2.
import { parseArgs } from 'node:util'
import { loadConfig, type AgentConfig } from './config.ts'
import { doctor } from './doctor.ts'
import { enrol } from './enrol.ts'
import { nodeProblem } from './node-version.ts'
import { useProxy } from './proxy.ts'
import { run } from './run.ts'
import { loadSigningKey, signerOf } from './signer.ts'

const usage = `usage: node portcullis-agent.mjs [run|enrol|doctor] --config FILE
  The file and its keys are described in docs/robot-agent.md.
  Overrides: PORTCULLIS_GATEWAY, _SITE, _AGENT, _CELL, _KEY_FILE, _STATE_DIR, _LOG
  enrol --code CODE: makes the key, here, and enrols it with an administrator's one-time code.
  doctor: looks at everything that the agent needs and says what to do. Ends with 1 when anything is wrong.
  run: the agent.
    --at-rest SERVER: a person at the cell has seen that what an earlier run moved on this server is at
      rest; it is reported so and not asked again. For a device that can never confirm. May be repeated.
    SIGTERM, SIGINT or SIGHUP: no further node, orphan policies, reports, exit 0.
    SIGUSR2: a person at the cell stops the running session; the agent stays.`

function fail(message: string): never {
  process.stderr.write(`robot-agent: ${message}\n`)
  process.exit(2)
}

const commands = ['run', 'enrol', 'doctor'] as const

function given() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        code: { type: 'string' },
        'at-rest': { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      process.stdout.write(`${usage}\n`)
      process.exit(0)
    }
    const command = commands.find((one) => one === (positionals[0] ?? 'run'))
    if (command === undefined || positionals.length > 1) return fail(usage)
    const config = values.config ?? fail(`--config is missing\n${usage}`)
    return { command, config, code: values.code, atRest: new Set(values['at-rest']) }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
}

async function start(config: AgentConfig, atRest: ReadonlySet<string>): Promise<void> {
  const old = nodeProblem(process.versions.node)
  if (old !== null) fail(old)
  const key = await loadSigningKey(config.key_file)
  if (!key.ok) fail(key.error)
  await run(config, signerOf(key.value, config), atRest)
}

const asked = given()
if (asked.command === 'doctor') {
  const sound = await doctor(asked.config, process.env, (line) => process.stdout.write(`${line}\n`))
  process.exit(sound ? 0 : 1)
}
const config = loadConfig(asked.config, process.env)
if (!config.ok) fail(config.error)
try {
  useProxy(process.env, config.value)
  if (asked.command === 'enrol') {
    const done = await enrol(config.value, asked.code ?? fail('enrol needs --code CODE'))
    if (!done.ok) fail(done.error)
    process.stdout.write(`${done.value}\n`)
  } else await start(config.value, asked.atRest)
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
