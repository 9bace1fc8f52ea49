// Seeds every kind of fault into plans that rules accept, and counts what floor, dry run and rules say of
// them: stopped (a breach), held (an unknown or a doubt), or nothing.
import type { Site } from '../../local/demo-site.ts'
import { judgeAlone, type RulesAlone } from '../rules-alone.ts'
import type { Case } from '../rows.ts'
import { Draft, randomFrom } from './draft.ts'
import { controlKinds, faultKinds, withVendorKinds, type FaultKind, type Oracle } from './kinds.ts'
import { mechanisms } from './mechanisms.ts'

export type Outcome = 'stopped' | 'held' | 'missed'

export type KindRow = {
  readonly id: string
  readonly oracle: Oracle
  readonly seeded: number
  readonly stopped: number
  /** Of the stopped ones: by the dry run, or by a limit of the site file at the door. */
  readonly by_dry_run: number
  readonly held: number
  readonly missed: number
  /** What the first that was not stopped was held by, and the plan that it was seeded into. */
  readonly stops: { readonly plan: string; readonly by: string[] } | null
  readonly example: { readonly plan: string; readonly held_by: string[] } | null
}

export type FaultsDocument = {
  readonly seed: number
  readonly kinds: number
  readonly seeded: number
  readonly stopped: number
  readonly by_dry_run: number
  readonly held: number
  readonly missed: number
  readonly by_oracle: Readonly<Record<string, { seeded: number; stopped: number; held: number }>>
  readonly rows: readonly KindRow[]
  /** Changes without a fault; `by_dry_run` must be 0 for each of them. */
  readonly controls: readonly KindRow[]
  readonly unchanged: {
    readonly n: number
    readonly stopped: { readonly id: string; readonly by: string[] }[]
    /** Held plans with what is missing. */
    readonly held: { readonly id: string; readonly by: string[]; readonly missing: string[] }[]
  }
}

export const outcomeOf = ({ stopped_by, held_by }: RulesAlone): Outcome =>
  stopped_by.length > 0 ? 'stopped' : held_by.length > 0 ? 'held' : 'missed'

const physical = /^(?:DRYRUN_|SITE_RULE_BROKEN$)/

type Judge = ReturnType<typeof judgeAlone>
type Accepted = { readonly item: Case; readonly found: RulesAlone }

async function seedKind(
  judge: Judge,
  kind: FaultKind,
  bases: readonly Accepted[],
  given: { readonly seed: number; readonly each: number },
): Promise<KindRow> {
  const random = randomFrom(given.seed)
  const order = bases
    .map((base) => ({ base, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ base }) => base)
  const counts = { seeded: 0, stopped: 0, by_dry_run: 0, held: 0, missed: 0 }
  let example: KindRow['example'] = null
  let stops: KindRow['stops'] = null
  for (const { item } of order) {
    if (counts.seeded >= given.each) break
    const draft = new Draft(item)
    if (!mechanisms[kind.mechanism](draft, kind.params, random)) continue
    const found = await judge({ plan: draft.plan(), planner: item.planner, state: draft.state() })
    const outcome = outcomeOf(found)
    counts.seeded += 1
    counts[outcome] += 1
    const { invalid, stopped_by, held_by } = found
    if (outcome !== 'stopped') example ??= { plan: item.id, held_by }
    else if (invalid || stopped_by.some((code) => physical.test(code))) {
      counts.by_dry_run += 1
      stops ??= { plan: item.id, by: stopped_by }
    }
  }
  return { id: kind.id, oracle: kind.oracle, ...counts, stops, example }
}

/** What a held plan lacks, in words: the facts of its unknowns, the questions of its doubts. */
function missingOf({ evidence, floor }: RulesAlone): string[] {
  const facts = evidence.unknowns.map(
    ({ code, at, facts: about }) => `${code} ${at} ${JSON.stringify(about)}`,
  )
  const asked = evidence.doubts.map(({ code, subject }) => `${code} ${subject}`)
  const words = (floor?.findings ?? []).map(({ code, at }) => `${code} ${at ?? ''}`)
  return [...new Set([...facts, ...asked, ...words])]
}

/**
 * Seeds `each` faults of every kind into the plans labelled `accept` that rules let pass.
 * Pure but for the judging: the same seed gives the same document.
 */
export async function seedFaults(
  { registry, proven }: Pick<Site, 'registry' | 'proven'>,
  cases: readonly Case[],
  given: { readonly seed: number; readonly each: number },
): Promise<FaultsDocument> {
  const judge = judgeAlone(withVendorKinds(registry), proven)
  const accepted: Accepted[] = []
  const unchanged: Omit<FaultsDocument['unchanged'], 'n'> = { stopped: [], held: [] }
  const labelled = cases.filter(({ label }) => label === 'accept')
  for (const item of labelled) {
    const found = await judge(item)
    const outcome = outcomeOf(found)
    if (outcome === 'missed') accepted.push({ item, found })
    if (outcome === 'stopped') unchanged.stopped.push({ id: item.id, by: found.stopped_by })
    if (outcome === 'held') {
      unchanged.held.push({ id: item.id, by: found.held_by, missing: missingOf(found) })
    }
  }
  const all = async (kinds: readonly FaultKind[]): Promise<KindRow[]> => {
    const made: KindRow[] = []
    for (const [i, kind] of kinds.entries()) {
      made.push(await seedKind(judge, kind, accepted, { ...given, seed: given.seed * 1_009 + i }))
    }
    return made
  }
  const rows = await all(faultKinds())
  const controls = await all(controlKinds())
  const sum = (of: (row: KindRow) => number): number => rows.reduce((n, row) => n + of(row), 0)
  const by_oracle: Record<string, { seeded: number; stopped: number; held: number }> = {}
  for (const row of rows) {
    const into = (by_oracle[row.oracle] ??= { seeded: 0, stopped: 0, held: 0 })
    into.seeded += row.seeded
    into.stopped += row.stopped
    into.held += row.held
  }
  return {
    seed: given.seed,
    kinds: rows.length,
    seeded: sum((row) => row.seeded),
    stopped: sum((row) => row.stopped),
    by_dry_run: sum((row) => row.by_dry_run),
    held: sum((row) => row.held),
    missed: sum((row) => row.missed),
    by_oracle,
    rows,
    controls,
    unchanged: { ...unchanged, n: labelled.length },
  }
}
