// The parts of a packet: steps, findings with their places, judges, chief, memory, citations.
import type { Finding } from '../../protocol/finding.ts'
import type { ChiefOpinion, Opinion } from '../../protocol/opinion.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Packet } from '../../protocol/records.ts'
import type { ReviewRecord } from '../api.ts'
import { marked, table, tag, visible } from '../dom.ts'
import { ruleFindings } from './rules.ts'

type Codes = ReviewRecord['codes']

/** The value at a JSON pointer (RFC 6901), or undefined. */
function at(value: unknown, pointer: string): unknown {
  let current = value
  for (const raw of pointer.split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return undefined
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(current, key)) return undefined
    current = (current as Record<string, unknown>)[key]
  }
  return current
}

/** A place in words: pointers count from 0, people from 1. */
function placeInWords(plan: Plan, pointer: string): string {
  const [, root, index, ...rest] = pointer.split('/')
  const n = Number(index)
  if (root === 'instructions' && Number.isInteger(n)) return `instruction ${n + 1}`
  if (root === 'nodes' && Number.isInteger(n)) {
    const id = plan.nodes[n]?.id ?? String(n)
    return rest.length === 0 ? `node ${id}` : `node ${id}: ${rest.join('/')}`
  }
  return pointer === '' ? 'the whole plan' : pointer.slice(1)
}

export function steps(plan: Plan): HTMLElement {
  return tag(
    'section',
    tag('h3', 'Steps'),
    tag('ol', ...plan.instructions.map((text) => tag('li', visible(text)))),
    table(
      'Tool calls',
      ['Node', 'Tool', 'Arguments', 'After', 'Sandbox'],
      plan.nodes.map((node) => [
        node.id,
        visible(node.tool),
        tag('pre', visible(JSON.stringify(node.args, null, 2))),
        node.depends_on.join(', ') || '–',
        node.sandbox ?? '–',
      ]),
    ),
  )
}

function quote(plan: Plan, finding: Finding): DocumentFragment | string {
  const value = at(plan, finding.at)
  return typeof value === 'string' ? marked(value, finding.span) : ''
}

/** A code in words, with the public names of the risk. */
function meaning(codes: Codes, code: string): string {
  const risks = codes[code]?.risks.map((risk) => `${risk.id} ${risk.name}`).join('; ') ?? ''
  return `${codes[code]?.title ?? ''} (${code})${risks === '' ? '' : ` · ${risks}`}`
}

export function findings(plan: Plan, packet: Packet, codes: Codes): HTMLElement {
  const all = [...packet.floor.findings, ...(packet.grounding?.findings ?? [])]
  return tag(
    'section',
    tag('h3', 'Findings'),
    table(
      'Findings of the checks',
      ['Effect', 'What', 'Place', 'Text', 'Facts', 'Knowledge'],
      all.map((finding) => [
        finding.effect,
        meaning(codes, finding.code),
        placeInWords(plan, finding.at),
        quote(plan, finding),
        visible(
          Object.entries(finding.facts)
            .map(([name, value]) => `${name}: ${String(value)}`)
            .join('; '),
        ),
        finding.kg.join(', '),
      ]),
    ),
  )
}

function judge(plan: Plan, opinion: Opinion, codes: Codes): HTMLElement {
  const rows = opinion.findings.map((finding) => [
    meaning(codes, finding.code),
    placeInWords(plan, finding.at),
    `${finding.severity}, likelihood ${finding.likelihood}`,
    visible(finding.claim),
    finding.cites.join(', '),
    finding.substantiated ? 'yes' : 'no',
  ])
  return tag(
    'article',
    tag('h4', `${opinion.judge}: ${opinion.verdict}`),
    tag(
      'p',
      `${opinion.vendor}${opinion.model === null ? '' : `, ${opinion.model}`}; ${opinion.outcome}`,
      opinion.failure === null ? '' : ` (${opinion.failure})`,
      `; confidence ${opinion.confidence}; concern ${opinion.concern}; risk ${opinion.risk}.`,
    ),
    tag('ol', ...opinion.reasoning.map((text) => tag('li', visible(text)))),
    table('Claims', ['What', 'Place', 'Severity', 'Claim', 'Cites', 'Substantiated'], rows),
  )
}

function chiefPart(chief: ChiefOpinion | null): HTMLElement {
  if (chief === null) return tag('p', 'No chief was asked.')
  const weights = Object.entries(chief.weights).map(([name, weight]) => `${name}: ${weight}`)
  return tag(
    'article',
    tag('p', `Verdict ${chief.verdict}; ${chief.classification}; ${chief.outcome}.`),
    tag('ul', ...chief.reasons.map((text) => tag('li', visible(text)))),
    tag('p', `Weights: ${weights.join(', ') || 'none'}.`),
  )
}

/** Breaches, unknowns and doubts. */
export function rules(plan: Plan, packet: Packet, codes: Codes): HTMLElement {
  return ruleFindings(
    packet,
    (code) => meaning(codes, code),
    (pointer) => placeInWords(plan, pointer),
  )
}

export function judges(plan: Plan, packet: Packet, codes: Codes): HTMLElement {
  return tag(
    'section',
    tag('h3', 'Judges'),
    packet.opinions.length === 0 ? tag('p', 'No judge was asked.') : null,
    ...packet.opinions.map((opinion) => judge(plan, opinion, codes)),
    tag('h3', 'Chief'),
    chiefPart(packet.chief),
  )
}

/** Earlier versions of the plan and what changed from each to this one. */
export function versions(record: ReviewRecord): HTMLElement | null {
  const { lineage, precedent } = record
  if (lineage.length === 0 && precedent === null) return null
  return tag(
    'section',
    tag('h3', 'Earlier versions'),
    precedent === null ? null : tag('p', `A person accepted exactly this plan as ${precedent}.`),
    ...lineage.map((earlier) =>
      table(
        `From ${earlier.plan} (${earlier.state}: ${earlier.reasons.join(', ') || 'no reason'})`,
        ['Change', 'Place', 'Before', 'Now'],
        earlier.differences.map((difference) => [
          difference.change,
          placeInWords(record.plan, difference.at),
          visible(difference.before ?? ''),
          visible(difference.after ?? ''),
        ]),
      ),
    ),
  )
}

export function sources(packet: Packet): HTMLElement {
  return tag(
    'section',
    tag('h3', 'Sources and memory'),
    tag('p', `Citations: ${packet.citations.join(', ') || 'none'}.`),
    table(
      'Similar plans',
      ['Plan', 'Similarity', 'Basis', 'Effect', 'Codes'],
      packet.memory.map((match) => [
        match.plan,
        match.similarity.toFixed(2),
        match.basis,
        match.effect,
        match.codes.join(', '),
      ]),
    ),
  )
}
