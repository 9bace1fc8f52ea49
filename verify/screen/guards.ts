// Names of what keeps people safe, read as what they name. Danger: "switch off the light curtain" is an
// order against a guard in every lab, and in a lab that calls it by a number the words alone do not say so.
import { namePattern } from '../lexicon/name-pattern.ts'
import nouns from '../lexicon/nouns.json' with { type: 'json' }
import type { Registry } from '../../protocol/registry.ts'
import { keptFor } from '../lexicon/remembered.ts'

/** A text with its guards named by their noun; `origin` gives the place in the text before. */
export type Spoken = { readonly text: string; readonly origin: (offset: number) => number }

const namesOf = keptFor((registry: Registry) => {
  const guards = registry.devices.filter((device) => device.class === 'safety')
  const ids = new Set(guards.map(({ id }) => id))
  const places = registry.places.filter(({ device }) => device !== undefined && ids.has(device))
  return namePattern([...guards, ...places].flatMap((row) => [row.id, ...row.names]))
})

/** A function that reads guards by their noun; null for a text that names none. */
export function guardReader(registry: Registry): (text: string) => Spoken | null {
  const names = namesOf(registry)
  if (names === null) return () => null
  const noun = nouns.device.safety
  return (text) => {
    const found = [...text.matchAll(names)]
    if (found.length === 0) return null
    // Where each piece ends, in the text made and in the text before.
    const ends: { readonly made: number; readonly before: number }[] = []
    let out = ''
    let from = 0
    for (const hit of found) {
      out += text.slice(from, hit.index)
      ends.push({ made: out.length, before: hit.index })
      out += noun
      from = hit.index + hit[0].length
      ends.push({ made: out.length, before: from })
    }
    out += text.slice(from)
    const origin = (offset: number): number => {
      const i = ends.findLastIndex(({ made }) => made <= offset)
      const piece = ends[i]
      if (piece === undefined) return offset
      // Inside a noun every place is where the name begins.
      return i % 2 === 0 ? piece.before : piece.before + (offset - piece.made)
    }
    return { text: out, origin }
  }
}
