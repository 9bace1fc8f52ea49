// Names of devices, places, vessels and doors, resolved against site file and inventory whatever
// their spelling. A name that nobody declared keeps its folded spelling as identity; it is never
// taken for another unknown name with a different one.
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import { foldName } from './fold.ts'
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
  /** Folded declared names, for finding them in words; each with its longest spelling in tokens. */
  readonly names: ReadonlyMap<string, readonly string[]>
}

/** Indexes every declared name once; each look-up is then constant in the size of the site. */
export function thingIndex(site: Parameters<typeof declared>[0], state: CellState): Things {
  const byKey = new Map<string, Map<ThingClass, Entry>>()
  const spelled = new Map<string, string[]>()
  const exact = new Map<string, Map<ThingClass, Entry>>()
  const add = (index: typeof byKey, key: string, entry: Entry): void => {
    const known = index.get(key)
    if (known === undefined) index.set(key, new Map([[entry.is, entry]]))
    // Site file before inventory, ids before names: the first one stands.
    else if (!known.has(entry.is)) known.set(entry.is, entry)
  }
  for (const entry of declared(site, state.inventory)) {
    const key = foldName(entry.spelled)
    if (key === '') continue
    add(exact, entry.spelled, entry)
    add(byKey, key, entry)
    const list = spelled.get(key)
    if (list === undefined) spelled.set(key, [entry.spelled])
    else list.push(entry.spelled)
  }
  const entryOf = (raw: string, role: string): Entry | null => {
    const found = exact.get(raw) ?? byKey.get(foldName(raw))
    if (found === undefined) return null
    for (const is of [...(preferred[role] ?? []), ...everywhere]) {
      const entry = found.get(is)
      if (entry !== undefined) return entry
    }
    return null
  }
  const refOf = (raw: string, entry: Entry, part: string | null): ThingRef => ({
    raw,
    id: entry.id,
    key: entry.id,
    part,
    is: entry.is,
    kind: entry.kind,
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
  return {
    find,
    names: spelled,
    resolve: (raw, role = '', part = null) => {
      const known = find(raw, role)
      if (known !== null) return { ...known, part: part ?? known.part }
      const key = foldName(raw)
      return { raw, id: null, key: key === '' ? raw : key, part, is: 'unknown', kind: null }
    },
  }
}
