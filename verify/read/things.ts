// Names of devices, places, vessels and doors, resolved against site file and inventory whatever
// their spelling. A name that nobody declared keeps its folded spelling as identity; it is never
// taken for another unknown name with a different one.
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import { foldName } from './fold.ts'
import { keptFor, keptForBoth, remembered } from '../lexicon/remembered.ts'
import { canonicalPart, looksLikePart } from './parts.ts'
import type { ThingRef } from './scene.ts'

export type ThingClass = Exclude<ThingRef['is'], 'unknown'>

type Entry = {
  readonly is: ThingClass
  readonly id: string
  readonly kind: string | null
  readonly spelled: string
}

/** Which classes a role means first; every class is tried in the end. */
const preferred: Readonly<Record<string, readonly ThingClass[]>> = {
  barrier: ['barrier'],
  zone: ['zone'],
  place: ['place', 'zone', 'device'],
  from_place: ['place', 'zone', 'device'],
  device: ['device'],
  with: ['device', 'thing'],
  into: ['stream', 'device'],
  sandbox: ['sandbox'],
  kind: ['kind'],
}
const everywhere: readonly ThingClass[] = [
  'thing',
  'device',
  'stream',
  'place',
  'barrier',
  'zone',
  'kind',
  'sandbox',
]

/** `the bench spinner` is also meant by `bench spinner`. */
const withoutArticle = (names: readonly string[]): string[] =>
  names.flatMap((name) => (/^(?:the|an?)\s+\S/i.test(name) ? [name.replace(/^\S+\s+/, '')] : []))

/** Two declared names of one class that are one name once they are folded: refused at approval. */
export type NameClash = {
  readonly is: ThingClass
  readonly first: string
  readonly second: string
  readonly name: string
}

/** Devices, standing things and inventory are one class: one of them is what stands on the bench. */
const space = (is: ThingClass): string => (is === 'device' ? 'thing' : is)

function* declared(
  site: Pick<
    Registry,
    'devices' | 'things' | 'streams' | 'places' | 'barriers' | 'zones' | 'kinds' | 'sandboxes'
  >,
  inventory: CellState['inventory'],
): Generator<Entry> {
  const all = (
    is: ThingClass,
    kind: string | null,
    id: string,
    names: readonly string[],
  ): Entry[] =>
    [id, ...names, ...withoutArticle(names)].map((spelled) => ({ is, id, kind, spelled }))
  for (const one of site.devices) yield* all('device', one.class, one.id, one.names)
  for (const one of site.things) yield* all('thing', one.kind, one.id, one.names)
  for (const one of site.streams) yield* all('stream', null, one.id, one.names)
  for (const one of site.places) yield* all('place', null, one.id, one.names)
  for (const one of site.barriers) yield* all('barrier', null, one.id, one.names)
  for (const one of site.zones) yield* all('zone', null, one.id, one.names)
  for (const one of site.kinds) yield* all('kind', one.id, one.id, one.names)
  for (const id of site.sandboxes) yield* all('sandbox', null, id, [])
  for (const one of inventory) yield* all('thing', one.kind, one.thing, one.names)
}

/**
 * Names that are one name once they are folded although they stand for two things of one class.
 * The same name may stand in two classes (a zone and its door): the role tells which is meant.
 */
export function nameClashes(
  site: Parameters<typeof declared>[0],
  inventory: CellState['inventory'] = [],
): NameClash[] {
  const seen = new Map<string, Entry>()
  const clashes: NameClash[] = []
  for (const entry of declared(site, inventory)) {
    const key = `${space(entry.is)}\n${foldName(entry.spelled)}`
    const first = seen.get(key)
    if (first === undefined) seen.set(key, entry)
    else if (first.id !== entry.id) {
      clashes.push({ is: entry.is, first: first.id, second: entry.id, name: entry.spelled })
    }
  }
  return clashes
}

export type Things = {
  /** Resolves a name in a role; the role decides between classes that share it. */
  readonly resolve: (raw: string, role?: string, part?: string | null) => ThingRef
  /** A declared name, or null. */
  readonly find: (raw: string, role?: string) => ThingRef | null
  /** True when some declared name folds to the key. */
  readonly isName: (key: string) => boolean
  /** False when no declared name begins like this word, whatever stands behind it. */
  readonly startsName: (word: string) => boolean
  /** False when no declared name folds to a key that begins like this one. */
  readonly startsKey: (key: string) => boolean
}

