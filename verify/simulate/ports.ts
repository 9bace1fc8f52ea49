// What a run asks of graph and lexicon: substances by their recorded names, and pairs that must not
// meet in one vessel.
import type { Registry } from '../../protocol/registry.ts'
import { incompatiblePairs, substanceLexicon } from '../lexicon/substances.ts'
import type { SubstanceRef } from '../read/scene.ts'
import { substanceReader } from '../read/substances.ts'
import type { Ports } from './world.ts'

type Verdict = 'escalate' | 'reject' | null

/** Per cent below which a solution is dilute, by group; a strength that nobody told is not dilute. */
const diluteBelow: readonly (readonly [group: string, percent: number])[] = [
  ['peroxide', 3.1],
  ['flammable', 10],
  ['halogenated', 10],
  ['aldehyde', 1],
]
const diluteBelowElse = 2
/** mol/L: half-molar acids and bases are rinses, not reagents. */
const diluteMolar = 0.5

function isDilute(s: SubstanceRef): boolean {
  if (s.molar !== null && s.molar <= diluteMolar) return true
  const row = diluteBelow.find(([group]) => s.groups.includes(group))
  return s.percent !== null && s.percent <= (row?.[1] ?? diluteBelowElse)
}

/** Half by weight, or nine molar; a strength that nobody told may be either. */
function isConcentrate(s: SubstanceRef): boolean {
  if (s.percent !== null) return s.percent >= 50
  return s.molar === null || s.molar >= 9
}

const worse = (a: Verdict, b: Verdict): Verdict =>
  a === 'reject' || b === 'reject' ? 'reject' : (a ?? b)

/** The verdict of the shipped table for two substances; `b` null: the worst partner of `a`. */
export function meetsByGroups(a: SubstanceRef, b: SubstanceRef | null): Verdict {
  let out: Verdict = null
  for (const pair of incompatiblePairs) {
    const verdict = pair.ask === 'refuse' ? 'reject' : 'escalate'
    const weak =
      pair.into === undefined &&
      pair.when === 'strong' &&
      (isDilute(a) || (b !== null && isDilute(b)))
    if (weak) continue
    const [x, other] = [a.groups.includes(pair.a), a.groups.includes(pair.b)]
    const y = pair.into === undefined && other
    // What holds both partners is that mixture already; only a concentrate boils when it is thinned.
    if (pair.into === 'b' && (other || b === null || !isConcentrate(b))) continue
    const meets =
      b === null ? x || y : (x && b.groups.includes(pair.b)) || (y && b.groups.includes(pair.a))
    if (meets) out = worse(out, verdict)
  }
  return out
}

/** The ports of a run at one site; the reader of names is compiled once for a registry. */
export function portsOf(registry: Registry): Ports {
  const { read } = substanceReader(substanceLexicon, registry.substances)
  return { meets: meetsByGroups, substance: read }
}
