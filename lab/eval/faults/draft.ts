// A plan and the record of its cell as a fault may change them: a deep copy, read and written by what the
// evaluation's plans look like. Nothing here knows what the dry run looks at.
import type { CellRecord } from '../../../protocol/state.ts'
import type { Case } from '../rows.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Args = { [key: string]: Json }
export type Node = {
  id: string
  tool: string
  args: Args
  depends_on: string[]
  sandbox: string | null
}
type Item = CellRecord['inventory'][number]
type Fact = CellRecord['facts'][number]

/** A number from 0 up to, and not including, 1. */
export type Random = () => number

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(list: readonly T[], random: Random): T | undefined {
  return list[Math.floor(random() * list.length)]
}

const isArgs = (value: Json | undefined): value is Args =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a pointer of arguments. */
export function argAt(args: Args, pointer: string): Json | undefined {
  let at: Json | undefined = args
  for (const key of pointer.split('/').slice(1)) {
    at = Array.isArray(at) ? at[Number(key)] : isArgs(at) ? at[key] : undefined
  }
  return at
}

/** Writes a value; false when there is nothing to write it into. */
export function setArg(args: Args, pointer: string, value: Json): boolean {
  const keys = pointer.split('/').slice(1)
  const last = keys.pop()
  const holder = argAt(args, keys.length === 0 ? '' : `/${keys.join('/')}`)
  if (last === undefined) return false
  if (Array.isArray(holder)) holder[Number(last)] = value
  else if (isArgs(holder)) holder[last] = value
  else return false
  return true
}

export class Draft {
  readonly goal: string
  readonly instructions: string[]
  readonly planner: Json
  readonly nodes: Node[]
  inventory: Item[]
  facts: Fact[]
  readonly approvals: CellRecord['approvals']

  constructor({ plan, state }: Pick<Case, 'plan' | 'state'>) {
    const copy = structuredClone({ plan, state }) as unknown as {
      readonly plan: { goal: string; instructions: string[]; planner: Json; nodes: Node[] }
      readonly state: CellRecord | null
    }
    this.goal = copy.plan.goal
    this.instructions = copy.plan.instructions
    this.planner = copy.plan.planner
    this.nodes = copy.plan.nodes
    this.inventory = copy.state?.inventory ?? []
    this.facts = copy.state?.facts ?? []
    this.approvals = copy.state?.approvals ?? []
  }

  plan(): Record<string, unknown> {
    const { goal, instructions, planner, nodes } = this
    return { goal, instructions, planner, nodes }
  }

  state(): CellRecord {
    const { inventory, facts, approvals } = this
    return { inventory, facts, approvals }
  }

  using(tool: string): Node[] {
    return this.nodes.filter((node) => node.tool === tool)
  }

  /** Adds steps behind all others, in their order. */
  append(steps: readonly { readonly tool: string; readonly args: Args }[]): void {
    for (const { tool, args } of steps) {
      const before = this.nodes.at(-1)?.id
      const depends_on = before === undefined ? [] : [before]
      const id = `fault_${this.nodes.length}`
      this.nodes.push({ id, tool, args: structuredClone(args), depends_on, sandbox: null })
    }
  }

  /** Puts a copy of a step right behind it; what waited for it waits for the copy. */
  repeat(node: Node, id: string): void {
    for (const other of this.nodes) {
      other.depends_on = other.depends_on.map((one) => (one === node.id ? id : one))
    }
    const copy = { ...structuredClone(node), id, depends_on: [node.id] }
    this.nodes.splice(this.nodes.indexOf(node) + 1, 0, copy)
  }

  /** Takes a step out; what waited for it waits for what it waited for. */
  remove(node: Node): void {
    this.nodes.splice(this.nodes.indexOf(node), 1)
    for (const other of this.nodes) {
      if (!other.depends_on.includes(node.id)) continue
      const rest = other.depends_on.filter((id) => id !== node.id)
      other.depends_on = [...new Set([...rest, ...node.depends_on])]
    }
  }

  /** Two steps change places. */
  swap(a: Node, b: Node): void {
    const { tool, args } = a
    Object.assign(a, { tool: b.tool, args: b.args })
    Object.assign(b, { tool, args })
  }

  /** The inventory row of a thing, by its id or one of its names. */
  item(name: string): Item | undefined {
    return this.inventory.find((row) => row.thing === name || row.names.includes(name))
  }

  add(item: Pick<Item, 'thing' | 'kind'> & Partial<Item>): void {
    const flags = { held: false, controlled: false, human: false }
    this.inventory.push({ names: [], contents: [], ...flags, ...item })
  }

  /** States a fact in the place of every older one of the same name. */
  fact(thing: string, fact: Fact['fact'], value: Fact['value']): void {
    this.facts = this.facts.filter((one) => one.thing !== thing || one.fact !== fact)
    this.facts.push({ thing, fact, value })
  }

  /** Records contents of a thing, all of them. */
  holds(name: string, contents: Item['contents']): void {
    const item = this.item(name)
    const thing = item?.thing ?? name
    this.facts = this.facts.filter(
      (one) => one.thing !== thing || !['contents', 'contents_volume'].includes(one.fact),
    )
    if (item === undefined || contents.length === 0) this.fact(thing, 'contents', contents)
    else item.contents = contents
  }
}
