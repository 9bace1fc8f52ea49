// What rules found, for a reviewer: facts, what is not known, and the questions with each judge's answer.
import type { Packet } from '../../protocol/records.ts'
import { table, tag, visible } from '../dom.ts'

const facts = (of: Record<string, string | number | boolean>): string =>
  Object.entries(of)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('; ')

/** How each judge answered one doubt, in words. */
function answersTo(packet: Packet, doubt: number): string {
  const said = packet.opinions.map((opinion) => {
    const answer = opinion.answers.find((one) => one.doubt === doubt)
    if (opinion.outcome !== 'answered') return `${opinion.judge}: ${opinion.outcome}`
    const cited = answer?.citation ?? null
    return `${opinion.judge}: ${answer?.answer ?? 'open'}${cited === null ? '' : ` (${cited})`}`
  })
  return said.join('; ') || 'nobody was asked'
}

/** Breaches, unknowns and doubts of a packet; `meaning` gives a code in words, `place` a pointer. */
export function ruleFindings(
  packet: Packet,
  meaning: (code: string) => string,
  place: (pointer: string) => string,
): HTMLElement {
  const { breaches, unknowns, doubts } = packet.evidence
  return tag(
    'section',
    tag('h3', 'What rules found'),
    table(
      'Breaches: facts that no model settles',
      ['Effect', 'What', 'Place', 'Rule', 'Facts'],
      breaches.map((one) => [
        one.verdict,
        meaning(one.code),
        place(one.at),
        visible(one.rule ?? ''),
        visible(facts(one.facts)),
      ]),
    ),
    table(
      'Unknown: what a limit or a need rests on and nobody knows',
      ['What', 'Place', 'Not known'],
      unknowns.map((one) => [meaning(one.code), place(one.at), visible(one.what)]),
    ),
    table(
      'Doubts: read in words',
      ['No.', 'Question', 'Place', 'For', 'Answers'],
      doubts.map((one) => [
        String(one.id),
        visible(one.text),
        place(one.subject),
        one.settleable ? one.family : `${one.family}, people only`,
        visible(answersTo(packet, one.id)),
      ]),
    ),
  )
}
