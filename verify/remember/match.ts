// Whether a new plan is close to a remembered failure, by walking from the plan's entities over the
// memory's edges. Pure over rows that the adapter fetched; scope and poisoning rules are here.
import type { MemoryMatch } from '../../protocol/memory.ts'
import { planCodesOfPlanner, type MemoryNote } from './note.ts'

/** Shared share of all features at which two plans count as close. */
export const closeShare = 0.5
/** Share of the failure's own features that the new plan must have as well. */
export const culpritShare = 0.6

export type NewPlan = {
  readonly plan: string
  readonly planner: string
  readonly owner: string
  readonly plan_digest: string
  readonly features: readonly string[]
  /** Codes that any check or judge found in the new plan, at whatever level. */
  readonly codes: readonly string[]
  /** Codes with which the floor or the graph rules raise the new plan by themselves. */
  readonly raised: readonly string[]
  /** Plan ids that the new plan descends from through `supersedes`. */
  readonly lineage: readonly string[]
  /** Weight per feature: rare features say more; 1 when unknown. */
  readonly weight: (feature: string) => number
}

/** What was fetched for one plan, before anybody has found anything in it. */
export type Recalled = {
  readonly memories: readonly MemoryNote[]
  readonly plan: Omit<NewPlan, 'codes' | 'raised'>
}

/** Share of all features at which a plan counts as the same, when no place in it was to blame. */
const copyShare = 0.8

const sum = (features: Iterable<string>, weight: (f: string) => number): number => {
  let total = 0
  for (const feature of features) total += weight(feature)
  return total
}

/** Weighted Jaccard similarity of two feature sets, in [0, 1]. */
export function similarity(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
  weight: (f: string) => number,
): number {
  const shared = [...a].filter((feature) => b.has(feature))
  const union = new Set([...a, ...b])
  const total = sum(union, weight)
  return total === 0 ? 0 : sum(shared, weight) / total
}

const holdsAll = (have: ReadonlySet<string>, wanted: readonly string[]): boolean =>
  wanted.every((feature) => have.has(feature))

/**
 * True when somebody besides the owner of the run bears it out that this node fails: a run of another
 * owner that failed in a node of the very same features, or a person's word about them.
 */
function isBorneOut(memory: MemoryNote, all: readonly MemoryNote[]): boolean {
  const node = new Set(memory.culprits)
  return all.some((other) => {
    if (other.kind !== 'failure' || other.id === memory.id) return false
    if (!holdsAll(new Set(other.culprits), memory.culprits)) return false
    if (other.basis === 'person') return true
    const elsewhere = other.basis === 'execution' && other.owner !== memory.owner
    return elsewhere && holdsAll(node, other.culprits)
  })
}

/** True when the failure may speak about plans of this planner. `all` are the memories around it. */
function inScope(memory: MemoryNote, plan: NewPlan, all: readonly MemoryNote[]): boolean {
  if (memory.planner === plan.planner || memory.owner === plan.owner) return true
  if (memory.basis === 'models') return false
  // Another's failure speaks only where the new plan shows the same kind of finding, or where a device
  // really failed in the very same call and not for one owner alone: neither near-copies of a good
  // protocol nor calls made to fail can turn memory against it.
  if (memory.basis === 'execution') {
    const { culprits } = memory
    if (culprits.length === 0 || !holdsAll(new Set(plan.features), culprits)) return false
    return isBorneOut(memory, all)
  }
  const found = memory.basis === 'floor' ? plan.raised : plan.codes
  return memory.codes.some((code) => !planCodesOfPlanner.has(code) && found.includes(code))
}

/**
 * True when a later version of the same lineage shows nothing any more of what was wrong. A failure
 * without codes, one of a device, or an unchanged plan cannot be shown to be mended.
 */
function isMended(memory: MemoryNote, plan: NewPlan): boolean {
  return plan.lineage.includes(memory.plan) && isGone(memory, plan)
}

function isGone(memory: MemoryNote, plan: NewPlan): boolean {
  if (memory.plan_digest === plan.plan_digest) return false
  if (memory.basis === 'execution' || memory.codes.length === 0) return false
  return memory.codes.every((code) => !plan.codes.includes(code))
}

/** Compares one memory with the new plan; null when they have nothing to do with each other. */
function matchOne(
  memory: MemoryNote,
  plan: NewPlan,
  all: readonly MemoryNote[],
): MemoryMatch | null {
  if (memory.kind !== 'failure' || memory.plan === plan.plan) return null
  if (!inScope(memory, plan, all)) return null
  const have = new Set(plan.features)
  const then = new Set(memory.features)
  const exact = memory.plan_digest === plan.plan_digest
  const close = exact ? 1 : similarity(have, then, plan.weight)
  const { culprits } = memory
  const met = culprits.filter((feature) => have.has(feature))
  const share =
    culprits.length === 0 ? 1 : sum(met, plan.weight) / Math.max(1e-9, sum(culprits, plan.weight))
  const mended = isMended(memory, plan)
  // A failure of text alone has no features of its own; then only a close copy is meant.
  const isClose = close >= (culprits.length === 0 ? copyShare : closeShare)
  const blamed = exact || share >= culpritShare || plan.lineage.includes(memory.plan)
  if (!mended && !(isClose && blamed)) return null
  // The same rule has looked at the same kind of arguments and found nothing.
  if (!mended && memory.exact && isGone(memory, plan)) return null
  return {
    memory: memory.id,
    plan: memory.plan,
    basis: memory.basis,
    similarity: Math.min(1, Math.max(0, close)),
    via: (met.length > 0 ? met : [...have].filter((f) => then.has(f)))
      .slice(0, 20)
      .map((f) => f.slice(0, 120)),
    codes: [...memory.codes].slice(0, 20),
    effect: mended ? 'told' : 'escalates',
  }
}

/** All matches, the closest first; at most 50. */
export function matchAll(memories: readonly MemoryNote[], plan: NewPlan): MemoryMatch[] {
  return memories
    .flatMap((memory) => matchOne(memory, plan, memories) ?? [])
    .sort((a, b) => b.similarity - a.similarity || (a.memory < b.memory ? -1 : 1))
    .slice(0, 50)
}
