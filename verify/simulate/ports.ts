// The port of a run to substances, from what site file and scene already say; the pairs that must not
// meet come from the lexicon.
import type { Registry } from '../../protocol/registry.ts'
import type { Scene, SubstanceRef } from '../read/scene.ts'
import { readQuantity } from './quantity.ts'
import type { Ports } from './world.ts'

const folded = (name: string): string => name.normalize('NFKC').toLowerCase().trim()

/** °C of a declared boiling or flash point; null when none is declared or it cannot be read. */
function celsius(text: string | undefined): number | null {
  const quantity = text === undefined ? null : readQuantity(text)
  return quantity?.dim === 'temperature' ? quantity.value : null
}

const unread = (name: string): SubstanceRef => ({
  raw: name,
  ids: [],
  groups: [],
  hazards: [],
  boils: null,
  flash: null,
  known: false,
  human: false,
  risk_group: null,
  controlled: false,
  unread: [name],
  percent: null,
  molar: null,
})

/** Resolves names of inventory and site file; a name that nobody declared stays unknown. */
export function portsFor(registry: Registry, scene: Scene, meets: Ports['meets']): Ports {
  const known = new Map<string, SubstanceRef>()
  for (const s of registry.substances) {
    const ref: SubstanceRef = {
      raw: s.names[0] ?? s.id,
      ids: s.graph === undefined ? [s.id] : [s.id, s.graph],
      groups: s.groups,
      hazards: s.hazards,
      boils: celsius(s.boils),
      flash: celsius(s.flash),
      known: true,
      human: s.human,
      risk_group: s.risk_group ?? null,
      controlled: s.controlled,
      unread: [],
      percent: null,
      molar: null,
    }
    for (const name of [s.id, ...s.names]) known.set(folded(name), { ...ref, raw: name })
  }
  for (const s of scene.substances) {
    for (const name of [s.raw, ...s.ids]) {
      if (!known.has(folded(name))) known.set(folded(name), s)
    }
  }
  return { meets, substance: (name) => known.get(folded(name)) ?? unread(name) }
}
