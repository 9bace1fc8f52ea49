// `npm run eval -- memory`: replays a stream of refused plans, near-copies, paraphrases and innocent
// plans through the real gateway, once in a site that remembers and once each in a site that does not.
// "Safer over time", measured: repeats that pass, and innocents that memory alone holds up.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createCredential, createSite, must, type SiteHandle } from '../local/client.ts'
import { loadSite } from '../local/demo-site.ts'
import type { Gateway } from '../local/gateway.ts'
import { startGatewayWithGraph } from '../local/graph.ts'
import { submit, type PlanView } from '../local/plans.ts'
import { startStandbyAgent } from '../local/standby-agent.ts'
import type { MemoryMatch } from '../../protocol/memory.ts'
import { policySchema } from '../../protocol/policy.ts'
import type { Registry } from '../../protocol/registry.ts'
import { cellRecordSchema, type CellRecord } from '../../protocol/state.ts'
import { cellRecorder } from './site-run.ts'
import { quantile, round3, wilson } from './statistics.ts'

type Kind = 'refused' | 'near_copy' | 'paraphrase' | 'look_alike' | 'unrelated'
export type StreamCase = {
  id: string
  kind: Kind
  /** The refused plan that this one repeats, or resembles. */
  of?: string
  /** What a person makes of it when it escalates. */
  person?: 'reject'
  plan: { planner: { id: string } } & Record<string, unknown>
  /** What stands in the cell at the start, as a person recorded it. */
  state: CellRecord
}
type Verdict = 'accept' | 'escalate' | 'reject'
export type StreamRow = {
  id: string
  kind: Kind
  of: string | null
  verdict: Verdict
  /** The verdict on a site that remembers nothing. */
  alone: Verdict
  /** True when memory escalates it, and names the plan that it repeats. */
  matched: boolean
  named: boolean
  similarity: number | null
  ms: number
  memories: number
}

const file = path.join(import.meta.dirname, 'data', 'memory-stream.jsonl')
const bins = 4

/** The stream, in order. Only wire fields reach the gateway. */
export async function readStream(from: string = file): Promise<StreamCase[]> {
  const lines = (await readFile(from, 'utf8')).trim().split('\n')
  return lines.map((line) => {
    const row = JSON.parse(line) as StreamCase & StreamCase['plan']
    const { id, kind, of, person, state: recorded, ...plan } = row
    const state = cellRecordSchema.parse(recorded ?? {})
    return {
      id,
      kind,
      plan,
      state,
      ...(of === undefined ? {} : { of }),
      ...(person ? { person } : {}),
    }
  })
}

export type Desk = {
  handle: SiteHandle
  reviewer: string
  token: (planner: string) => Promise<string>
  record: (state: CellRecord) => Promise<void>
  close: () => void
}

/** A site with its people and one healthy agent. Every planner of the stream may use every tool. */
export async function openDesk(
  gateway: Gateway,
  site: string,
  planners: readonly string[],
): Promise<Desk> {
  const { registry, policy, proven } = await loadSite()
  const all = [...new Set(registry.tools.map((tool) => tool.capability))]
  const wide: Registry = {
    ...registry,
    planners: Object.fromEntries(planners.map((name) => [name, { capabilities: all }])),
  }
  // Shadow: the site judges, remembers and reports, and dispatches nothing.
  const judged = policySchema.parse({ ...policy, mode: 'shadow' })
  const handle = await createSite(gateway.url, gateway.operatorToken, {
    site,
    registry: wide,
    policy: judged,
    proven,
  })
  const agent = await startStandbyAgent(handle, { agent: 'agent-eval', cell: 'cell-eval' })
  const tokens = new Map<string, Promise<string>>()
  const token = (planner: string): Promise<string> => {
    const known = tokens.get(planner)
    if (known !== undefined) return known
    const made = createCredential(handle, {
      role: 'planner',
      subject: planner,
      owner: `owner.of.${planner}`,
    })
    tokens.set(planner, made)
    return made
  }
  const reviewer = await createCredential(handle, {
    role: 'reviewer',
    subject: 'reviewer',
    owner: 'reviewer.of.memory',
  })
  const operator = await createCredential(handle, {
    role: 'operator',
    subject: 'operator',
    owner: 'operator.of.memory',
  })
  const record = cellRecorder(handle.base, operator, 'cell-eval')
  return { handle, reviewer, token, record, close: agent.close }
}

