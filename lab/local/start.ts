// `npm start`: gateway, simulated cell and robot agent with embedded storage, until interrupted. Prints
// the URLs, ready-made credentials and a curl that works. State stays in .portcullis/.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './bundle.ts'
import { cellRecordSchema } from '../../protocol/state.ts'
import { recordCell, signInLink } from './client.ts'
import { fail, readOptions, readPort, requirePort } from './command-line.ts'
import { loadSite, SiteFileError } from './demo-site.ts'
import { armCell, startLab } from './lab.ts'
import { takeState } from './state-lock.ts'

const values = readOptions({
  port: { type: 'string', default: '8787' },
  state: { type: 'string', default: path.join(root, '.portcullis') },
  'time-scale': { type: 'string', default: '20' },
  /** A site file of one's own: its cell is simulated from the file. */
  site: { type: 'string' },
  /** Example plans of that site, as `npm run site -- test` takes them: the first one is made ready. */
  examples: { type: 'string' },
  /** Judges by a stand-in of the platform's models: three families, no key. Measures nothing. */
  'stand-in-models': { type: 'boolean', default: false },
})
const port = readPort(values.port)
const timeScale = Number(values['time-scale'])
if (!(timeScale > 0) || !Number.isFinite(timeScale)) {
  fail(`--time-scale takes a number above 0, got ${values['time-scale']}`)
}
if (values.site !== undefined) {
  await loadSite(values.site).catch((cause: unknown) => {
    if (cause instanceof SiteFileError) fail(cause.message)
    throw cause
  })
}
if (values.examples !== undefined && !existsSync(values.examples)) {
  fail(`${values.examples}: there is no such file of example plans`)
}
await requirePort(port)

// A lab of one's own keeps its state apart from the demo's.
const stateDir =
  values.site === undefined
    ? values.state
    : path.join(values.state, `site-${path.basename(values.site).replaceAll(/[^\w-]/g, '_')}`)

const other = takeState(stateDir)
if (other !== null) {
  fail(`${stateDir} is in use by process ${other}; end that one, or choose another with --state`, 1)
}

process.stderr.write('starting gateway, knowledge graph, simulated cell and robot agent …\n')
const lab = await startLab({
  stateDir,
  port,
  ...(values.site === undefined ? {} : { siteFile: values.site, rehearsal: true }),
  timeScale,
  standInModels: values['stand-in-models'],
  onLine: (who, line) => process.stderr.write(`[${who}] ${line}\n`),
})
await armCell(lab, 480).catch((cause: unknown) => {
  // After an abnormal end the cell stays latched until a person clears it, across restarts too.
  process.stderr.write(`the cell was not armed: ${String(cause)}\n`)
})

/** A plan to begin with: the demo's, or the first example of the site file. */
async function firstPlan(): Promise<Record<string, unknown> | null> {
  const file = values.site === undefined ? demoPlans : values.examples
  if (file === undefined) return null
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const found = values.site === undefined ? rows.find(({ id }) => id === 'owndev-036') : rows[0]
  if (found === undefined) throw new Error(`${file} has no plan to begin with`)
  return found
}

const demoPlans = path.join(root, 'lab', 'eval', 'data', 'dev-40.v2.jsonl')
const planFile = path.join(stateDir, 'example-plan.json')
const first = await firstPlan()
const [onlyPlanner = ''] = Object.keys(lab.record.planners)
const named = first?.['planner'] as { id: string } | undefined
const plannerId = named?.id ?? onlyPlanner
if (first !== null) {
  const { goal, instructions, nodes, state } = first
  const record = cellRecordSchema.parse(state ?? {})
  await recordCell(lab.url, lab.record.operator, lab.record.cell, record)
  const plan = { goal, instructions, planner: { id: plannerId }, nodes }
  await writeFile(planFile, JSON.stringify(plan, null, 2))
}
const plannerToken = lab.record.planners[plannerId] ?? ''
if (values.site !== undefined) {
  process.stdout.write(`
This is a rehearsal: the cell is simulated from ${values.site}, the same description by which plans are
judged. It shows that plans pass and are carried out step by step; it proves nothing about the device.
`)
}

const links = {
  reviewer: await signInLink(lab.url, lab.record.reviewer),
  operator: await signInLink(lab.url, lab.record.operator),
  administrator: await signInLink(lab.url, lab.record.admin),
}

process.stdout.write(`
Portcullis is running.

  gateway    ${lab.url}
  API        ${lab.url}/docs (for programs: /openapi.json)
  console    ${lab.url}/console
  health     ${lab.url}/healthz
  cell       ${lab.record.cell}, armed, simulated (journal: ${lab.journal})

Sign in at the console, once and within a quarter of an hour (again: POST /v1/sign-in-codes):
  reviewer       ${links.reviewer}
  operator       ${links.operator}
  administrator  ${links.administrator}

Credentials of programs at site ${lab.record.site} (kept in ${path.join(stateDir, 'lab.json')}):
  planner        ${plannerToken}   (${plannerId})
  reviewer       ${lab.record.reviewer}
  operator       ${lab.record.operator}
  administrator  ${lab.record.admin}

Submit a plan and wait for the verdict:

  curl -sS ${lab.url}/v1/plans -H 'authorization: Bearer ${plannerToken}' \\
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
