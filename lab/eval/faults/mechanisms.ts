// How a fault gets into a plan or into its cell: pure changes of a draft, each a few lines. Which faults there
// are, and why a laboratory must not do them, stands in the tables. A mechanism that finds nothing to change
// says so, and the plan is left out for that kind.
import { argAt, pick, setArg, type Draft, type Node, type Random } from './draft.ts'
import { append, lift, meet, pour, store, stroke, warm } from './appended.ts'
import { args, factName, number, scalar, text, type Mechanism, type Params } from './params.ts'
import { unbalanced } from './rotor.ts'

/** Nothing was put into the source of a transfer by the steps before it. */
function isFirstUse(draft: Draft, node: Node): boolean {
  const source = argAt(node.args, '/source/labware')
  const before = draft.nodes.slice(0, draft.nodes.indexOf(node))
  return before.every(({ args: given }) => argAt(given, '/destination/labware') !== source)
}

/** Nothing stands in the destination of a transfer, and nothing is put there before. */
function isEmptyGoal(draft: Draft, node: Node): boolean {
  const goal = text(argAt(node.args, '/destination/labware'))
  const thing = draft.item(goal)?.thing
  const none = draft.facts.some(
    (one) =>
      one.thing === thing &&
      one.fact === 'contents' &&
      Array.isArray(one.value) &&
      one.value.length === 0,
  )
  const before = draft.nodes.slice(0, draft.nodes.indexOf(node))
  return none && before.every(({ args: given }) => argAt(given, '/destination/labware') !== goal)
}

/** A later step draws from the destination of a transfer: another volume there is another fault. */
function isDrawnFrom(draft: Draft, node: Node): boolean {
  const goal = argAt(node.args, '/destination/labware')
  return draft.nodes.some(({ args: given }) => argAt(given, '/source/labware') === goal)
}

/** A step of the named tool whose arguments are those of `where`. */
function stepOf(draft: Draft, params: Params, random: Random, key = 'tool'): Node | undefined {
  const where = Object.entries(args(params['where']))
  const fitting = draft
    .using(text(params[key]))
    .filter((node) => where.every(([at, value]) => argAt(node.args, at) === value))
    .filter((node) => params['first'] !== true || isFirstUse(draft, node))
  return pick(fitting, random)
}

/** Sets an argument, or multiplies a number by a factor. */
const set: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  const at = text(params['at'])
  if (node === undefined) return false
  const { factor, value } = params
  if (value !== undefined) return setArg(node.args, at, value)
  const before = number(argAt(node.args, at))
  return Number.isFinite(before) && setArg(node.args, at, before * number(factor))
}

const remove: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  const { after } = params
  if (node === undefined || (after !== undefined && draft.using(text(after)).length === 0))
    return false
  draft.remove(node)
  return draft.nodes.length > 0
}

/** The first step of one tool changes places with the next step of another. */
const swap: Mechanism = (draft, params) => {
  const first = draft.nodes.find(({ tool }) => tool === text(params['tool']))
  if (first === undefined) return false
  const rest = draft.nodes.slice(draft.nodes.indexOf(first) + 1)
  const second = rest.find(({ tool }) => tool === text(params['with']))
  if (second === undefined) return false
  draft.swap(first, second)
  return true
}

const repeat: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  if (node === undefined) return false
  for (let i = 0; i < number(params['times']); i += 1) draft.repeat(node, `${node.id}_again_${i}`)
  return true
}

/** A fact of the cell, of a thing that is named or that an argument names. */
const fact: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  if (node === undefined) return false
  const named = text(argAt(node.args, text(params['at'])))
  const thing = text(params['thing']) || (draft.item(named)?.thing ?? named)
  if (thing === '') return false
  draft.fact(thing, factName(params['fact']), scalar(params['value']))
  return true
}

/** What stands in the vessel of an argument: nothing, a volume, or another substance. */
const contents: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  if (node === undefined) return false
  const name = text(argAt(node.args, text(params['at'])))
  const item = draft.item(name)
  if (item === undefined) return false
  const { volume, substance } = params
  const before = item.contents[0]
  const what = text(substance) || (before?.substance ?? 'PBS')
  draft.holds(name, volume === undefined ? [] : [{ substance: what, volume: text(volume) }])
  return true
}

