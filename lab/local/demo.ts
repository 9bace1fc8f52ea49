// `npm run demo`: the main job end to end against real processes, then the attacks, then exit 0.
// With --json one document goes to stdout and the progress to stderr.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { asExpected, readyCell, type AttackResult } from './attacks/attack.ts'
import { attacks } from './attacks/index.ts'
import { HostileAgent } from './attacks/hostile-agent.ts'
import { journalStarts } from './attacks/wire.ts'
import { root } from './bundle.ts'
import { cellRecordSchema, type CellRecord } from '../../protocol/state.ts'
import { recordCell } from './client.ts'
import { readOptions } from './command-line.ts'
import { armCell, startLab, type Lab } from './lab.ts'
import { getPlan, getSession, submit, until, type PlanView } from './plans.ts'

const values = readOptions({ json: { type: 'boolean', default: false } })
const started = performance.now()
const say = (text: string): void => {
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5)
  process.stderr.write(`${seconds} s  ${text}\n`)
}

type Row = { id: string; label: string; planner: { id: string } } & Record<string, unknown>

/** The wire fields of a labelled plan. */
function wire(row: Row): Record<string, unknown> {
  const { goal, instructions, planner, nodes } = row
  return { goal, instructions, planner, nodes }
}

/** What stands in the cell at the start of the plan, recorded by the operator. */
const stateOf = (row: Row): CellRecord => cellRecordSchema.parse(row['state'] ?? {})

async function recordState(lab: Lab, row: Row): Promise<void> {
  await recordCell(lab.url, lab.record.operator, lab.record.cell, stateOf(row))
}

async function readPlans(): Promise<Map<string, Row>> {
  const text = await readFile(path.join(root, 'lab', 'eval', 'data', 'dev-40.v2.jsonl'), 'utf8')
  const rows = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Accepted → bound → every node once, in order; the journal of the cell is the witness. */
async function runAccepted(lab: Lab, row: Row) {
  const token = lab.record.planners[row.planner.id] ?? ''
  await recordState(lab, row)
  const before = (await journalStarts(lab.journal)).length
  const plan = await submit(lab.url, token, wire(row))
  say(`accept    ${row.id}: ${String(row['goal'])} → ${plan.verdict}`)
  if (plan.verdict !== 'accept') throw new Error(`expected accept, got ${JSON.stringify(plan)}`)
  const bound = await until(
    () => getPlan(lab.url, token, plan.plan),
    (p) => p.session !== null,
    30_000,
  )
  const session = bound.session ?? ''
  let shown = 0
  const view = await until(
    () => getSession(lab.url, lab.record.operator, session),
    (current) => {
      const done = current.nodes.filter((node) => node.state === 'succeeded')
      for (const node of done.slice(shown)) say(`          node ${node.nid} ${node.tool} succeeded`)
      shown = done.length
      return current.status === 'completed' || current.status === 'terminated'
    },
    120_000,
  )
  const moved = (await journalStarts(lab.journal)).slice(before).map((entry) => entry.tool)
  const expected = view.order.map((nid) => view.nodes.find((node) => node.nid === nid)?.tool ?? '')
  const journal_ok =
    view.status === 'completed' && JSON.stringify(moved) === JSON.stringify(expected)
  say(
    `          session ${view.status}; the cell's journal shows ${moved.length} acts, in order: ${journal_ok}`,
  )
  return {
    plan: plan.plan,
    session,
    nodes_executed: view.nodes.filter((node) => node.state === 'succeeded').map((node) => node.nid),
    journal_ok,
  }
}

async function runJudged(lab: Lab, row: Row, wanted: PlanView['verdict']) {
  const plan = await submit(lab.url, lab.record.planners[row.planner.id] ?? '', wire(row))
  const codes = plan.findings.map((found) => found.code)
  const reasons = [...new Set([...plan.reasons, ...codes])]
  say(
    `${String(wanted).padEnd(9)} ${row.id}: ${String(row['goal'])} → ${plan.verdict} (${reasons.join(', ')})`,
  )
  if (plan.verdict !== wanted) throw new Error(`expected ${wanted}, got ${JSON.stringify(plan)}`)
  return { plan: plan.plan, reasons }
}

async function runAttacks(lab: Lab, row: Row): Promise<AttackResult[]> {
  const hostile = await HostileAgent.create(lab.handle, {
    name: 'agent-hostile',
    cell: 'LC-8',
    enrol: true,
  })
  await readyCell(lab, hostile.cell)
  await hostile.goOnline()
  const planner = lab.record.planners[row.planner.id] ?? ''
  const results: AttackResult[] = []
  for (const attack of attacks) {
    const result = await attack.run({ lab, hostile, planner, plan: wire(row), state: stateOf(row) })
    const mark = asExpected(result) ? 'held' : 'BROKEN'
    say(
      `attack    ${result.name}: expected ${result.expected.join(' or ')}, got ${result.reason}; ` +
        `session ended ${result.session_terminated}, node ran ${result.executed}: ${mark}`,
    )
    results.push(result)
  }
  hostile.goOffline()
  return results
}

async function main(): Promise<number> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'portcullis-demo-'))
  say('starting gateway, knowledge graph, simulated cell and robot agent')
  const lab = await startLab({ stateDir, timeScale: 200, actMsMax: 400, proxied: true })
  try {
    const rows = await readPlans()
    const pick = (id: string): Row => {
      const row = rows.get(id)
      if (row === undefined) throw new Error(`dev-40 has no ${id}`)
      return row
    }
    await armCell(lab, 60)
    say(`gateway at ${lab.url}, cell ${lab.record.cell} armed`)
    const accepted = await runAccepted(lab, pick('owndev-036'))
    const escalated = await runJudged(lab, pick('owndev-031'), 'escalate')
    const rejected = await runJudged(lab, pick('owndev-039'), 'reject')
    const results = await runAttacks(lab, pick('owndev-036'))
    const ok = accepted.journal_ok && results.every(asExpected)
    const ms = Math.round(performance.now() - started)
    const document = { ok, accepted, escalated, rejected, attacks: results, ms }
    if (values.json) process.stdout.write(`${JSON.stringify(document)}\n`)
    say(
      ok
        ? `all as it should be, in ${(ms / 1000).toFixed(1)} s`
        : 'something is not as it should be',
    )
    return ok ? 0 : 1
  } finally {
    await lab.close()
    await rm(stateDir, { recursive: true, force: true })
  }
}

try {
  process.exitCode = await main()
} catch (cause) {
  process.stderr.write(
    `${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`,
  )
  process.exitCode = 1
}
