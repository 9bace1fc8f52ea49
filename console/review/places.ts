// Places in a plan, in words: pointers count from 0, people from 1; steps count in the order in which they
// run. And what was found, gathered at its place.
import { topologicalOrder } from '../../protocol/graph.ts'
import type { Plan } from '../../protocol/plan.ts'
import { nodeAt } from '../../protocol/plan-words.ts'
import { findingCodes } from '../../protocol/finding-codes.ts'
import type { Packet } from '../../protocol/records.ts'

/** Node ids in the order in which they run. */
export const orderOf = (plan: Plan): string[] => topologicalOrder(plan.nodes)

export function placeInWords(plan: Plan, pointer: string): string {
  const [, root, index, ...rest] = pointer.split('/')
  const n = Number(index)
  if (root === 'instructions' && Number.isInteger(n)) return `instruction ${n + 1}`
  const node = nodeAt(plan, pointer)
  if (node !== null) {
    const step = `step ${orderOf(plan).indexOf(node) + 1} (${node})`
    return rest.length === 0 ? step : `${step}: ${rest.join('/')}`
  }
  return pointer === '' ? 'the whole plan' : pointer.slice(1)
}

/** One thing that was found, in words, at its place. */
export type Note = {
  /** `reject`: only the planner can mend it; `escalate`: for a person; `told`: it only informs. */
  weight: 'reject' | 'escalate' | 'told'
  from: string
  text: string
  facts: string
  at: string
  span: readonly [number, number] | null
  cites: readonly string[]
  code: string
}

/** What rules, checks and judges found: of a packet, or of a standing approval that no judge has seen. */
export type Found = Pick<Packet, 'evidence' | 'floor' | 'grounding' | 'opinions'>

const titles: Readonly<Record<string, { title: string }>> = findingCodes

const factsInWords = (facts: Record<string, string | number | boolean>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${String(value)}`)
    .join('; ')

/** How each judge answered one doubt. */
function answers(packet: Found, doubt: number): string {
  return packet.opinions
    .map(({ judge, outcome, answers: given }) => {
      if (outcome !== 'answered') return `${judge}: ${outcome}`
      const answer = given.find((one) => one.doubt === doubt)
      const cited = answer?.citation ?? null
      return `${judge}: ${answer?.answer ?? 'open'}${cited === null ? '' : ` (${cited})`}`
    })
    .join('; ')
}

/** Everything that was found, most serious first. */
export function notesOf(packet: Found | null): Note[] {
  if (packet === null) return []
  const title = (code: string): string => titles[code]?.title ?? code
  const { breaches, unknowns, doubts } = packet.evidence
  const plain = { span: null, cites: [], facts: '' }
  const rank = { reject: 0, escalate: 1, told: 2 } as const
  const notes: Note[] = [
    ...breaches.map((one): Note => ({
      ...plain,
      weight: one.verdict,
      from: one.rule === undefined ? 'Rule' : `Rule ${one.rule}`,
      text: one.remedy ?? title(one.code),
      facts: factsInWords(one.facts),
      at: one.at,
      code: one.code,
    })),
    ...unknowns.map((one): Note => ({
      ...plain,
      weight: 'escalate',
      from: 'Not known',
      text: one.what,
      facts: factsInWords(one.facts),
      at: one.at,
      code: one.code,
    })),
    ...doubts.map((one): Note => ({
      ...plain,
      weight: 'escalate',
      from: one.settleable ? 'Question' : 'Question for people only',
      text: one.text,
      facts: answers(packet, one.id),
      at: one.subject,
      code: one.code,
    })),
    ...[...packet.floor.findings, ...(packet.grounding?.findings ?? [])].map((one): Note => ({
      weight: one.effect === 'block' ? 'reject' : one.effect === 'flag' ? 'escalate' : 'told',
      from: 'Check',
      text: title(one.code),
      facts: factsInWords(one.facts),
      at: one.at,
      span: one.span,
      cites: one.kg,
      code: one.code,
    })),
    ...packet.opinions.flatMap(({ judge, findings }) =>
      findings.map((one): Note => ({
        ...plain,
        weight: one.substantiated ? 'escalate' : 'told',
        from: `${judge}, ${one.severity}`,
        text: one.claim,
        facts: one.substantiated ? '' : 'without a reason that holds',
        at: one.at,
        cites: one.cites,
        code: one.code,
      })),
    ),
  ]
  return notes.toSorted((a, b) => rank[a.weight] - rank[b.weight])
}
