// The dry run at bind against the one that was shown: no finding outside, no value wider. A difference
// sends the plan back to a person.
import { inside } from './interval.ts'
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

/** Differences that a person must see; none: what was decided still holds. */
export function compareTraces(
  shown: Trace,
  now: Trace,
): { readonly ok: true } | { readonly ok: false; readonly differences: readonly Difference[] } {
  const out: Difference[] = []
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
      const fits =
        old !== undefined && covered(change.before, old.before) && covered(change.after, old.after)
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