type Index = {
  readonly byKey: ReadonlyMap<string, ReadonlyMap<ThingClass, Entry>>
  /** Every beginning of each folded name, up to a bound: most words begin none. */
  readonly starts: ReadonlySet<string>
}

/** Beginnings that are kept of each name; past it one is taken for another. */
const startsMax = 12

const ascii = /^[\0-\x7f]*$/

const firstRun = (key: string): string => /^(?:\d+|[^\d.]+)/.exec(key)?.[0] ?? ''

function indexOf(entries: Iterable<Entry>): Index {
  const byKey = new Map<string, Map<ThingClass, Entry>>()
  const starts = new Set<string>()
  for (const entry of entries) {
    const key = foldName(entry.spelled)
    if (key === '') continue
    const known = byKey.get(key)
    if (known === undefined) {
      byKey.set(key, new Map([[entry.is, entry]]))
      for (let n = 1; n <= Math.min(key.length, startsMax); n++) starts.add(key.slice(0, n))
    } else if (!known.has(entry.is)) known.set(entry.is, entry)
  }
  return { byKey, starts }
}

type Site = Parameters<typeof declared>[0]

const siteIndex = keptFor((site: Site) => indexOf(declared(site, [])))
const inventoryIndex = keptFor((inventory: CellState['inventory']) =>
  indexOf(declared(nothing, inventory)),
)

/** Site file before inventory; each look-up is constant in the size of both. */
export const thingIndex = (site: Site, state: Pick<CellState, 'inventory'>): Things =>
  thingsOf(site, state.inventory)

const thingsOf = keptForBoth((site: Site, inventory: CellState['inventory']): Things => {
  const indices = [siteIndex(site), inventoryIndex(inventory)] as const
  const entryOf = (raw: string, role: string): Entry | null => {
    const key = foldName(raw)
    for (const is of [...(preferred[role] ?? []), ...everywhere]) {
      for (const { byKey } of indices) {
        const entry = byKey.get(key)?.get(is)
        if (entry !== undefined) return entry
      }
    }
    return null
  }
  const refOf = (raw: string, { id, is, kind }: Entry, part: string | null): ThingRef => ({
    raw,
    id,
    key: id,
    part,
    is,
    kind,
  })
  const find = (raw: string, role = ''): ThingRef | null => {
    const whole = entryOf(raw, role)
    if (whole !== null) return refOf(raw, whole, null)
    // `plate_1 A1`, `plate_1/A1`, `plate_1:col 3`: a declared thing and one of its parts.
    const hit =
      /^(.{1,80}?)[\s/:.,#]+((?:col(?:umn)?|row|well|pos(?:ition)?)?\s?[\w*:-]{1,12})$/iu.exec(raw)
    if (hit === null || !looksLikePart(hit[2] ?? '')) return null
    const thing = entryOf(hit[1] ?? '', role)
    return thing === null ? null : refOf(raw, thing, canonicalPart(hit[2] ?? ''))
  }
  const [ofSite, ofInventory] = indices
  const startsKey = (key: string): boolean => {
    const start = key.slice(0, startsMax)
    return ofSite.starts.has(start) || ofInventory.starts.has(start)
  }
  return {
    find,
    isName: (key) => ofSite.byKey.has(key) || ofInventory.byKey.has(key),
    startsKey,
    // A letter of another script may fold otherwise once Latin letters stand beside it.
    startsName: remembered((word) =>
      startsKey(ascii.test(word) ? foldName(word) : firstRun(foldName(word))),
    ),
    resolve: (raw, role = '', part = null) => {
      const known = find(raw, role)
      if (known !== null) return { ...known, part: part ?? known.part }
      const key = foldName(raw)
      return { raw, id: null, key: key === '' ? raw : key, part, is: 'unknown', kind: null }
    },
  }
})

const nothing: Site = {
  devices: [],
  things: [],
  streams: [],
  places: [],
  barriers: [],
  zones: [],
  kinds: [],
  sandboxes: [],
}
