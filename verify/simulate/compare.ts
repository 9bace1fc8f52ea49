// The dry run at bind against the one that was shown: no finding outside, no value wider. A difference
// sends the plan back to a person.
import type { StandingRefusal } from '../../protocol/standing.ts'
import type { Interval } from '../read/scene.ts'
import { add, inside } from './interval.ts'
import type { Content, FactChange, FactValue, Trace, TraceFinding } from './trace.ts'

export type Difference =
  | { readonly kind: 'steps'; readonly at: string }
  | { readonly kind: 'finding'; readonly at: string; readonly code: string }
  /** A finding that was an unknown is now a fact, or now rejects. */
  | { readonly kind: 'finding_worse'; readonly at: string; readonly code: string }
  | { readonly kind: 'wider'; readonly at: string; readonly thing: string; readonly fact: string }
  /** What was sure to change does not change any more. */
  | { readonly kind: 'gone'; readonly at: string; readonly thing: string; readonly fact: string }
  | { readonly kind: 'left_on'; readonly at: ''; readonly thing: string; readonly fact: string }
  /** A value of a run that may not stand in its hole. */
  | { readonly kind: 'value'; readonly at: ''; readonly name: string }
  /** The standing approval that a plan rests on does not cover it. */
  | { readonly kind: 'standing'; readonly at: ''; readonly why: StandingRefusal }

const severity = (f: TraceFinding): number =>
  f.kind === 'unknown' ? 1 : f.verdict === 'escalate' ? 2 : 3

/** Whether everything that `now` allows was already allowed by `shown`. */
function covered(now: FactValue | null, shown: FactValue | null): boolean {
  // Shown as not known: any value was in view.
  if (shown === null) return true
  if (now === null) return false
  if (now.kind === 'quantity' && shown.kind === 'quantity') {
    return now.unit === shown.unit && inside(now.value, shown.value)
  }
  if (now.kind === 'flag' && shown.kind === 'flag') {
    return shown.value === null || now.value === shown.value
  }
  if (now.kind === 'word' && shown.kind === 'word') {
    return shown.value === null || now.value === shown.value
  }
  if (now.kind === 'contents' && shown.kind === 'contents') {
    return contentsCovered(now.value, shown.value)
  }
  return false
}

const keyOf = (c: Content): string =>
  `${c.substance.ids.join('+') || c.substance.raw}@${c.drawn_from ?? ''}`

function contentsCovered(
  now: readonly Content[] | null,
  shown: readonly Content[] | null,
): boolean {
  if (shown === null) return true
  if (now === null) return false
  const there = new Map(now.map((c) => [keyOf(c), c.volume]))
  const was = new Map(shown.map((c) => [keyOf(c), c.volume]))
  const arrived = now.every((c) => {
    const volume = was.get(keyOf(c))
    return volume !== undefined && inside(c.volume, volume)
  })
  // What was shown to be there for sure is still there.
  return arrived && shown.every((c) => c.volume.lo <= 0 || there.has(keyOf(c)))
}

/** By how much a step changes something, whatever there was before. */
const changeOf = (before: Interval, after: Interval): Interval => {
  const [a, b] = [after.lo - before.lo, after.hi - before.hi]
  return { lo: Math.min(a, b), hi: Math.max(a, b) }
}

const nothing: Interval = { lo: 0, hi: 0 }

function contentsMoved(now: FactChange, shown: FactChange): boolean {
  const [was, is] = [contentsOf(shown), contentsOf(now)]
  if (was === null || is === null) return was === null
  return [...is].every(([key, { before, after }]) => {
    const moved = was.get(key)
    if (moved === undefined) return false
    return inside(changeOf(before, after), changeOf(moved.before, moved.after))
  })
}

const substanceOf = ({ substance }: Content): string => substance.ids.join('+') || substance.raw

/**
 * Substance → how much of it before and after; null: not known. Where it was drawn from is forgotten between
 * runs: the same substance from the step before and from the run before is one.
 */
