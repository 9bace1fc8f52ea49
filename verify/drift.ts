// Drift: stored plans judged again under another model, prompt or graph version, and what changed. A
// change of any of these is a change of the gateway, so it is measured before it is taken into use.
import type { ChiefOpinion, Opinion } from '../protocol/opinion.ts'
import type { Packet } from '../protocol/records.ts'
import type { Concern, Verdict } from '../protocol/verdict.ts'
import { rederive, type DecidePolicy } from './decide/decide.ts'
import type { JudgeResult } from './judge.ts'

export type StoredJudgement = {
  readonly plan: string
  readonly packet: Packet
  readonly policy: DecidePolicy
  /** What a person decided about it, when one did. */
  readonly person: 'accept' | 'reject' | null
}

/** The same plan judged again; the floor, memory and knowledge findings stay those of the packet. */
export type JudgedAgain = {
  readonly stored: StoredJudgement
  readonly again: Pick<JudgeResult, 'opinions' | 'chief' | 'depth'>
  readonly policy: DecidePolicy
  readonly graph_version: string | null
}

export type JudgeChange = {
  readonly judge: string
  readonly before: Verdict | 'missing'
  readonly after: Verdict | 'missing'
  readonly risk: number
}

export type PlanDrift = {
  readonly plan: string
  readonly before: Verdict
  readonly after: Verdict
  readonly classification: { readonly before: Concern; readonly after: Concern }
  /** True when it moved from reject to accept or back. */
  readonly flip: boolean
  readonly judges: JudgeChange[]
  readonly chief: { readonly before: Verdict | 'missing'; readonly after: Verdict | 'missing' }
  readonly graph_changed: boolean
}

export type DriftReport = {
  readonly n: number
  readonly same: number
  readonly stricter: number
  readonly milder: number
  readonly flips: number
  /** Verdicts of the machine that agree with what a person decided, before and after. */
  readonly person: { readonly n: number; readonly before: number; readonly after: number }
  readonly matrix: Record<Verdict, Record<Verdict, number>>
  readonly changed: PlanDrift[]
}

const rank: Record<Verdict, number> = { accept: 0, escalate: 1, reject: 2 }

const said = (opinion: Opinion | ChiefOpinion | null | undefined): Verdict | 'missing' =>
  opinion?.outcome === 'answered' ? opinion.verdict : 'missing'

function compareJudges(before: readonly Opinion[], after: readonly Opinion[]): JudgeChange[] {
  const names = [...new Set([...before, ...after].map((o) => o.judge))].sort()
  return names.map((judge) => {
    const old = before.find((o) => o.judge === judge)
    const now = after.find((o) => o.judge === judge)
    return {
      judge,
      before: said(old),
      after: said(now),
      risk: (now?.risk ?? 0) - (old?.risk ?? 0),
    }
  })
}

/** Compares one plan. */
export function planDrift(item: JudgedAgain): PlanDrift {
  const { stored, again, policy } = item
  const { packet } = stored
  const before = rederive(packet, stored.policy)
  const after = rederive({ ...packet, ...again }, policy)
  const pair = [before.verdict, after.verdict]
  return {
    plan: stored.plan,
    before: before.verdict,
    after: after.verdict,
    classification: { before: before.classification, after: after.classification },
    flip: pair.includes('accept') && pair.includes('reject'),
    judges: compareJudges(packet.opinions, again.opinions),
    chief: { before: said(packet.chief), after: said(again.chief) },
    graph_changed: packet.graph_version !== item.graph_version,
  }
}

/** The report over all plans; `changed` lists those with another verdict or another classification. */
export function driftReport(items: readonly JudgedAgain[]): DriftReport {
  const none = { accept: 0, escalate: 0, reject: 0 }
  const matrix = { accept: { ...none }, escalate: { ...none }, reject: { ...none } }
  const changed: PlanDrift[] = []
  const count = { same: 0, stricter: 0, milder: 0, flips: 0 }
  const person = { n: 0, before: 0, after: 0 }
  for (const item of items) {
    const drift = planDrift(item)
    matrix[drift.before][drift.after] += 1
    const step = rank[drift.after] - rank[drift.before]
    if (step === 0) count.same += 1
    else if (step > 0) count.stricter += 1
    else count.milder += 1
    if (drift.flip) count.flips += 1
    if (item.stored.person !== null) {
      person.n += 1
      if (drift.before === item.stored.person) person.before += 1
      if (drift.after === item.stored.person) person.after += 1
    }
    const { classification } = drift
    if (step !== 0 || classification.before !== classification.after) changed.push(drift)
  }
  return { n: items.length, ...count, person, matrix, changed }
}
