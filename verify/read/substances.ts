// What the written name of a liquid or solid says. Every content word must be known before the whole
// is known: "in water" makes nothing safe, and a number of a catalogue that nobody resolved is no
// name. Strength decides whether an acid is a reagent or a rinse.
import type { Registry } from '../../protocol/registry.ts'
import { measuredOf } from '../../protocol/units.ts'
import type { SubstanceLexicon, SubstanceRow } from '../lexicon/substances.ts'
import { keptFor, keptForBoth, remembered } from '../lexicon/remembered.ts'
import { hitAt, meaningsAt, tokenise, wordsOf, type Hit, type Words } from '../lexicon/words.ts'
import { strengthOf } from './strength.ts'
import type { SubstanceRef } from './scene.ts'

type SiteSubstance = Registry['substances'][number]

type Meaning =
  | { readonly is: 'site'; readonly row: SiteSubstance }
  | { readonly is: 'substance'; readonly row: SubstanceRow }
  | {
      readonly is: 'organism'
      readonly id: string
      readonly risk: number | null
      readonly flag: string | null
    }
  | { readonly is: 'material'; readonly id: string; readonly groups: readonly string[] }
  | { readonly is: 'lookalike' | 'unidentified' | 'qualifier' }

type Index = {
  /** The site's own names; at equal length they stand before the shipped ones. */
  readonly site: Words<Meaning>
  readonly words: Words<Meaning>
  readonly cas: ReadonlyMap<string, SubstanceRow>
}

type Shipped = Pick<Index, 'words' | 'cas'>

const shippedIndex = keptFor((lexicon: SubstanceLexicon): Shipped => {
  const { substances, materials, organisms } = lexicon
  const list: (readonly [string, Meaning])[] = []
  const add = (names: readonly string[], meaning: Meaning): void => {
    for (const name of names) list.push([name, meaning])
  }
  add(substances.lookalikes.names, { is: 'lookalike' })
  for (const row of substances.rows) add(row.names, { is: 'substance', row })
  for (const row of organisms.rows) {
    const flag = row.scheduled ? 'scheduled' : row.needs_review ? 'needs_review' : null
    add(row.names, { is: 'organism', id: row.id, risk: row.risk_group ?? null, flag })
  }
  add(materials.unidentified.names, { is: 'unidentified' })
  for (const row of materials.rows) {
    add(row.names, { is: 'material', id: row.id, groups: row.groups })
  }
  add(materials.qualifiers.names, { is: 'qualifier' })
  const cas = new Map(
    substances.rows.flatMap((row) => (row.cas ?? []).map((n) => [n, row] as const)),
  )
  return { words: wordsOf(list), cas }
})

function siteWords(site: readonly SiteSubstance[]): Words<Meaning> {
  return wordsOf(
    site.flatMap((row) =>
      [row.id, ...row.names].map(
        (name) => [tokenise(name).join(' '), { is: 'site', row }] as const,
      ),
    ),
  )
}

/** What the longest name at a place means, to the site and to the lists; a look-alike means nothing. */
function namesAt(
  tokens: readonly string[],
  at: number,
  index: Index,
): Hit<readonly Meaning[]> | null {
  const found = [meaningsAt(tokens, at, index.site), meaningsAt(tokens, at, index.words)]
  const length = Math.max(0, ...found.map((hit) => hit?.length ?? 0))
  if (length === 0) return null
  const means = found.flatMap((hit) => (hit?.length === length ? hit.means : []))
  const alike = means.filter(({ is }) => is === 'lookalike')
  return { start: at, length, means: alike.length > 0 ? alike : means }
}

const celsius = (text: string | undefined): number | null => {
  const measured = text === undefined ? null : measuredOf(text)
  return measured?.dim === 'temperature' ? measured.value : null
}

/** A number, a strength or a count of folds says nothing about what it is. */
const noName = /^[\d.,]+$|^\d+(?:\.\d+)?(?:x|fold|m|mm|um|nm|n|ml|ul|l|g|mg|kg|u|iu|c|pct|min|h|s)$/

type Found = {
  readonly ids: Set<string>
  readonly groups: Set<string>
  readonly hazards: Set<string>
  readonly boils: number[]
  readonly flash: number[]
  human: boolean
  risk: number | null
  controlled: boolean
  unidentified: boolean
  /** A word that names something, not only describes it. */
  named: boolean
}

