// A text with the noun of its class in the place of every name that site file or inventory declare, for
// rules that read what words mean. Danger: a rule that finds "light curtain" because one lab calls its
// sensor so says nothing in the next lab, where the same sensor has another name.
import { namePattern } from '../../lexicon/name-pattern.ts'
import nouns from '../../lexicon/nouns.json' with { type: 'json' }
import type { Registry } from '../../../protocol/registry.ts'
import type { CellState } from '../../../protocol/state.ts'
import type { ThingRef } from '../scene.ts'
import { keptFor, keptForBoth, ofTexts, remembered } from '../../lexicon/remembered.ts'
import { thingIndex, type Things } from '../things.ts'
import { tokensOf } from './clauses.ts'
import { glyphsOf } from './glyphs.ts'
import { declaredNames } from './names.ts'

type Site = {
  readonly nounOf: (ref: ThingRef) => string
  /** Planners, channels and outside parties are no things; prose speaks of them all the same. */
  readonly spoken: RegExp | null
  readonly words: ReadonlyMap<string, string>
}

/** `lab-supplies` is also written `Lab supplies`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '')

const siteOf = keptFor((registry: Registry): Site => {
  const deviceNouns: Readonly<Record<string, string>> = nouns.device
  const thingNouns: Readonly<Record<string, string>> = nouns.thing
  const byDevice = new Map(registry.devices.map(({ id, class: of }) => [id, deviceNouns[of]]))
  const byPlace = new Map(
    registry.places.map(({ id, device }) => [
      id,
      device === undefined ? undefined : byDevice.get(device),
    ]),
  )
  const byBarrier = new Map(
    registry.barriers.map(({ id, device, working_opening }) => [
      id,
      working_opening !== undefined
        ? nouns.barrier.sash
        : device !== undefined
          ? nouns.barrier.lid
          : nouns.barrier.door,
    ]),
  )
  const byKind = new Map(registry.kinds.map(({ id, class: of }) => [id, thingNouns[of]]))
  const nounOf = ({ is, id, kind }: ThingRef): string => {
    const key = id ?? ''
    switch (is) {
      case 'device':
        return byDevice.get(key) ?? nouns.device.other
      case 'barrier':
        return byBarrier.get(key) ?? nouns.barrier.door
      case 'place':
        return byPlace.get(key) ?? nouns.place
      case 'thing':
      case 'kind':
        return byKind.get(kind ?? '') ?? nouns.thing.object
      case 'zone':
      case 'stream':
      case 'sandbox':
        return nouns[is]
      case 'unknown':
        return nouns.thing.object
    }
  }
  const { channels, domains } = registry.network
  // An outside party is spoken of by its address without what follows the first dot.
  const labels = domains.map((domain) => domain.split('.')[0] ?? '').filter((l) => l.length > 2)
  const ids: readonly (readonly [string, string])[] = [
    ...Object.keys(registry.planners).map((id) => [id, nouns.planner] as const),
    ...channels.map(({ id }) => [id, nouns.channel] as const),
    ...[...domains, ...labels].map((id) => [id, nouns.outside] as const),
  ]
  const words = new Map(ids.map(([id, noun]) => [folded(id), noun]))
  const spoken = namePattern(ids.map(([id]) => id))
  return { nounOf, spoken, words }
})

const determined = new RegExp(`(?:^|[^\\p{L}])(?:${nouns.determiners.join('|')})\\s+$`, 'iu')

function withNouns(text: string, things: Things, nounOf: (ref: ThingRef) => string): string {
  const glyphs = glyphsOf(text)
  const names = declaredNames(glyphs.text, tokensOf(glyphs.lower), things)
  if (names.length === 0) return text
  let out = ''
  let from = 0
  for (const { start, end, ref } of names) {
    out += text.slice(from, glyphs.origin[start])
    // Without an article a noun at the beginning of a clause reads as an order: `plate it`.
    out += `${determined.test(out) ? '' : 'the '}${nounOf(ref)}`
    from = glyphs.origin[end] ?? text.length
  }
  return out + text.slice(from)
}

type Unnamer = (text: string) => string
type Inventory = CellState['inventory']

/** A function from a text to the same text without names; indexes of the site are made once. */
export function unnamer(
  registry: Registry,
  state: { readonly inventory: Inventory },
): (text: string) => string {
  return unnamerOf(registry, state.inventory)
}

const unnamerOf = keptForBoth((registry: Registry, inventory: Inventory): Unnamer => {
  const { nounOf, spoken, words } = siteOf(registry)
  const things = thingIndex(registry, { inventory })
  return remembered((text) => {
    const named = withNouns(text, things, nounOf)
    return spoken === null ? named : named.replaceAll(spoken, (id) => words.get(folded(id)) ?? id)
  }, ofTexts)
})
