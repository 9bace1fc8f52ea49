// What a liquid's written name says: substances, hazard groups, strength, and whether anything in
// it is known at all. Concentration decides whether an acid is a reagent or a rinse (POL-03, 04).
import {
  harmlessNames,
  substances,
  type HazardGroup,
  type Substance,
} from '../lexicon/substances.ts'
import { ordinaryMaterials, unidentifiedMaterial } from '../lexicon/materials.ts'
import {
  groupOne,
  groupThree,
  groupTwo,
  neighbouringAgents,
  scheduledAgents,
} from '../lexicon/organisms.ts'
import { quantitiesOf } from './quantity.ts'
import { anyOf, matches, mentions, textUnit, type TextUnit } from './text.ts'

export type Liquid = {
  readonly raw: string
  readonly unit: TextUnit
  readonly substances: readonly Substance[]
  readonly groups: ReadonlySet<HazardGroup>
  /** Highest percentage and molarity written, null when none is. */
  readonly percent: number | null
  readonly molar: number | null
  /** Weak enough that heat of mixing and vapour are small. */
  readonly dilute: boolean
  /** Trace amounts, as preservatives are. */
  readonly trace: boolean
  readonly neutral: boolean
  /** At least one word of it is a known material, substance or organism. */
  readonly known: boolean
  readonly unidentified: boolean
}

// What each written name means; null for a look-alike that is consumed and means nothing.
const meaning = new Map<string, Substance | null>([
  ...harmlessNames.split('|').map((name) => [name, null] as const),
  ...substances.flatMap((one) => one.names.split('|').map((name) => [name, one] as const)),
])
const named = anyOf([...meaning.keys()].join('|'))

const organisms = [groupOne, groupTwo, groupThree, scheduledAgents, neighbouringAgents]
const aqueousWords = anyOf('water|buffer|pbs|saline|medium|media|broth|aqueous|tris|lysate')
const neutralWords = anyOf('neutral|neutralised|neutralized|ph 7|quenched')
const weakWords = anyOf('dilute|diluted|trace|traces|weak')

/** Substances of a unit; longest names first, so that "tris hcl" is consumed before "hcl". */
export function substancesOf(unit: TextUnit): Substance[] {
  const taken = new Set<number>()
  const found = new Set<Substance>()
  const longest = matches(unit, named).sort(
    (a, b) => b.pattern.words.length - a.pattern.words.length || a.start - b.start,
  )
  for (const { start, pattern } of longest) {
    const span = pattern.words.map((_, offset) => start + offset)
    if (span.some((i) => taken.has(i))) continue
    for (const i of span) taken.add(i)
    const substance = meaning.get(pattern.source)
    if (substance !== undefined && substance !== null) found.add(substance)
  }
  // "acid" alone says nothing beyond a named acid.
  const list = [...found]
  const specific = list.some((s) => s.groups.includes('acid') && s.id !== 'generic_acid')
  return specific ? list.filter((s) => s.id !== 'generic_acid') : list
}

/** Per cent below which a solution counts as dilute; an unknown strength is not dilute. */
function diluteBelow(groups: ReadonlySet<HazardGroup>): number {
  if (groups.has('peroxide')) return 3.1
  if (groups.has('flammable') || groups.has('halogenated')) return 10
  if (groups.has('aldehyde')) return 1
  return 2
}

function parse(raw: string): Liquid {
  const unit = textUnit(raw.replaceAll('_', ' '), { at: '', kind: 'name', node: null })
  const found = substancesOf(unit)
  const groups = new Set<HazardGroup>(found.flatMap((s) => s.groups))
  const quantities = quantitiesOf(unit.raw)
  const most = (kind: 'percent' | 'molar'): number | null => {
    const values = quantities.filter((q) => q.kind === kind).map((q) => q.high)
    return values.length === 0 ? null : Math.max(...values)
  }
  const percent = most('percent')
  const molar = most('molar')
  const neutral = mentions(unit, neutralWords)
  if (mentions(unit, aqueousWords) || percent !== null || molar !== null) groups.add('aqueous')
  if (neutral) for (const g of ['acid', 'base'] as const) groups.delete(g)
  const dilute =
    mentions(unit, weakWords) ||
    (molar !== null && molar <= 0.5) ||
    (percent !== null && percent <= diluteBelow(groups))
  const known =
    found.length > 0 ||
    mentions(unit, ordinaryMaterials) ||
    organisms.some((words) => mentions(unit, words))
  return {
    raw,
    unit,
    substances: found,
    groups,
    percent,
    molar,
    dilute,
    trace: percent !== null && percent <= 0.05,
    neutral,
    known,
    unidentified: mentions(unit, unidentifiedMaterial),
  }
}

/** Parses a liquid or labware name, once for each distinct string of a plan. */
export function liquidParser(): (raw: string) => Liquid {
  const cache = new Map<string, Liquid>()
  return (raw) => {
    const known = cache.get(raw)
    if (known !== undefined) return known
    const made = parse(raw)
    cache.set(raw, made)
    return made
  }
}