function takeSubstance(found: Found, row: SubstanceRow): void {
  found.ids.add(row.id)
  for (const group of row.groups) found.groups.add(group)
  for (const hazard of row.hazards) found.hazards.add(hazard)
  const [boils, flash] = [celsius(row.boils), celsius(row.flash)]
  if (boils !== null) found.boils.push(boils)
  if (flash !== null) found.flash.push(flash)
  if (row.groups.includes('controlled')) found.controlled = true
  found.named = true
}

function takeSite(found: Found, row: SiteSubstance, index: Index): void {
  // What the site says is added to what the graph knows of the same substance, never instead of it.
  const graph = index.words
  const words = tokenise((row.graph ?? '').replaceAll('_', ' '))
  const hit = row.graph === undefined ? null : hitAt(words, 0, graph)
  if (hit?.means.is === 'substance') takeSubstance(found, hit.means.row)
  found.ids.add(row.id)
  if (row.graph !== undefined) found.ids.add(row.graph)
  for (const group of row.groups) found.groups.add(group)
  for (const hazard of row.hazards) found.hazards.add(hazard)
  const [boils, flash] = [celsius(row.boils), celsius(row.flash)]
  if (boils !== null) found.boils.push(boils)
  if (flash !== null) found.flash.push(flash)
  found.human ||= row.human
  found.controlled ||= row.controlled
  if (row.risk_group !== undefined) found.risk = Math.max(found.risk ?? 0, row.risk_group)
  found.named = true
}

function take(found: Found, meaning: Meaning, index: Index): void {
  switch (meaning.is) {
    case 'site':
      return takeSite(found, meaning.row, index)
    case 'substance':
      return takeSubstance(found, meaning.row)
    case 'organism':
      found.ids.add(meaning.id)
      if (meaning.risk !== null) found.risk = Math.max(found.risk ?? 0, meaning.risk)
      if (meaning.flag !== null) found.hazards.add(meaning.flag)
      if (meaning.flag === 'scheduled') found.controlled = true
      found.named = true
      return
    case 'material':
      found.ids.add(meaning.id)
      for (const group of meaning.groups) found.groups.add(group)
      found.named = true
      return
    case 'lookalike':
      found.named = true
      return
    case 'unidentified':
      found.unidentified = true
      return
    case 'qualifier':
      return
  }
}

const lowest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.min(...values)

/** Content words of a name, with numbers of the CAS registry taken out and resolved. */
function parse(raw: string, index: Index): SubstanceRef {
  const found: Found = {
    ids: new Set(),
    groups: new Set(),
    hazards: new Set(),
    boils: [],
    flash: [],
    human: false,
    risk: null,
    controlled: false,
    unidentified: false,
    named: false,
  }
  const unread: string[] = []
  const text = raw.replaceAll('_', ' ').replaceAll(/\b\d{2,7}-\d{2}-\d\b/g, (number) => {
    const row = index.cas.get(number)
    if (row === undefined) unread.push(number)
    else takeSubstance(found, row)
    return ' '
  })
  const tokens = tokenise(text)
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? ''
    const hit = namesAt(tokens, i, index)
    if (hit === null) {
      if (!noName.test(token) && token !== 'cas') unread.push(token)
      continue
    }
    for (const meaning of hit.means) take(found, meaning, index)
    i += hit.length - 1
  }
  const strength = strengthOf(text)
  if (strength.percent !== null || strength.molar !== null) {
    if (!found.groups.has('flammable') || (strength.percent ?? 100) < 95)
      found.groups.add('aqueous')
  }
  const specific = [...found.ids].some((id) => id !== 'generic_acid' && id.endsWith('_acid'))
  if (specific) found.ids.delete('generic_acid')
  return {
    raw,
    ids: [...found.ids],
    groups: [...found.groups],
    hazards: [...found.hazards],
    boils: lowest(found.boils),
    flash: lowest(found.flash),
    known: found.named && unread.length === 0 && !found.unidentified,
    human: found.human,
    risk_group: found.risk,
    controlled: found.controlled,
    unread,
    ...strength,
  }
}

export type Substances = {
  /** Reads a name; the same one again is read already. */
  readonly read: (raw: string) => SubstanceRef
  /** True when every content word of the name is known. */
  readonly isKnown: (raw: string) => boolean
}

/** A reader of names over the site's substances and the shipped lists. */
export const substanceReader = keptForBoth(
  (lexicon: SubstanceLexicon, site: readonly SiteSubstance[]): Substances => {
    const index = { site: siteWords(site), ...shippedIndex(lexicon) }
    const read = remembered((raw) => parse(raw, index))
    return { read, isKnown: (raw) => read(raw).known }
  },
)
