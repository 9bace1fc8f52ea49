// The shape of a rule: a pure function from the one reading of a plan and its dry run to breaches,
// unknowns and doubts. Rules read acts, roles, things and records, never the name of a tool.
import type { ActName } from '../../protocol/acts.ts'
import type { Breach, RaisedDoubt, Unknown } from '../../protocol/evidence.ts'
import type { FindingCode } from '../../protocol/finding-codes.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import { keptFor } from '../lexicon/remembered.ts'
import type { RoleValue, Scene, SceneAct, Step, ThingRef } from '../read/scene.ts'
import type { Trace } from '../simulate/trace.ts'

export type RuleInput = {
  readonly scene: Scene
  readonly trace: Trace
  readonly registry: Registry
  readonly state: CellState
  /** The planner of the credential that submits. */
  readonly planner: string
}

export type Found = {
  readonly breaches?: readonly Breach[]
  readonly unknowns?: readonly Unknown[]
  readonly doubts?: readonly RaisedDoubt[]
}

export type Rule = { readonly id: string; readonly check: (input: RuleInput) => Found }

export type Done = { readonly step: Step; readonly act: SceneAct }

/** Every act of the given names in the order of execution, with its step. */
export const actsOf = (scene: Scene, ...names: readonly ActName[]): Done[] =>
  everyAct(scene).filter(({ act }) => names.includes(act.act))

/** Every rule asks for some of them. */
const everyAct = keptFor((scene: Scene): readonly Done[] =>
  scene.steps.flatMap((step) => step.acts.map((act) => ({ step, act }))),
)

/** The members of the union whose kind may be `K`. */
type ValueOf<K extends RoleValue['kind'], V = RoleValue> = V extends { readonly kind: infer Kind }
  ? [Extract<Kind, K>] extends [never]
    ? never
    : V
  : never

/** The values of one role that have one of the kinds. */
export function valuesOf<K extends RoleValue['kind']>(
  act: SceneAct,
  role: string,
  ...kinds: readonly K[]
): ValueOf<K>[] {
  const values = act.roles[role] ?? []
  return values.filter((value): value is ValueOf<K> =>
    (kinds as readonly string[]).includes(value.kind),
  )
}

/** Texts and addresses of a role, in the order of the array that they come from. */
export function wordsOfRole(
  act: SceneAct,
  role: string,
): { readonly at: string; readonly text: string }[] {
  return valuesOf(act, role, 'text', 'address').map(({ at, text }) => ({ at, text }))
}

/** The things and places that an act touches, whatever the role. */
export function thingsOf(act: SceneAct): { readonly at: string; readonly ref: ThingRef }[] {
  return Object.values(act.roles)
    .flat()
    .flatMap((value) =>
      value.kind === 'thing' || value.kind === 'place' ? [{ at: value.at, ref: value.ref }] : [],
    )
}

/** The meaning that the row gives to a choice; null when it is absent or has none. */
export function choiceOf(act: SceneAct, role: string): string | null {
  return valuesOf(act, role, 'choice')[0]?.means ?? null
}

type Where = { readonly step: Step | null; readonly at?: string }
type Facts = Breach['facts']

const placeOf = ({ step, at }: Where): { node: string | null; at: string } => {
  return { node: step?.node.id ?? null, at: at ?? step?.at ?? '' }
}

/** A fact that binds in every mode. */
export function breach(
  code: FindingCode,
  where: Where,
  more: { verdict: Breach['verdict']; facts?: Facts; rule?: string; remedy?: string },
): Breach {
  const { verdict, facts = {}, rule, remedy } = more
  return {
    code,
    ...placeOf(where),
    verdict,
    facts,
    ...(rule === undefined ? {} : { rule }),
    ...(remedy === undefined ? {} : { remedy }),
  }
}

/** Something that a rule, limit or need asks and nobody knows. */
export function unknown(code: FindingCode, where: Where, what: string, facts: Facts = {}): Unknown {
  return { code, ...placeOf(where), what, facts }
}

/** A question that words raise: a constant sentence, never text of the plan. */
export function doubt(
  code: FindingCode,
  subject: string,
  text: string,
  family: RaisedDoubt['family'],
  settleable = true,
): RaisedDoubt {
  return { code, subject, text, family, settleable }
}

/** Joins what several rules found. */
export function joined(found: readonly Found[]): Required<Found> {
  return {
    breaches: found.flatMap((f) => f.breaches ?? []),
    unknowns: found.flatMap((f) => f.unknowns ?? []),
    doubts: found.flatMap((f) => f.doubts ?? []),
  }
}
