// The injection screen over every text of the plan that a model may read: goal, instructions, all strings
// and keys of the arguments, and the names that the planner chose. Texts go in canonical order, so that an instruction split over nodes reads in one piece
// whatever the order of the array.
import type { Finding } from '../../protocol/finding.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { policySchema } from '../../protocol/policy.ts'
import type { ToolEntry } from '../../protocol/registry.ts'
import { defaultInjectionLibrary, screenTexts } from './injection/index.ts'
import type { Category, InjectionResult, ScreenText } from './injection/types.ts'
import { guardReader, type Spoken } from './guards.ts'
import { report } from './report.ts'
import type { Scene } from './scene.ts'
import { thresholdsOf, type Thresholds } from './thresholds.ts'
import { keptFor } from '../lexicon/remembered.ts'

/** The site's words in a tool's own schema, in which a planner says nothing. */
type Listed = { readonly values: ReadonlySet<string>; readonly keys: ReadonlySet<string> }

const nothingListed: Listed = { values: new Set(), keys: new Set() }

const listedBy = keptFor((tool: ToolEntry): Listed => {
  const found = { values: new Set<string>(), keys: new Set<string>() }
  collectListed(tool.args_schema, found)
  return found
})

function collectListed(
  schema: JsonValue,
  out: { readonly values: Set<string>; readonly keys: Set<string> },
): void {
  if (schema === null || typeof schema !== 'object') return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'enum' && Array.isArray(value)) {
      for (const item of value as readonly JsonValue[]) {
        if (typeof item === 'string') out.values.add(item)
      }
      continue
    }
    if (key === 'properties' && value !== null && typeof value === 'object') {
      for (const name of Object.keys(value)) out.keys.add(name)
    }
    collectListed(value, out)
  }
}

/** Every text of the plan with its pointer. Keys of arguments are text too. */
export function textsOf(scene: Scene): ScreenText[] {
  const out: ScreenText[] = scene.prose.map(({ at, text }) => ({ at, text }))
  for (const { leaves, tool } of scene.nodes) {
    const keys = new Set<string>()
    const { values, keys: named } = tool === undefined ? nothingListed : listedBy(tool)
    for (const { at, key, value } of leaves) {
      // The usual keys are identifiers of the tool's own schema; any other is the planner's word.
      if (!named.has(key) && !keys.has(key)) out.push({ at, text: key })
      keys.add(key)
      if (typeof value !== 'string' || value === '' || values.has(value)) continue
      out.push({ at, text: value })
    }
  }
  return [...out, ...namesOf(scene)]
}

/**
 * Names that the planner writes as it likes. A judge reads them like any other word, whatever their
 * spelling: the screen's reader splits `likeThis` and LIKE_THIS. They come last and one after the other,
 * so that a sentence over several ids is read in one piece and no text in between is torn apart.
 */
function namesOf({ plan, nodes }: Scene): ScreenText[] {
  const ids = new Set(plan.nodes.map(({ id }) => id))
  const ofPlan: [string, string | undefined][] = [
    ['/planner/id', plan.planner.id],
    ['/planner/model', plan.planner.model],
    ['/agent', plan.agent],
    ['/supersedes', plan.supersedes],
  ]
  return [
    ...nodes.map(({ at, node }) => ({ at: `${at}/id`, text: node.id })),
    ...nodes.flatMap(({ at, node }) =>
      node.depends_on
        .map((text, i) => ({ at: `${at}/depends_on/${i}`, text }))
        .filter(({ text }) => !ids.has(text)),
    ),
    ...nodes.flatMap(({ at, node }) =>
      node.sandbox === null ? [] : [{ at: `${at}/sandbox`, text: node.sandbox }],
    ),
    // A tool that the registry has is the site's word.
    ...nodes.flatMap(({ at, node, tool }) =>
      tool === undefined ? [{ at: `${at}/tool`, text: node.tool }] : [],
    ),
    ...ofPlan.flatMap(([at, text]) => (text === undefined ? [] : [{ at, text }])),
  ]
}

