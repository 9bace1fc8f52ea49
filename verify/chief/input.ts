// The chief's input: structured claims only. Enums, pseudonyms for nodes and judges, graph ids that
// were in the context, and bounded claims without the plan's language that also pass the injection
// screen. The chief cannot be told anything by the plan, because nothing of the plan is here.
import { maySettle, type Answer, type Evidence } from '../../protocol/evidence.ts'
import type { Floor } from '../../protocol/finding.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import type { MemoryMatch } from '../../protocol/memory.ts'
import type { Opinion } from '../../protocol/opinion.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { Verdict } from '../../protocol/verdict.ts'
import { citationKind } from '../panel/citation.ts'
import { citableIds, ruleId, type Knowledge } from '../panel/context.ts'
import { forbiddenOf, quotes, vocabularyTexts, type Forbidden } from './forbidden.ts'
import { redact } from './redact.ts'
import { chiefFixedTexts } from './prompt.ts'

/** True when a text may be shown to a model; the injection screen, handed in. */
export type ClaimScreen = (text: string) => boolean

export type ChiefSource = {
  readonly plan: Plan
  readonly registry: Registry
  readonly knowledge: Knowledge
  readonly floor: Floor
  readonly memory: readonly MemoryMatch[]
  readonly evidence: Evidence
  readonly opinions: readonly Opinion[]
  /** What the rule over the panel gives without a chief. */
  readonly panelVerdict: Verdict
  readonly screen: ClaimScreen
}

export type ChiefInput = {
  /** The structured claims; nothing in it comes from the plan. */
  readonly claims: JsonValue
  /** Judge names by pseudonym, to read the weights back. */
  readonly judges: ReadonlyMap<string, string>
  readonly forbidden: Forbidden
}

const two = (n: number): number => Math.round(n * 100) / 100

/** `/nodes/3/args/rpm` → `N4`; arguments and depth are not told, they could spell something. */
function pseudonym(at: string, plan: Plan): string {
  const [, kind, index] = /^\/(nodes|instructions)\/(\d{1,3})(?:\/|$)/.exec(at) ?? []
  const n = Number(index)
  if (kind === 'nodes' && n < plan.nodes.length) return `N${n + 1}`
  if (kind === 'instructions' && n < plan.instructions.length) return `I${n + 1}`
  return at.startsWith('/goal') ? 'GOAL' : 'PLAN'
}

/** A judge's claims, each redacted and screened; all of them gone if together they spell the plan. */
function cleanTexts(
  texts: readonly string[],
  forbidden: Forbidden,
  screen: ClaimScreen,
): { texts: string[]; withheld: number } {
  let withheld = 0
  const clean = texts.map((text) => {
    const { text: left, redacted } = redact(text, forbidden, limits.chiefClaimCharsMax)
    const shown = left !== '' && screen(left) ? left : ''
    if (redacted || shown !== left) withheld += 1
    return shown
  })
  const together = clean.join('')
  const whole = clean.filter((text) => text !== '').join(' ')
  if (spells(together, forbidden) || spells(whole, forbidden) || !screen(whole)) {
    return { texts: clean.map(() => ''), withheld: texts.length }
  }
  return { texts: clean, withheld }
}

const spells = (text: string, forbidden: Forbidden): boolean =>
  // Joining makes long words; only quotations count here.
  quotes(text.replaceAll(/(\S{24})/g, '$1 '), forbidden)

function judgeClaims(
  opinion: Opinion,
  name: string,
  source: ChiefSource,
  known: { readonly forbidden: Forbidden; readonly citable: ReadonlySet<string> },
): JsonValue {
  const findings = opinion.findings.slice(0, 20)
  const steps = opinion.reasoning.slice(0, limits.chiefStepsMax)
  const { texts, withheld } = cleanTexts(
    [...findings.map((f) => f.claim), ...steps],
    known.forbidden,
    source.screen,
  )
  return {
    judge: name,
    outcome: opinion.outcome,
    verdict: opinion.verdict,
    confidence: two(opinion.confidence),
    concern: opinion.concern,
    risk: two(opinion.risk),
    findings: findings.map((f, i) => ({
      code: f.code,
      concern: f.concern,
      place: pseudonym(f.at, source.plan),
      severity: f.severity,
      likelihood: two(f.likelihood),
      substantiated: f.substantiated,
      cites: f.cites.filter((id) => known.citable.has(id)),
      unknown_cites: f.cites.filter((id) => !known.citable.has(id)).length,
      claim: texts[i] ?? '',
    })),
    reasoning: texts.slice(findings.length).filter((text) => text !== ''),
    texts_withheld: withheld,
  }
}