/** Another kind of labware stands there than the plan was made for. */
const labware: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  const item = node && draft.item(text(argAt(node.args, text(params['at']))))
  if (node === undefined || item === undefined || item.kind === params['kind']) return false
  if (isDrawnFrom(draft, node)) return false
  item.kind = text(params['kind'])
  const { set: change } = params
  for (const [at, value] of Object.entries(args(change)))
    if (!setArg(node.args, at, value)) return false
  if (params['empty'] === true) draft.holds(item.thing, [])
  if (params['hot'] !== true) return true
  const heater = draft.using('heater_shaker.set_temperature')[0]
  item.at = text(heater?.args['device_id'])
  return heater !== undefined && setArg(heater.args, '/temperature_c', 95)
}

/** The thing of an argument stands somewhere else. */
const elsewhere: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  const item = node && draft.item(text(argAt(node.args, text(params['at']))))
  if (item === undefined || item.at === params['to']) return false
  item.at = text(params['to'])
  draft.facts = draft.facts.filter((one) => one.thing !== item.thing || one.fact !== 'place')
  return true
}

/** Something else stands already where a step puts a thing. */
const occupied: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  const place = text(node && argAt(node.args, text(params['at'])))
  if (place === '') return false
  const many = number(params['many'])
  for (let i = 0; i < many; i += 1) {
    draft.add({ thing: `in_the_way_${i}`, kind: text(params['kind']), at: place })
  }
  draft.facts = draft.facts.filter((one) => one.thing !== place || one.fact !== 'holds')
  return true
}

/** Loads of a rotor whose centre of mass is not on its axis. */
const rotor: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  if (node === undefined) return false
  const load = unbalanced(text(params['load']), number(params['places']), random)
  const heavy = number(params['grams'])
  node.args['tubes'] = load.map(({ position, share }) => ({ position, mass_g: heavy * share }))
  node.args['rotor'] = text(params['rotor'])
  draft.fact('centrifuge_1', 'holds', text(params['rotor']))
  node.args['speed_rpm'] = Math.min(number(node.args['speed_rpm']), number(params['rpm']))
  return true
}

/** What was the source is filled, and what was to be filled is drawn from. */
const reverse: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  const { source, destination } = node?.args ?? {}
  if (node === undefined || source === undefined || destination === undefined) return false
  if (!isEmptyGoal(draft, node)) return false
  Object.assign(node.args, { source: destination, destination: source })
  return true
}

/** The gripper opens right after it has taken something. */
const regrip: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  if (node === undefined) return false
  draft.repeat(node, 'fault_grip')
  const copy = draft.nodes.find(({ id }) => id === 'fault_grip')
  if (copy === undefined) return false
  Object.assign(copy, { tool: 'arm.open_gripper', args: { width_mm: 100 } })
  return true
}

/** Somebody is inside while the arm moves at full speed. */
const fast_inside: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  if (node === undefined) return false
  draft.fact('enclosure_A', 'people', true)
  node.args['speed_mm_s'] = 700
  return true
}

const same_position: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  const first = node && argAt(node.args, '/tubes/0/position')
  return node !== undefined && first !== undefined && setArg(node.args, '/tubes/1/position', first)
}

/** A head that cannot dose so little. */
const head: Mechanism = (draft, params, random) => {
  const node = stepOf(draft, params, random)
  if (node === undefined) return false
  Object.assign(node.args, { pipette: params['pipette'], volume_ul: params['microlitres'] })
  return true
}

export const mechanisms = {
  store,
  lift,
  set,
  reverse,
  regrip,
  fast_inside,
  same_position,
  head,
  remove,
  swap,
  repeat,
  append,
  fact,
  contents,
  labware,
  elsewhere,
  occupied,
  meet,
  pour,
  warm,
  rotor,
  stroke,
} as const satisfies Readonly<Record<string, Mechanism>>

export type MechanismName = keyof typeof mechanisms