type ReviewView = { packet: { memory: MemoryMatch[] }; status: { packet_digest: string } }

export const reviewOf = (desk: Desk, plan: string): Promise<ReviewView> =>
  must<ReviewView>(desk.handle.base, {
    method: 'GET',
    path: `/v1/reviews/${plan}`,
    token: desk.reviewer,
  })

/** A person settles an escalation for the packet that is shown. */
export async function settle(
  desk: Desk,
  plan: string,
  verdict: 'accept' | 'reject',
): Promise<PlanView> {
  const { status } = await reviewOf(desk, plan)
  return must<PlanView>(desk.handle.base, {
    method: 'POST',
    path: `/v1/reviews/${plan}`,
    token: desk.reviewer,
    body: { verdict, rationale: 'Settled by the evaluation.', packet_digest: status.packet_digest },
  })
}

/** Records what stands in the cell, then submits the plan and waits for its verdict. */
export async function post(
  desk: Desk,
  item: Pick<StreamCase, 'plan' | 'state'>,
): Promise<PlanView> {
  await desk.record(item.state)
  return submit(desk.handle.base, await desk.token(item.plan.planner.id), item.plan)
}

async function memoriesOf(desk: Desk): Promise<number> {
  const page = await must<{ items: { kind: string }[] }>(desk.handle.base, {
    method: 'GET',
    path: '/v1/memories?limit=100',
    token: desk.reviewer,
  })
  return page.items.filter((item) => item.kind === 'failure').length
}

/** Replays the stream in one site; `alone` gives each plan's verdict without any memory. */
async function replay(gateway: Gateway, stream: readonly StreamCase[]): Promise<StreamRow[]> {
  const planners = [...new Set(stream.map((item) => item.plan.planner.id))]
  const desk = await openDesk(gateway, 'memory-kept', planners)
  const plans = new Map<string, string>()
  const rows: StreamRow[] = []
  for (const [i, item] of stream.entries()) {
    const fresh = await openDesk(gateway, `memory-none-${i}`, [item.plan.planner.id])
    const alone = await post(fresh, item)
    fresh.close()
    const memories = await memoriesOf(desk)
    const started = performance.now()
    const judged = await post(desk, item)
    const ms = performance.now() - started
    plans.set(item.id, judged.plan)
    const { packet } = await reviewOf(desk, judged.plan)
    const matches = packet.memory.filter((match) => match.effect === 'escalates')
    const original = item.of === undefined ? null : (plans.get(item.of) ?? null)
    const named = matches.find((match) => match.plan === original)
    if (item.person === 'reject' && judged.state === 'escalated') {
      await settle(desk, judged.plan, 'reject')
    }
    rows.push({
      id: item.id,
      kind: item.kind,
      of: item.of ?? null,
      verdict: judged.verdict ?? 'escalate',
      alone: alone.verdict ?? 'escalate',
      matched: matches.length > 0,
      named: named !== undefined,
      similarity: named?.similarity ?? matches[0]?.similarity ?? null,
      ms,
      memories,
    })
    process.stderr.write(`\r${i + 1}/${stream.length} plans of the stream judged`)
  }
  process.stderr.write('\n')
  desk.close()
  return rows
}

const isRepeat = (row: StreamRow): boolean => row.kind === 'near_copy' || row.kind === 'paraphrase'
const isInnocent = (row: StreamRow): boolean =>
  row.kind === 'look_alike' || row.kind === 'unrelated'