/** How each judge answered one doubt; what it cited is told by its kind, never by the plan's names. */
function answersTo(
  doubt: number,
  opinions: readonly Opinion[],
  citable: ReadonlySet<string>,
): JsonValue {
  return opinions.map((opinion, i) => {
    const said: Answer | undefined = opinion.answers.find((answer) => answer.doubt === doubt)
    const citation = said?.citation ?? null
    return {
      judge: `J${i + 1}`,
      answer: opinion.outcome === 'answered' ? (said?.answer ?? 'open') : 'open',
      evidence: citation === null ? 'none' : citationKind(citation),
      cites: citation !== null && citable.has(citation) ? [citation] : [],
    }
  })
}

/** Breaches, unknowns and doubts: codes and pseudonyms, and our own sentences after redaction. */
function evidenceClaims(
  source: ChiefSource,
  opinions: readonly Opinion[],
  known: { readonly forbidden: Forbidden; readonly citable: ReadonlySet<string> },
): Record<string, JsonValue> {
  const { evidence, plan } = source
  const unknowns = evidence.unknowns.slice(0, 40)
  const doubts = evidence.doubts.slice(0, 40)
  const { texts } = cleanTexts(
    [...unknowns.map((one) => one.what), ...doubts.map((one) => one.text)],
    known.forbidden,
    source.screen,
  )
  return {
    breaches: evidence.breaches.slice(0, 40).map((breach) => ({
      code: breach.code,
      effect: breach.verdict,
      place: pseudonym(breach.at, plan),
      // A rule's id counts only as one of the site's own.
      cites: [ruleId(breach.rule ?? '')].filter((id) => known.citable.has(id)),
    })),
    unknown: unknowns.map((one, i) => ({
      code: one.code,
      place: pseudonym(one.at, plan),
      what: texts[i] ?? '',
    })),
    doubts: doubts.map((doubt, i) => ({
      doubt: `D${doubt.id}`,
      code: doubt.code,
      family: doubt.family,
      place: pseudonym(doubt.subject, plan),
      for_judges: maySettle(doubt),
      question: texts[unknowns.length + i] ?? '',
      answers: answersTo(doubt.id, opinions, known.citable),
    })),
  }
}

/** Builds the chief's input. The order of the judges is by name, so that it cannot carry anything. */
export function chiefInput(source: ChiefSource): ChiefInput {
  const { plan, registry, knowledge, floor } = source
  const forbidden = forbiddenOf(plan, () => vocabularyTexts(registry, knowledge), chiefFixedTexts())
  const citable = citableIds(knowledge, registry)
  const sorted = [...source.opinions].sort((a, b) => (a.judge < b.judge ? -1 : 1))
  const judges = new Map(sorted.map((opinion, i) => [`J${i + 1}`, opinion.judge]))
  const byName = new Map(registry.tools.map((tool) => [tool.name, tool]))
  const cited = new Set(sorted.flatMap((o) => o.findings.flatMap((f) => f.cites)))
  const claims: JsonValue = {
    panel_verdict: source.panelVerdict,
    judges: sorted.map((opinion, i) =>
      judgeClaims(opinion, `J${i + 1}`, source, { forbidden, citable }),
    ),
    ...evidenceClaims(source, sorted, { forbidden, citable }),
    nodes: plan.nodes.map((node, i) => {
      const tool = byName.get(node.tool)
      return {
        node: `N${i + 1}`,
        tool: tool?.name ?? 'unknown',
        risk_class: tool?.risk_class ?? 'unknown',
      }
    }),
    instructions: plan.instructions.length,
    checks: {
      level: floor.level,
      advisory: floor.sigma >= floor.tau_advisory,
      findings: floor.findings
        .slice(0, 40)
        .map((f) => ({ code: f.code, effect: f.effect, place: pseudonym(f.at, plan) })),
    },
    memory: source.memory.map((m) => ({
      basis: m.basis,
      effect: m.effect,
      similarity: two(m.similarity),
      codes: m.codes.filter((code) => /^[A-Z_]{3,60}$/.test(code)),
    })),
    knowledge: knowledge.nodes
      .filter((node) => cited.has(node.id))
      .slice(0, 40)
      .map((node) => ({ id: node.id, category: node.category, title: node.title })),
  }
  return { claims, judges, forbidden }
}
