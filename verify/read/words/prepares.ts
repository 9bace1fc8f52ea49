// Steps that no sentence tells because another that is told cannot do without them: the way of a plate to
// the reader that shall read it, and the tube out of the store from which a told dose is drawn.
import { actNames, type ActName } from '../../../protocol/acts.ts'
import stationActs from '../../lexicon/stations.json' with { type: 'json' }
import type { Registry } from '../../../protocol/registry.ts'
import type { Step } from '../scene.ts'

/** What the device at a place is for, by the id of the place and of the device. */
export type Stations = ReadonlyMap<string, readonly ActName[]>

const known = new Set<string>(actNames)
const served = new Map<string, readonly ActName[]>(
  Object.entries(stationActs).flatMap(([name, acts]) =>
    Array.isArray(acts)
      ? [[name, acts.filter((act): act is ActName => known.has(act))] as const]
      : [],
  ),
)

/** Reads the stations of a site file. */
export function stationsOf({ places, devices }: Pick<Registry, 'places' | 'devices'>): Stations {
  const classes = new Map(devices.map((device) => [device.id, device.class]))
  const actsAt = (device: string | undefined): readonly ActName[] =>
    served.get(classes.get(device ?? '') ?? '') ?? []
  return new Map([
    ...devices.map(({ id }) => [id, actsAt(id)] as const),
    ...places.map(({ id, device }) => [id, actsAt(device)] as const),
  ])
}

const refsOf = (step: Step, roles: readonly string[]): string[] =>
  step.acts.flatMap((act) =>
    roles.flatMap((role) =>
      (act.roles[role] ?? []).flatMap((value) =>
        (value.kind === 'thing' || value.kind === 'place') && value.ref.id !== null
          ? [value.ref.id]
          : [],
      ),
    ),
  )

const moves = new Set<ActName>(['pick', 'place', 'carry'])
const isMove = (step: Step): boolean =>
  step.acts.length > 0 && step.acts.every(({ act }) => moves.has(act))

/** What a step does something with, apart from moving it. */
const handles = (step: Step): string[] =>
  refsOf(step, ['from', 'to', 'in', 'what', 'thing', 'vessel'])

/**
 * The steps among `open` that only bring a thing to where a sentence asks something for it, or out of the
 * place where it stands for a told step. `asked` are the acts that sentences ask for.
 */
export function preparing(
  open: readonly Step[],
  steps: readonly Step[],
  asked: ReadonlySet<ActName>,
  stations: Stations,
): ReadonlySet<number> {
  const unasked = new Set(open.map(({ i }) => i))
  const out = new Set<number>()
  // From the end, so that the pick before a place is known to serve it.
  for (const step of open.toReversed()) {
    if (!isMove(step)) continue
    const things = refsOf(step, ['thing'])
    const told = (other: Step): boolean => !isMove(other) && !unasked.has(other.i)
    const handled = (other: Step): boolean => handles(other).some((id) => things.includes(id))
    // A thing that no told step handles goes nowhere unasked, whatever the word "read" may mean.
    const brings =
      refsOf(step, ['place', 'to']).some((id) =>
        (stations.get(id) ?? []).some((act) => asked.has(act)),
      ) && steps.some((other) => told(other) && handled(other))
    const serves = steps.some(
      (later) => later.i > step.i && (out.has(later.i) || told(later)) && handled(later),
    )
    const takes = step.acts.some(({ act, roles }) => act === 'pick' || roles['from'] !== undefined)
    if (brings || (serves && takes)) out.add(step.i)
  }
  return out
}
