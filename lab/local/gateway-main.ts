// The gateway as a process of its own: `node lab/local/gateway-main.ts --port P --state DIR`. Prints one
// JSON line when it answers. Killed at any point and started again on the same folder, it goes on.
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readOptions, readPort, requirePort } from './command-line.ts'
import { startGateway } from './gateway.ts'
import { startGatewayWithGraph } from './graph.ts'

const values = readOptions({
  port: { type: 'string', default: '0' },
  state: { type: 'string' },
  verbose: { type: 'boolean', default: false },
  /** A stand-in of the platform's models judges; no key is needed and nothing is measured. */
  'stand-in-models': { type: 'boolean', default: false },
  /** Another bundle than the product's Worker. */
  script: { type: 'string' },
  /** The bundles were made before by the caller. */
  'no-bundle': { type: 'boolean', default: false },
  /** Leaves the knowledge graph as it is; the caller loads it. */
  'no-graph': { type: 'boolean', default: false },
})
const port = readPort(values.port)
await requirePort(port)

const vars: Record<string, string> = {}
for (const name of ['MODEL_ENDPOINTS', 'MODEL_PRICES', 'PRIVATE_HOSTS', 'OTLP_TRACES_URL']) {
  const value = process.env[name]
  if (value !== undefined) vars[name] = value
}

if (values.state !== undefined) {
  // What a killed gateway leaves of its temporary files is in its own folder, and goes at the next start.
  const tmp = path.join(path.resolve(values.state), 'tmp')
  rmSync(tmp, { recursive: true, force: true })
  mkdirSync(tmp, { recursive: true })
  process.env['TMPDIR'] = tmp
}
const start = values['no-graph'] ? startGateway : startGatewayWithGraph
const gateway = await start({
  port,
  stateDir: values.state ?? null,
  verbose: values.verbose,
  reuseBundles: values['no-bundle'],
  vars,
  standInModels: values['stand-in-models'],
  ...(values.script === undefined ? {} : { script: values.script }),
})
process.stdout.write(
  `${JSON.stringify({ url: gateway.url, operator_token: gateway.operatorToken })}\n`,
)

const stop = (): void => {
  void gateway.close().then(() => process.exit(0))
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
