// The holes of a standing approval: what stands in them in the plan it is made from, a plan with other
// values in them, and the plan with every value at once, as the reading and the dry run take it.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import type { Plan } from '../../protocol/plan.ts'
import { valueAt } from '../../protocol/pointer.ts'
import type { Violation } from '../../protocol/reasons.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Hole, HoleValues, Within } from '../../protocol/standing.ts'
import { openNode } from '../read/open.ts'

type Scalar = HoleValues[string]

const isScalar = (value: JsonValue | undefined): value is Scalar =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'

/** Whether a value may stand in a hole. */
export function fitsHole(value: Scalar | undefined, within: Within): boolean {
  if (value === undefined) return false
  if ('enum' in within) return within.enum.some((one) => one === value)
  return typeof value === 'number' && value >= within.min && value <= within.max
}

/** Names of holes whose value is missing or may not stand there, and of values without a hole. */
export function outsideHoles(holes: readonly Hole[], values: HoleValues): string[] {
  const names = new Set(holes.map(({ name }) => name))
  const wrong = holes.filter(
    ({ name, within }) => !fitsHole(Object.hasOwn(values, name) ? values[name] : undefined, within),
  )
  return [...wrong.map(({ name }) => name), ...Object.keys(values).filter((key) => !names.has(key))]
}

/** What stands in the holes of the plan that a template is made from, or what is wrong with them. */
export function valuesIn(plan: Plan, holes: readonly Hole[]): Result<HoleValues, Violation[]> {
  const values: Record<string, Scalar> = {}
  const out: Violation[] = []
  const places = new Set<string>()
  for (const [i, hole] of holes.entries()) {
    const at = `/holes/${i}`
    const say = (message: string) => out.push({ code: 'hole_invalid', at, message })
    const node = plan.nodes.find(({ id }) => id === hole.node)
    const value = node === undefined ? undefined : valueAt(node.args, hole.pointer)
    const place = `${hole.node}${hole.pointer}`
    if (Object.hasOwn(values, hole.name)) say(`two holes are named ${hole.name}`)
    if (places.has(place)) say('two holes are in one place')
    places.add(place)
    if (node === undefined) say(`the plan has no step ${hole.node}`)
    else if (!isScalar(value)) say(`step ${hole.node} has no plain value at ${hole.pointer}`)
    else if (!fitsHole(value, hole.within)) say('what the plan itself has there is not inside')
    else values[hole.name] = value
  }
  return out.length > 0 ? err(out) : ok(values)
}

function put(value: JsonValue, steps: readonly string[], to: JsonValue): JsonValue {
  const [step, ...rest] = steps
  if (step === undefined) return to
  const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, i) =>
      String(i) === key ? put(item, rest, to) : item,
    )
  }
  const object = value as JsonObject
  return { ...object, [key]: put(object[key] ?? null, rest, to) }
}

function withArgs(plan: Plan, holes: readonly Hole[], valueOf: (hole: Hole) => JsonValue): Plan {
  const nodes = plan.nodes.map((node) => {
    const own = holes.filter((hole) => hole.node === node.id)
    const args = own.reduce<JsonValue>(
      (all, hole) => put(all, hole.pointer.split('/').slice(1), valueOf(hole)),
      node.args,
    )
    return { ...node, args: args as JsonObject }
  })
  return { ...plan, nodes }
}

/** `{name}` in a text as the value of that hole; other braces stay as they are. */
function filled(text: string, values: HoleValues): string {
  return text.replaceAll(/\{([a-z][a-z0-9_]{0,39})\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

/** The plan of one run. Values outside of their hole are put in as they are: who compares finds them. */
export function planWith(plan: Plan, holes: readonly Hole[], values: HoleValues): Plan {
  const known = holes.filter(({ name }) => Object.hasOwn(values, name))
  const { goal, instructions, ...rest } = withArgs(plan, known, ({ name }) => values[name] ?? null)
  return {
    ...rest,
    goal: filled(goal, values),
    instructions: instructions.map((one) => filled(one, values)),
  }
}

/** The plan with every value of every hole at once: an open value is read like a reference with its bounds. */
export function planOver(plan: Plan, holes: readonly Hole[], values: HoleValues): Plan {
  const words = planWith(plan, holes, values)
  return withArgs(words, holes, ({ name, within }) => ({
    $from: {
      node: openNode,
      pointer: `/${name}`,
      ...('enum' in within ? { enum: [...within.enum] } : { min: within.min, max: within.max }),
    },
  }))
}

/** Plans with one hole at one of its ends and the others as they were: each must fit its tool. */
export function cornersOf(
  plan: Plan,
  holes: readonly Hole[],
  values: HoleValues,
): { readonly hole: number; readonly value: Scalar; readonly plan: Plan }[] {
  return holes.flatMap(({ name, within }, hole) =>
    ('enum' in within ? within.enum : [within.min, within.max]).map((value) => ({
      hole,
      value,
      plan: planWith(plan, holes, { ...values, [name]: value }),
    })),
  )
}
