// `npm run -s eval -- report PACKETS`: the tables of the panel from stored packets, with intervals and
// paired differences. Nothing is asked and nothing measured anew: the same packets give the same bytes.
import type { Policy } from '../../protocol/policy.ts'
import type { Packet } from '../../protocol/records.ts'
import type { Verdict } from '../../protocol/verdict.ts'
import { rederive } from '../../verify/decide/decide.ts'
import { gatewayVerdict, laws, modelsMajority } from './laws.ts'
import type { StoredPacket } from './packets.ts'
import { quantile, round3, wilson } from './statistics.ts'

export type Labelled = {
  readonly id: string
  readonly label: Verdict
  readonly category: string
  readonly concern: string
  readonly packet: Packet
  readonly policy: Policy
}

const verdicts: readonly Verdict[] = ['accept', 'escalate', 'reject']

/** The packets that carry a three-way label, in the order of their ids. */
export function labelled(packets: readonly StoredPacket[]): Labelled[] {
  return packets
    .flatMap(({ id, label, category = 'none', concern = 'none', packet, policy }) => {
      const known = verdicts.find((verdict) => verdict === label)
      return known === undefined ? [] : [{ id, label: known, category, concern, packet, policy }]
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** A proportion with its Wilson interval at 95 %. */
function share(hits: number, n: number) {
  const [low, high] = wilson(hits, n)
  return { hits, n, share: round3(n === 0 ? 0 : hits / n), ci95: [round3(low), round3(high)] }
}
export type Share = ReturnType<typeof share>

type Judge = (row: Labelled) => Verdict

/** What a way of judging makes of all rows. */
function scores(rows: readonly Labelled[], judge: Judge) {
  const judged = rows.map((row) => ({ row, verdict: judge(row) }))
  const of = (label: Verdict) => judged.filter(({ row }) => row.label === label)
  const hits = (list: typeof judged, verdict: Verdict) =>
    list.filter((one) => one.verdict === verdict).length
  const heard = judged.filter(({ row }) => row.packet.opinions.length > 0)
  return {
    against_labels: share(
      judged.filter((one) => one.verdict === one.row.label).length,
      rows.length,
    ),
    /** Over the plans that models judged. */
    against_majority: share(
      heard.filter((one) => one.verdict === modelsMajority(one.row.packet)).length,
      heard.length,
    ),
    reject_accepted: share(hits(of('reject'), 'accept'), of('reject').length),
    accept_rejected: share(hits(of('accept'), 'reject'), of('accept').length),
    accept_recall: share(hits(of('accept'), 'accept'), of('accept').length),
    review_load: share(hits(judged, 'escalate'), rows.length),
  }
}
export type Scores = ReturnType<typeof scores>

const logFactorial = (n: number): number => {
  let sum = 0
  for (let i = 2; i <= n; i++) sum += Math.log(i)
  return sum
}

/** Exact two-sided sign test (McNemar): how likely so uneven a split of b + c is by chance. */
export function signTest(b: number, c: number): number {
  const n = b + c
  let tail = 0
  for (let k = 0; k <= Math.min(b, c); k++) {
    tail += Math.exp(logFactorial(n) - logFactorial(k) - logFactorial(n - k) - n * Math.LN2)
  }
  return Math.min(1, 2 * tail)
}

/** Rows right under one way and wrong under the other, and what is left of the difference. */
function paired(rows: readonly Labelled[], before: Judge, after: Judge) {
  const right = rows.map((row) => [before(row) === row.label, after(row) === row.label] as const)
  const gained = right.filter(([a, b]) => !a && b).length
  const lost = right.filter(([a, b]) => a && !b).length
  const n = rows.length
  const difference = n === 0 ? 0 : (gained - lost) / n
  const spread =
    n === 0 ? 0 : 1.959964 * Math.sqrt(Math.max(0, (gained + lost) / n - difference ** 2) / n)
  return {
    gained,
    lost,
    difference: round3(difference),
    ci95: [round3(difference - spread), round3(difference + spread)],
    p_sign: round3(signTest(gained, lost)),
  }
}
export type Paired = ReturnType<typeof paired>

const gateway: Judge = ({ packet, policy }) => gatewayVerdict(packet, policy)

const changed =
  (change: (packet: Packet) => Packet): Judge =>
  ({ packet, policy }) =>
    gatewayVerdict(change(packet), policy)

/** Closed-world: nobody is asked. */
const rulesAlone: Judge = ({ packet, policy }) => {
  const depth = { ...packet.depth, panel: 'rules' as const, expected: [] }
  const alone = { ...packet, opinions: [], chief: null, depth }
  return rederive(alone, { ...policy, panel: 'offline' }).verdict
}

/** What is switched off in turn, and what that is called. */
const ablations: readonly { readonly name: string; readonly without: (p: Packet) => Packet }[] = [
  { name: 'chief', without: (p) => ({ ...p, chief: null }) },
  { name: 'doubts', without: (p) => ({ ...p, evidence: { ...p.evidence, doubts: [] } }) },
  { name: 'unknowns', without: (p) => ({ ...p, evidence: { ...p.evidence, unknowns: [] } }) },
  { name: 'breaches', without: (p) => ({ ...p, evidence: { ...p.evidence, breaches: [] } }) },
  {
    name: 'findings of the graph',
    without: (p) => ({
      ...p,
      grounding: p.grounding === null ? null : { ...p.grounding, findings: [] },
    }),
  },
  { name: 'memory', without: (p) => ({ ...p, memory: [] }) },
  {
    name: 'floor',
    without: (p) => ({ ...p, floor: { ...p.floor, level: 'pass', findings: [] } }),
  },
]

/** Codes of rules, each switched off by itself. */
function codesOf(rows: readonly Labelled[]): string[] {
  const codes = new Set<string>()
  for (const { packet } of rows) {
    const { breaches, unknowns, doubts } = packet.evidence
    for (const found of [...breaches, ...unknowns, ...doubts]) codes.add(found.code)
  }
  return [...codes].sort()
}

const withoutCode =
  (code: string) =>
  (p: Packet): Packet => ({
    ...p,
    evidence: {
      breaches: p.evidence.breaches.filter((found) => found.code !== code),
      unknowns: p.evidence.unknowns.filter((found) => found.code !== code),
      doubts: p.evidence.doubts.filter((found) => found.code !== code),
    },
  })

/** Every choice of `size` out of the names, in order. */
export function choices(names: readonly string[], size: number): string[][] {
  if (size === 0) return [[]]
  return names.flatMap((name, i) =>
    choices(names.slice(i + 1), size - 1).map((rest) => [name, ...rest]),
  )
}

const onlySeats =
  (names: readonly string[]) =>
  (p: Packet): Packet => ({
    ...p,
    opinions: p.opinions.filter((o) => names.includes(o.judge)),
    depth: {
      ...p.depth,
      expected: p.depth.expected.filter((name) => names.includes(name)),
    },
  })

/** Sizes of the panel: every choice of seats of that size, all of them together. */
function ensembles(rows: readonly Labelled[]) {
  const names = [...new Set(rows.flatMap((row) => row.packet.depth.expected))].sort()
  return names.map((_, i) => {
    const size = i + 1
    const some = choices(names, size)
    const each = some.map((seats) => scores(rows, changed(onlySeats(seats))))
    const sum = (of: (one: Scores) => Share) =>
      share(
        each.reduce((total, one) => total + of(one).hits, 0),
        each.reduce((total, one) => total + of(one).n, 0),
      )
    return {
      size,
      panels: some.length,
      against_labels: sum((one) => one.against_labels),
      reject_accepted: sum((one) => one.reject_accepted),
      accept_rejected: sum((one) => one.accept_rejected),
      accept_recall: sum((one) => one.accept_recall),
      review_load: sum((one) => one.review_load),
    }
  })
}

function groups(rows: readonly Labelled[], key: (row: Labelled) => string) {
  const names = [...new Set(rows.map(key))].sort()
  return Object.fromEntries(
    names.map((name) => {
      const some = rows.filter((row) => key(row) === name)
      const { against_labels, reject_accepted, accept_rejected } = scores(some, gateway)
      return [name, { against_labels, reject_accepted, accept_rejected }]
    }),
  )
}

function spending(rows: readonly Labelled[]) {
  const all = rows.flatMap(({ packet }) => [
    ...packet.opinions,
    ...(packet.chief === null ? [] : [packet.chief]),
  ])
  const answered = all.filter((one) => one.outcome === 'answered')
  const priced = answered.filter((one) => one.usage.cost_usd !== null)
  const tokens = rows.map(({ packet }) =>
    packet.opinions.reduce((sum, o) => sum + o.usage.input_tokens + o.usage.output_tokens, 0),
  )
  return {
    calls: all.length,
    answered: answered.length,
    /** null when no call had a price. */
    cost_usd:
      priced.length === 0
        ? null
        : round3(priced.reduce((sum, one) => sum + (one.usage.cost_usd ?? 0), 0)),
    unpriced: answered.length - priced.length,
    tokens_per_plan_p50: quantile(tokens, 0.5),
    tokens_per_plan_p95: quantile(tokens, 0.95),
    call_ms_p50: round3(
      quantile(
        answered.map((one) => one.ms),
        0.5,
      ),
    ),
    call_ms_p95: round3(
      quantile(
        answered.map((one) => one.ms),
        0.95,
      ),
    ),
  }
}

/** Everything that the report says, before it is written down. */
export function reportOf(packets: readonly StoredPacket[]) {
  const rows = labelled(packets)
  const chiefs = rows.filter((row) => row.packet.chief !== null).length
  return {
    n: rows.length,
    unlabelled: packets.length - rows.length,
    heard: rows.filter((row) => row.packet.opinions.length > 0).length,
    chiefs,
    gateway: scores(rows, gateway),
    laws: laws.map((law) => {
      const judge: Judge = ({ packet, policy }) => law.decide(packet, policy)
      return {
        name: law.name,
        says: law.says,
        ...scores(rows, judge),
        against_gateway: paired(rows, gateway, judge),
      }
    }),
    ensembles: ensembles(rows),
    ablations: [
      ...ablations.map(({ name, without }) => ({ name, judge: changed(without) })),
      { name: 'models', judge: rulesAlone },
    ].map(({ name, judge }) => ({
      name,
      ...scores(rows, judge),
      against_gateway: paired(rows, gateway, judge),
    })),
    rules: codesOf(rows).map((code) => {
      const judge = changed(withoutCode(code))
      const moved = rows.filter((row) => judge(row) !== gateway(row))
      return {
        code,
        plans: rows.filter((row) => codesOf([row]).includes(code)).length,
        verdicts_changed: moved.length,
        against_gateway: paired(rows, gateway, judge),
      }
    }),
    by_concern: groups(rows, (row) => row.concern),
    by_category: groups(rows, (row) => row.category),
    spending: spending(rows),
    differs: rows.flatMap((row) => {
      const verdict = gateway(row)
      const majority = row.packet.opinions.length === 0 ? null : modelsMajority(row.packet)
      return verdict === row.label ? [] : [{ id: row.id, label: row.label, verdict, majority }]
    }),
  }
}
export type Report = ReturnType<typeof reportOf>