/** At most this many hits become findings; σ already counts them all. */
const findingsMax = 5

/** r over some categories: 1 − Π(1 − weight), each pattern counted once at its best. */
function evidence(result: InjectionResult, counts: (category: Category) => boolean): number {
  const best = new Map<string, number>()
  for (const { pattern, category, weight } of result.hits) {
    if (counts(category)) best.set(pattern, Math.max(weight, best.get(pattern) ?? 0))
  }
  let miss = 1
  for (const weight of best.values()) miss *= 1 - weight
  return 1 - miss
}

/** Evidence from which text is taken to speak to the verifier and not merely to quote. */
const addressedAt = 0.7

/** Text that addresses the verifier is refused; other instruction-like text goes to a person (POL-15). */
function warningEffect(result: InjectionResult): Finding['effect'] {
  const addressed = evidence(result, (category) => category === 'reviewer')
  return addressed >= addressedAt ? 'block' : 'flag'
}

function findingsOf(result: InjectionResult, thresholds: Thresholds): Finding[] {
  if (result.limit !== null) {
    return [report('INJECTION_LIMIT', 'flag', '', { bound: result.limit })]
  }
  if (result.level === 'pass') return []
  const warning = result.level === 'warning'
  const code = warning ? 'INJECTION_WARNING' : 'INJECTION_ADVISORY'
  const effect = warning ? warningEffect(result) : 'advisory'
  const tau = warning ? thresholds.warning : thresholds.advisory
  const sigma = Math.round(result.sigma * 1_000) / 1_000
  if (result.hits.length === 0) return [report(code, effect, '', { sigma, tau })]
  return result.hits
    .slice(0, findingsMax)
    .map(({ at, span, pattern, category, view }) =>
      report(code, effect, { at, span }, { sigma, tau, pattern, category, view }),
    )
}

/** Spans in the text as the planner wrote it, whatever the guards in it were read as. */
function inOwnText(result: InjectionResult, spoken: ReadonlyMap<string, Spoken>): InjectionResult {
  if (spoken.size === 0) return result
  const hits = result.hits.map((hit) => {
    const read = spoken.get(hit.at)
    if (read === undefined) return hit
    const [start, end] = hit.span
    return { ...hit, span: [read.origin(start), read.origin(end)] as [number, number] }
  })
  return { ...result, hits }
}

/** σ(T), the thresholds in force and what the screen found. */
export function checkInjection(scene: Scene): {
  readonly sigma: number
  readonly thresholds: Thresholds
  readonly findings: Finding[]
} {
  const thresholds = thresholdsOf(scene.snapshot.policy)
  const options = { library: defaultInjectionLibrary(), thresholds }
  const byNoun = guardReader(scene.snapshot.registry)
  const spoken = new Map<string, Spoken>()
  const texts = textsOf(scene).map((own) => {
    const read = byNoun(own.text)
    if (read === null) return own
    spoken.set(own.at, read)
    return { ...own, text: read.text }
  })
  const result = inOwnText(screenTexts(texts, options), spoken)
  return { sigma: result.sigma, thresholds, findings: findingsOf(result, thresholds) }
}

/** A description may well name its bypass switch or its bin; that speaks to nobody. */
const ownMatter: ReadonlySet<Category> = new Set(['safety-bypass', 'destruction'])

/** Evidence from which a text of the site is taken to instruct a model. */
const instructsAt = 0.6

/** Whether texts of a tool, a rule or a reference speak to a model (approval, not plans). */
export function carriesInstructions(texts: readonly string[]): boolean {
  const thresholds = thresholdsOf(policySchema.parse({}))
  const result = screenTexts(
    texts.map((text, i) => ({ at: `/${i}`, text })),
    { library: defaultInjectionLibrary(), thresholds },
  )
  if (result.limit !== null) return true
  if (result.level !== 'warning') return false
  return evidence(result, (category) => !ownMatter.has(category)) >= instructsAt
}
