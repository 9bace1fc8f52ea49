// What must become of a plan with references and conditions, said once more and by other means: a walk over
// the graph with plain arithmetic, written apart from the product code. Where both disagree, one is wrong.
import type { RunCondition } from '../../../protocol/condition.ts'
import type { JsonValue } from '../../../protocol/json.ts'

/** Numbers are in mg; `ug` is a thousand times as many, exactly, for the numbers that are used here. */
export type Unit = 'mg' | 'ug'
export type Taken =
  | {
      readonly node: string
      readonly pointer: string
      readonly unit: Unit
      readonly min: number
      readonly max: number
    }
  | {
      readonly node: string
      readonly pointer: string
      readonly enum: readonly (string | boolean)[]
    }

export type ModelNode = {
  readonly id: string
  readonly deps: readonly string[]
  readonly takes: readonly Taken[]
  readonly when: RunCondition | null
  readonly require: RunCondition | null
  /** What its device answers; null: it fails. */
  readonly answers: { readonly x: JsonValue | undefined; readonly s: JsonValue | undefined } | null
}

export type Expected = {
  /** Node → the values that its call gets, in the order in which they are called. */
  readonly called: ReadonlyMap<string, readonly (string | number | boolean)[]>
  readonly skipped: ReadonlyMap<string, readonly (string | number | boolean)[]>
  readonly end: 'completed' | 'node_failed' | 'reference_missed' | 'require_not_met'
}

const declared = new Set(['/x', '/s'])
const missed = Symbol('missed')
type Value = string | number | boolean | typeof missed

const carried = (value: number): boolean =>
  value > -(2 ** 53) && value < 2 ** 53 && 1 / value !== -Infinity

class Walk {
  readonly #nodes: readonly ModelNode[]
  readonly called = new Map<string, readonly (string | number | boolean)[]>()
  readonly skipped = new Map<string, readonly (string | number | boolean)[]>()
  /** Of the condition that is being looked at. */
  #compared: (string | number | boolean)[] = []

  constructor(nodes: readonly ModelNode[]) {
    this.#nodes = nodes
  }

  /** Whether a way leads from `to` back to `from`. */
  #behind(to: ModelNode, from: string): boolean {
    return to.deps.some((dep) => dep === from || this.#behind(this.#node(dep), from))
  }

  #node(id: string): ModelNode {
    const node = this.#nodes.find((one) => one.id === id)
    if (node === undefined) throw new TypeError(`no node ${id}`)
    return node
  }

  #raw(by: ModelNode, id: string, pointer: string): JsonValue | typeof missed {
    if (!this.#nodes.some((one) => one.id === id) || !this.#behind(by, id)) return missed
    if (!this.called.has(id) || !declared.has(pointer)) return missed
    const { answers } = this.#node(id)
    // An answer with a number that JSON does not carry unchanged is not taken as data at all.
    if (typeof answers?.x === 'number' && !carried(answers.x)) return missed
    return answers?.[pointer === '/x' ? 'x' : 's'] ?? missed
  }

  #number(by: ModelNode, from: { node: string; pointer: string; unit: Unit }): Value {
    const raw = this.#raw(by, from.node, from.pointer)
    if (typeof raw !== 'number') return missed
    const value = from.unit === 'ug' ? raw * 1_000 : raw
    return carried(value) ? value : missed
  }

  #taken(by: ModelNode, from: Taken): Value {
    if ('enum' in from) {
      const raw = this.#raw(by, from.node, from.pointer)
      if (typeof raw !== 'string' && typeof raw !== 'boolean') return missed
      return from.enum.some((one) => one === raw) ? raw : missed
    }
    const value = this.#number(by, from)
    if (typeof value !== 'number') return missed
    return value < from.min || value > from.max ? missed : value
  }

  /** true, false, or missed when any comparison below has no value. */
  #holds(by: ModelNode, one: RunCondition): boolean | typeof missed {
    if ('all' in one || 'any' in one) {
      const parts = 'all' in one ? one.all : one.any
      const read = parts.map((part) => this.#holds(by, part))
      if (read.includes(missed)) return missed
      return 'all' in one ? !read.includes(false) : read.includes(true)
    }
    if ('not' in one) {
      const read = this.#holds(by, one.not)
      return read === missed ? missed : !read
    }
    const { node, pointer } = one.result
    const ordered = one.gt !== undefined || one.le !== undefined
    let value: Value
    if (ordered) value = this.#number(by, { node, pointer, unit: one.unit === 'ug' ? 'ug' : 'mg' })
    else {
      const raw = this.#raw(by, node, pointer)
      value = typeof raw === 'string' ? raw : missed
    }
    if (value === missed) return missed
    this.#compared.push(value)
    if (ordered) {
      const number = Number(value)
      return (one.gt === undefined || number > one.gt) && (one.le === undefined || number <= one.le)
    }
    return one.eq !== undefined ? value === one.eq : value !== one.ne
  }

  #asked(by: ModelNode, condition: RunCondition | null) {
    this.#compared = []
    const holds = condition === null ? true : this.#holds(by, condition)
    return { holds, compared: this.#compared }
  }

  /** The next by the smallest id whose dependencies are done; the end once there is none. */
  run(): Expected {
    const { called, skipped } = this
    const end = (how: Expected['end']): Expected => ({ called, skipped, end: how })
    for (;;) {
      const done = (id: string) => called.has(id) || skipped.has(id)
      const ready = this.#nodes.filter(({ id, deps }) => !done(id) && deps.every(done))
      const [node] = ready.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      if (node === undefined) return end('completed')
      if (node.deps.some((dep) => skipped.has(dep))) {
        skipped.set(node.id, [])
        continue
      }
      const when = this.#asked(node, node.when)
      if (when.holds === missed) return end('reference_missed')
      if (!when.holds) {
        skipped.set(node.id, when.compared)
        continue
      }
      const must = this.#asked(node, node.require)
      if (must.holds === missed) return end('reference_missed')
      if (!must.holds) return end('require_not_met')
      const values = node.takes.map((from) => this.#taken(node, from))
      const known = values.filter((value) => value !== missed)
      if (known.length < values.length) return end('reference_missed')
      called.set(node.id, known)
      if (node.answers === null) return end('node_failed')
    }
  }
}

/** What must become of these nodes. */
export const expectedOf = (nodes: readonly ModelNode[]): Expected => new Walk(nodes).run()