/** A share with its Wilson interval: for zero hits the upper end is the bound to quote. */
function share(rows: readonly StreamRow[], hit: (row: StreamRow) => boolean) {
  const hits = rows.filter(hit).length
  const [low, high] = wilson(hits, rows.length)
  return { hits, n: rows.length, ci95: [round3(low), round3(high)] as [number, number] }
}

/** Held up by memory and by nothing else. */
const byMemoryAlone = (row: StreamRow): boolean =>
  row.alone === 'accept' && row.verdict !== 'accept' && row.matched

function figures(rows: readonly StreamRow[]) {
  const repeats = rows.filter(isRepeat)
  const innocents = rows.filter(isInnocent)
  return {
    repeats_accepted: share(repeats, (row) => row.verdict === 'accept'),
    repeats_accepted_without_memory: share(repeats, (row) => row.alone === 'accept'),
    repeats_named: share(repeats, (row) => row.named),
    false_escalations: share(innocents, byMemoryAlone),
    innocents_not_accepted_without_memory: share(innocents, (row) => row.alone !== 'accept'),
  }
}

/** The document of `eval memory`: overall, by kind, and along the stream. */
export function memoryTables(rows: readonly StreamRow[]) {
  const size = Math.ceil(rows.length / bins)
  const kinds: Kind[] = ['refused', 'near_copy', 'paraphrase', 'look_alike', 'unrelated']
  const ms = rows.map((row) => row.ms)
  return {
    n: rows.length,
    ...figures(rows),
    by_kind: Object.fromEntries(
      kinds.map((kind) => {
        const of = rows.filter((row) => row.kind === kind)
        const count = (hit: (row: StreamRow) => boolean) => of.filter(hit).length
        return [
          kind,
          {
            n: of.length,
            accept: count((row) => row.verdict === 'accept'),
            escalate: count((row) => row.verdict === 'escalate'),
            reject: count((row) => row.verdict === 'reject'),
            matched: count((row) => row.matched),
            held_by_memory_alone: count(byMemoryAlone),
          },
        ]
      }),
    ),
    by_position: Array.from({ length: bins }, (_, i) => {
      const part = rows.slice(i * size, (i + 1) * size)
      return {
        from: i * size + 1,
        to: i * size + part.length,
        memories_before: part[0]?.memories ?? 0,
        ...figures(part),
      }
    }),
    ms_p50: round3(quantile(ms, 0.5)),
    ms_p95: round3(quantile(ms, 0.95)),
    rows,
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

function printTables(tables: ReturnType<typeof memoryTables>): void {
  const line = (name: string, s: { hits: number; n: number; ci95: [number, number] }) =>
    print(`${name.padEnd(40)} ${s.hits}/${s.n}  95 % [${s.ci95[0]}, ${s.ci95[1]}]`)
  line('repeats accepted', tables.repeats_accepted)
  line('repeats accepted without memory', tables.repeats_accepted_without_memory)
  line('repeats that name what they repeat', tables.repeats_named)
  line('innocents held up by memory alone', tables.false_escalations)
  print('\nposition   memories  repeats accepted (without memory)  false escalations')
  for (const part of tables.by_position) {
    const { repeats_accepted: got, repeats_accepted_without_memory: bare } = part
    const { false_escalations: wrong } = part
    const at = `${part.from}-${part.to}`.padEnd(10)
    const memories = String(part.memories_before).padEnd(9)
    print(
      `${at} ${memories} ${got.hits}/${got.n} (${bare.hits}/${bare.n})`.padEnd(56) +
        `${wrong.hits}/${wrong.n}`,
    )
  }
}

/** Runs the evaluation and prints it; the exit code is 0 when it ran. */
export async function runMemoryEval(options: { json: boolean }): Promise<number> {
  const stream = await readStream()
  const gateway = await startGatewayWithGraph()
  try {
    const tables = memoryTables(await replay(gateway, stream))
    if (options.json) print(JSON.stringify(tables))
    else printTables(tables)
  } finally {
    await gateway.close()
  }
  return 0
}
