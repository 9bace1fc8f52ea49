// Loads of a rotor by plain geometry: places stand on a circle, and a load is unbalanced when its centre of
// mass is off the axis by more than a tube's worth. This knows nothing of pairs or of the dry run.
import { pick, type Random } from './draft.ts'

export type Load = readonly { readonly position: number; readonly share: number }[]

/** Distance of the centre of mass from the axis, in tubes of share 1 at the rim. */
export function offAxis(load: Load, places: number): number {
  let [x, y] = [0, 0]
  for (const { position, share } of load) {
    const angle = (2 * Math.PI * (position - 1)) / places
    x += share * Math.cos(angle)
    y += share * Math.sin(angle)
  }
  return Math.hypot(x, y)
}

/** An unbalanced load of a named form, turned to a random place of the rotor. */
export function unbalanced(form: string, places: number, random: Random): Load {
  const start = Math.floor(random() * places)
  const at = (offset: number): number => ((start + offset) % places) + 1
  const half = places / 2
  const forms: Readonly<Record<string, Load>> = {
    single: [{ position: at(0), share: 1 }],
    adjacent: [
      { position: at(0), share: 1 },
      { position: at(1), share: 1 },
    ],
    three_of_four: [0, half, places / 4].map((k) => ({ position: at(k), share: 1 })),
    heavier: [
      { position: at(0), share: 1 },
      { position: at(half), share: 0.7 },
    ],
    empty_opposite: [
      { position: at(0), share: 1 },
      { position: at(half), share: 0 },
    ],
    beside_opposite: [
      { position: at(0), share: 1 },
      { position: at(half + (pick([1, -1], random) ?? 1) + places), share: 1 },
    ],
  }
  const load = forms[form]
  if (load === undefined) throw new TypeError(`no such load: ${form}`)
  if (offAxis(load, places) < 0.1) throw new TypeError(`${form} is balanced`)
  return load
}
