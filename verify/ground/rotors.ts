// Rotors of a site file: a standing thing of a kind of class rotor.
import type { Registry } from '../../protocol/registry.ts'

export type Rotor = {
  readonly maxRpm: number
  readonly positions: number
  readonly imbalanceG: number
}

/** The number of a quantity in the unit that is wanted; null when it is in another one. */
function inUnit(text: string | undefined, unit: string): number | null {
  const [number, given] = (text ?? '').split(' ')
  return given === unit ? Number(number) : null
}

/** The rotor of this name; undefined when the site declares none or leaves a limit out. */
export function rotorOf(
  registry: Pick<Registry, 'things' | 'kinds'>,
  name: string,
): Rotor | undefined {
  const thing = registry.things.find(({ id }) => id === name)
  const kind = registry.kinds.find(({ id }) => id === thing?.kind)
  if (kind === undefined || kind.class !== 'rotor') return undefined
  const maxRpm = inUnit(kind.max_rotation, 'rpm')
  const imbalanceG = inUnit(kind.imbalance, 'g')
  if (maxRpm === null || imbalanceG === null) return undefined
  return { maxRpm, positions: kind.rows * kind.columns, imbalanceG }
}
