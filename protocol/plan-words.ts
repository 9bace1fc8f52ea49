// One plan in three sentences: what will happen, why it waits, how much rests on it. The gateway writes
// it into the index of plans; the page of a reviewer makes it again from the packet whose digest it has
// checked. Everything in it comes from plan and packet, so it stays inside what the digest names.
import { findingCodes } from './finding-codes.ts'
import type { Plan } from './plan.ts'
import type { PlanSummary } from './plan-summary.ts'
import { reasonWords } from './reason-words.ts'
import type { DecisionReason, Packet } from './records.ts'

/** Longest text of each part, in UTF-16 units; longer ones end in an ellipsis. */
export const goalMax = 300
export const sentenceMax = 300

/** Cut between code points: half of a surrogate pair is no text. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, max - 1)) ? max - 2 : max - 1
  return `${text.slice(0, end)}…`
}

/** The node that a JSON pointer into the plan lies in; null for its text. */
export function nodeAt(plan: Plan, pointer: string): string | null {
  const [, root, index] = pointer.split('/')
  return root === 'nodes' ? (plan.nodes[Number(index)]?.id ?? null) : null
}

/** Ids of the nodes that anything was found at, in the order of the plan. */
export function concernedNodes(
  plan: Plan,
  packet: Pick<Packet, 'evidence' | 'floor' | 'grounding' | 'opinions'> | null,
): string[] {
  if (packet === null) return []
  const { breaches, unknowns, doubts } = packet.evidence
  const places = [
    ...[...breaches, ...unknowns].map(({ node, at }) => node ?? nodeAt(plan, at)),
    ...doubts.map(({ subject }) => nodeAt(plan, subject)),
    ...packet.floor.findings.map(({ at }) => nodeAt(plan, at)),
    ...(packet.grounding?.findings ?? []).map(({ at }) => nodeAt(plan, at)),
    ...packet.opinions.flatMap(({ findings }) => findings.map(({ at }) => nodeAt(plan, at))),
  ]
  const touched = new Set(places)
  return plan.nodes.map(({ id }) => id).filter((id) => touched.has(id))
}

function whatOf(plan: Plan, packet: Packet | null, concerned: readonly string[]): string {
  if (plan.nodes.length === 0) return 'Nothing runs: it is a text without steps.'
  const n = plan.nodes.length
  const count = n === 1 ? 'One step' : `${n} steps`
  const steps = packet?.trace?.steps ?? []
  const first = steps.findIndex(({ node }) => concerned.includes(node))
  const shown = steps[Math.max(first, 0)]
  if (shown === undefined) {
    const tools = [...new Set(plan.nodes.map(({ tool }) => tool))]
    return `${count}: ${tools.join(', ')}.`
  }
  const where = n === 1 ? ':' : `; step ${Math.max(first, 0) + 1}:`
  return `${count}${where} ${shown.sentence}`
}

/** What was found, most serious first, each as one sentence. */
function found(packet: Packet): string[] {
  const { breaches, unknowns, doubts } = packet.evidence
  const open = doubts.filter(
    ({ id }) =>
      packet.opinions.length === 0 ||
      !packet.opinions.every(({ answers }) =>
        answers.some(({ doubt, answer }) => doubt === id && answer === 'settled'),
      ),
  )
  const claims = packet.opinions.flatMap(({ findings }) =>
    findings.filter((one) => one.substantiated).map((one) => `A judge says: ${one.claim}`),
  )
  const flags = [...packet.floor.findings, ...(packet.grounding?.findings ?? [])]
    .filter(({ effect }) => effect !== 'advisory')
    .map(({ code }) => findingCodes[code].title)
  return [
    ...breaches.map(({ code }) => findingCodes[code].title),
    ...flags,
    ...unknowns.map(({ what }) => what),
    ...(packet.memory.some(({ effect }) => effect === 'escalates')
      ? [reasonWords.memory_match]
      : []),
    ...claims,
    ...open.map(({ text }) => text),
  ]
}

function whyOf(packet: Packet | null, reasons: readonly DecisionReason[]): string {
  const all = packet === null ? [] : [...new Set(found(packet))]
  const [first] = all
  if (first === undefined) return reasons.map((reason) => reasonWords[reason])[0] ?? ''
  return all.length === 1 ? first : `${cut(first, sentenceMax - 20)} (+${all.length - 1} more)`
}

function riskOf(plan: Plan, packet: Packet | null): PlanSummary['risk'] {
  if (packet === null) return plan.nodes.length === 0 ? 0 : 1
  const { breaches, unknowns, doubts } = packet.evidence
  if (breaches.length > 0 || packet.floor.level === 'block' || packet.floor.level === 'flag') {
    return 3
  }
  if (unknowns.length > 0 || doubts.length > 0) return 2
  return packet.depth.reads_only ? 0 : 1
}

/** The summary of a plan. `approvals` counts acceptances so far of `required`. */
export function summaryOf(
  plan: Plan,
  packet: Packet | null,
  decided: { reasons: readonly DecisionReason[]; approvals: number; required: number },
): PlanSummary {
  const concerned = concernedNodes(plan, packet)
  return {
    goal: cut(plan.goal, goalMax),
    what: cut(whatOf(plan, packet, concerned), sentenceMax),
    why: cut(whyOf(packet, decided.reasons), sentenceMax),
    risk: riskOf(plan, packet),
    concerned: concerned.slice(0, 50),
    approvals: decided.approvals,
    approvals_required: decided.required,
  }
}