function contentsOf({ before, after }: FactChange) {
  if (before?.kind !== 'contents' || after?.kind !== 'contents') return null
  if (before.value === null || after.value === null) return null
  const out = new Map<string, { before: Interval; after: Interval }>()
  const both = (c: Content, more: Partial<{ before: Interval; after: Interval }>): void => {
    const known = out.get(substanceOf(c)) ?? { before: nothing, after: nothing }
    out.set(substanceOf(c), {
      before: add(known.before, more.before ?? nothing),
      after: add(known.after, more.after ?? nothing),
    })
  }
  for (const c of before.value) both(c, { before: c.volume })
  for (const c of after.value) both(c, { after: c.volume })
  return out
}

/**
 * Whether a step does no more than what was shown, from wherever it starts: it ends inside of what was
 * shown, or changes an amount by no more. What may follow from another start is for rules to say, and they
 * have run over it.
 */
function sameEffect(now: FactChange, shown: FactChange): boolean {
  if (covered(now.after, shown.after)) return true
  const [from, to, was, became] = [now.before, now.after, shown.before, shown.after]
  if (from?.kind === 'quantity' && to?.kind === 'quantity') {
    if (was?.kind !== 'quantity' || became?.kind !== 'quantity') return false
    if (to.unit !== became.unit || from.unit !== was.unit) return false
    return inside(changeOf(from.value, to.value), changeOf(was.value, became.value))
  }
  return contentsMoved(now, shown)
}

const asShown = (now: FactChange, shown: FactChange): boolean =>
  covered(now.before, shown.before) && covered(now.after, shown.after)

const placeOf = (change: FactChange, nth: number): string =>
  `${change.thing}|${change.part ?? ''}|${change.fact}|${nth}`

/** Changes of one step by thing, part and fact, and by how often each was changed before in it. */
function byPlace(changes: readonly FactChange[]): Map<string, FactChange> {
  const counts = new Map<string, number>()
  const out = new Map<string, FactChange>()
  for (const change of changes) {
    const key = `${change.thing}|${change.part ?? ''}|${change.fact}`
    const nth = counts.get(key) ?? 0
    counts.set(key, nth + 1)
    out.set(placeOf(change, nth), change)
  }
  return out
}

/**
 * Differences that a person must see; none: what was decided still holds. `states`: no value is wider than
 * what was shown; `effects`: no step does more, from whatever there is before it.
 */
export function compareTraces(
  shown: Trace,
  now: Trace,
  by: 'states' | 'effects' = 'states',
): { readonly ok: true } | { readonly ok: false; readonly differences: readonly Difference[] } {
  const out: Difference[] = []
  const same = by === 'states' ? asShown : sameEffect
  if (shown.steps.length !== now.steps.length) out.push({ kind: 'steps', at: '' })
  for (const [i, step] of now.steps.entries()) {
    const before = shown.steps[i]
    if (before?.node !== step.node) {
      out.push({ kind: 'steps', at: step.at })
      continue
    }
    const was = byPlace(before.changes)
    const is = byPlace(step.changes)
    for (const [place, { thing, fact, before: from, after }] of was) {
      // Where it may have been so already, nothing that was shown is missing.
      if (is.has(place) || covered(after, from)) continue
      out.push({ kind: 'gone', at: step.at, thing, fact })
    }
    for (const [place, change] of is) {
      const old = was.get(place)
      const fits = old !== undefined && same(change, old)
      if (!fits) out.push({ kind: 'wider', at: step.at, thing: change.thing, fact: change.fact })
    }
  }
  out.push(...newFindings(shown.findings, now.findings))
  const left = new Set(shown.left_on.map((l) => `${l.thing}|${l.fact}`))
  for (const { thing, fact } of now.left_on) {
    if (!left.has(`${thing}|${fact}`)) out.push({ kind: 'left_on', at: '', thing, fact })
  }
  return out.length === 0 ? { ok: true } : { ok: false, differences: out }
}

function newFindings(
  shown: readonly TraceFinding[],
  now: readonly TraceFinding[],
): readonly Difference[] {
  const worst = new Map<string, number>()
  for (const f of shown) {
    const key = `${f.code}|${f.at}|${f.rule ?? ''}`
    worst.set(key, Math.max(worst.get(key) ?? 0, severity(f)))
  }
  return now.flatMap((f): Difference[] => {
    const was = worst.get(`${f.code}|${f.at}|${f.rule ?? ''}`)
    if (was === undefined) return [{ kind: 'finding', at: f.at, code: f.code }]
    return severity(f) > was ? [{ kind: 'finding_worse', at: f.at, code: f.code }] : []
  })
}
