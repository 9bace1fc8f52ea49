// `npm start`: gateway, simulated cell and robot agent with embedded storage, until interrupted. Prints
// the URLs, ready-made credentials and a curl that works. State stays in .portcullis/.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './bundle.ts'
import { cellRecordSchema } from '../../protocol/state.ts'
import { recordCell } from './client.ts'
import { fail, readOptions, readPort, requirePort } from './command-line.ts'
import { armCell, startLab } from './lab.ts'

const values = readOptions({
  port: { type: 'string', default: '8787' },
  state: { type: 'string', default: path.join(root, '.portcullis') },
  'time-scale': { type: 'string', default: '20' },
  /** Judges by a stand-in of the platform's models: three families, no key. Measures nothing. */
  'stand-in-models': { type: 'boolean', default: false },
})
const port = readPort(values.port)
const timeScale = Number(values['time-scale'])
if (!(timeScale > 0) || !Number.isFinite(timeScale)) {
  fail(`--time-scale takes a number above 0, got ${values['time-scale']}`)
}
await requirePort(port)

process.stderr.write('starting gateway, knowledge graph, simulated cell and robot agent …\n')
const lab = await startLab({
  stateDir: values.state,
  port,
  timeScale,
  standInModels: values['stand-in-models'],
  onLine: (who, line) => process.stderr.write(`[${who}] ${line}\n`),
})
await armCell(lab, 480).catch((cause: unknown) => {
  // After an abnormal end the cell stays latched until a person clears it, across restarts too.
  process.stderr.write(`the cell was not armed: ${String(cause)}\n`)
})

const first = (await readFile(path.join(root, 'lab', 'eval', 'data', 'dev-40.v2.jsonl'), 'utf8'))
  .split('\n')
  .map((line) => (line === '' ? null : (JSON.parse(line) as Record<string, unknown>)))
  .find((row) => row?.['id'] === 'owndev-036')
if (first === null || first === undefined) throw new Error('dev-40 has no owndev-036')
const planFile = path.join(values.state, 'example-plan.json')
const { goal, instructions, planner, nodes, state } = first
await recordCell(lab.url, lab.record.operator, lab.record.cell, cellRecordSchema.parse(state))
await writeFile(planFile, JSON.stringify({ goal, instructions, planner, nodes }, null, 2))
const plannerId = (planner as { id: string }).id

process.stdout.write(`
Portcullis is running.

  gateway    ${lab.url}
  API        ${lab.url}/openapi.json
  console    ${lab.url}/console
  health     ${lab.url}/healthz
  cell       ${lab.record.cell}, armed, simulated (journal: ${lab.journal})

Credentials of site ${lab.record.site} (kept in ${path.join(values.state, 'lab.json')}):
  planner        ${lab.record.planners[plannerId] ?? ''}   (${plannerId})
  reviewer       ${lab.record.reviewer}
  operator       ${lab.record.operator}
  administrator  ${lab.record.admin}

Submit a plan and wait for the verdict:

  curl -sS ${lab.url}/v1/plans -H 'authorization: Bearer ${lab.record.planners[plannerId] ?? ''}' \\
    -H 'content-type: application/json' -H 'prefer: wait=20' --data @${planFile}

Stop with Ctrl-C.
`)

let stopping = false
const stop = (): void => {
  if (stopping) return
  stopping = true
  process.stderr.write('stopping …\n')
  void lab.close().then(() => process.exit(0))
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
