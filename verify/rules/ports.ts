// What the dry run asks of words and chemistry: substances by name, and what may not meet.
import type { Registry } from '../../protocol/registry.ts'
import { incompatiblePairs } from '../lexicon/substances.ts'
import { substanceReader } from '../read/substances.ts'
import type { Vocabulary } from '../read/vocabulary.ts'
import type { Ports } from '../simulate/world.ts'

type Verdict = 'escalate' | 'reject'

/** Pairs by either group, so that a look-up costs the groups of one substance. */
const pairsOf = new Map<string, { readonly other: string; readonly verdict: Verdict }[]>()
for (const { a, b, ask } of incompatiblePairs) {
  const verdict: Verdict = ask === 'refuse' ? 'reject' : 'escalate'
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const known = pairsOf.get(one)
    if (known === undefined) pairsOf.set(one, [{ other, verdict }])
    else known.push({ other, verdict })
  }
}

/** The verdict of two sets of groups in one vessel; null: nothing forbids it. */
function meets(a: readonly string[], b: readonly string[] | null): Verdict | null {
  const found = a.flatMap((group) =>
    (pairsOf.get(group) ?? []).filter(({ other }) => b === null || b.includes(other)),
  )
  if (found.length === 0) return null
  return found.some(({ verdict }) => verdict === 'reject') ? 'reject' : 'escalate'
}

/** The ports of one site. */
export function portsOf(registry: Registry, vocabulary: Vocabulary): Ports {
  const reader = substanceReader(vocabulary.substances, registry.substances)
  return { meets, substance: (name) => reader.read(name) }
}
