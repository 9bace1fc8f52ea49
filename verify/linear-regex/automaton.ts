// The position automaton of a pattern (Glushkov 1961), with a weight on each edge: in how many
// ways a backtracking matcher can take it. Weights keep the ambiguity that a plain set would hide.
import type { RegexNode } from './parse.ts'
import { unreachable } from '../../protocol/result.ts'

export interface Automaton {
  /** For each position, the symbols (indexes into the partition) it accepts. */
  readonly accepts: readonly Uint8Array[]
  readonly symbols: number
  readonly first: ReadonlyMap<number, number>
  readonly follow: readonly ReadonlyMap<number, number>[]
  readonly last: ReadonlySet<number>
  /** True when a match can only begin at offset 0. */
  readonly anchored: boolean
  /** True when `$`, `\b` or the like can still fail a path that consumed everything. */
  readonly asserts: boolean
}

type Weights = Map<number, number>
interface Part {
  first: Weights
  last: Weights
  /** In how many ways the part matches nothing. */
  empty: number
}

/** Thrown inside the build and turned into a refusal by the caller. */
export class AutomatonLimit extends Error {
  readonly reason: 'TOO_LARGE' | 'NULLABLE_LOOP'
  constructor(reason: 'TOO_LARGE' | 'NULLABLE_LOOP') {
    super(reason)
    this.reason = reason
  }
}

function addAll(into: Weights, from: ReadonlyMap<number, number>, times: number): void {
  if (times === 0) return
  for (const [key, weight] of from) into.set(key, (into.get(key) ?? 0) + weight * times)
}

class Builder {
  readonly atoms: { source: string; literal: string | null }[] = []
  readonly follow: Weights[] = []
  readonly #statesMax: number
  asserts = false

  constructor(statesMax: number) {
    this.#statesMax = statesMax
  }

  #link(from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>): void {
    for (const [a, times] of from) {
      const edges = this.follow[a]
      if (edges !== undefined) addAll(edges, to, times)
    }
  }

  #cat(a: Part, b: Part): Part {
    this.#link(a.last, b.first)
    const first = new Map(a.first)
    addAll(first, b.first, a.empty)
    const last = new Map(b.last)
    addAll(last, a.last, b.empty)
    return { first, last, empty: a.empty * b.empty }
  }

  build(node: RegexNode): Part {
    switch (node.kind) {
      case 'assert':
        this.asserts = true
        return { first: new Map(), last: new Map(), empty: 1 }
      case 'empty':
      case 'start':
        return { first: new Map(), last: new Map(), empty: 1 }
      case 'atom': {
        const at = this.atoms.length
        if (at >= this.#statesMax) throw new AutomatonLimit('TOO_LARGE')
        this.atoms.push({ source: node.source, literal: node.literal })
        this.follow.push(new Map())
        return { first: new Map([[at, 1]]), last: new Map([[at, 1]]), empty: 0 }
      }
      case 'cat': {
        let all: Part = { first: new Map(), last: new Map(), empty: 1 }
        for (const item of node.items) all = this.#cat(all, this.build(item))
        return all
      }
      case 'alt': {
        const all: Part = { first: new Map(), last: new Map(), empty: 0 }
        for (const item of node.items) {
          const part = this.build(item)
          addAll(all.first, part.first, 1)
          addAll(all.last, part.last, 1)
          all.empty += part.empty
        }
        return all
      }
      case 'rep':
        return this.#repeat(node.body, node.min, node.max)
      default:
        return unreachable(node)
    }
  }

  #repeat(body: RegexNode, min: number, max: number): Part {
    const nothing: Part = { first: new Map(), last: new Map(), empty: 1 }
    if (max === 0) return nothing
    // x{2,5} becomes xx(x(x(x)?)?)?, which is how a backtracking matcher counts.
    if (max !== Number.POSITIVE_INFINITY) {
      let tail: Part | null = null
      for (let i = max; i > 0; i -= 1) {
        const copy = this.build(body)
        if (copy.empty > 0 && max > 1) throw new AutomatonLimit('NULLABLE_LOOP')
        const joined: Part = tail === null ? copy : this.#cat(copy, tail)
        tail = i > min ? { ...joined, empty: joined.empty + 1 } : joined
      }
      return tail ?? nothing
    }
    let all = nothing
    for (let i = 0; i < Math.max(min, 1); i += 1) {
      const copy = this.build(body)
      if (copy.empty > 0) throw new AutomatonLimit('NULLABLE_LOOP')
      if (i === Math.max(min, 1) - 1) this.#link(copy.last, copy.first)
      all = this.#cat(all, copy)
    }
    return min === 0 ? { ...all, empty: all.empty + 1 } : all
  }
}

/** One past the last code unit: stands for every character outside the basic plane. */
const astral = 0x10000

/** Code units that fold together although neither is the other's upper or lower case. */
const oddFolds: Readonly<Record<string, string>> = {
  s: '\u017f',
  k: '\u212a',
  å: '\u212b',
  ω: '\u2126',
  σ: 'ς',
  ß: 'ẞ',
  µ: 'μ',
}

function literalUnits(literal: string, ignoreCase: boolean): readonly number[] {
  if ((literal.codePointAt(0) ?? 0) >= astral) return [astral]
  if (!ignoreCase) return [literal.charCodeAt(0)]
  const lower = literal.toLowerCase()
  const all = [literal, lower, literal.toUpperCase(), oddFolds[lower] ?? literal]
  return all.filter((x) => x.length === 1).map((x) => x.charCodeAt(0))
}

/** Membership of every code unit in a class, asked of the engine that will run the pattern. */
function classUnits(source: string, flags: string): Uint8Array {
  const units = new Uint8Array(astral + 1)
  const one = new RegExp(`^(?:${source})$`, flags.replace(/[dgmy]/g, ''))
  for (let unit = 0; unit < astral; unit += 1) {
    if (one.test(String.fromCharCode(unit))) units[unit] = 1
  }
  const wide =
    flags.includes('u') && (/\\[pPWDS]|\[\^|^\.|\\u\{/.test(source) || /[^\0-\x7f]/.test(source))
  if (wide) units[astral] = 1
  return units
}

/** Splits all characters into symbols that the pattern cannot tell apart. */
function partition(
  atoms: readonly { source: string; literal: string | null }[],
  flags: string,
): { accepts: Uint8Array[]; symbols: number } {
  const sets = new Map<string, Uint8Array | readonly number[]>()
  for (const atom of atoms) {
    if (sets.has(atom.source)) continue
    const { literal, source } = atom
    sets.set(
      source,
      literal === null ? classUnits(source, flags) : literalUnits(literal, flags.includes('i')),
    )
  }
  const ids = new Int32Array(astral + 1)
  let symbols = 1
  for (const set of sets.values()) {
    const renamed = new Map<number, number>()
    const move = (unit: number): void => {
      const old = ids[unit] ?? 0
      let id = renamed.get(old)
      if (id === undefined) {
        id = symbols
        symbols += 1
        renamed.set(old, id)
      }
      ids[unit] = id
    }
    if (set instanceof Uint8Array) {
      for (let unit = 0; unit <= astral; unit += 1) if (set[unit] === 1) move(unit)
    } else {
      for (const unit of new Set(set)) move(unit)
    }
  }
  const compact = new Map<number, number>()
  for (const id of ids) if (!compact.has(id)) compact.set(id, compact.size)
  const rows = new Map<string, Uint8Array>()
  for (const [source, set] of sets) {
    const row = new Uint8Array(compact.size)
    if (set instanceof Uint8Array) {
      for (let unit = 0; unit <= astral; unit += 1) {
        if (set[unit] === 1) row[compact.get(ids[unit] ?? 0) ?? 0] = 1
      }
    } else {
      for (const unit of set) row[compact.get(ids[unit] ?? 0) ?? 0] = 1
    }
    rows.set(source, row)
  }
  const none = new Uint8Array(compact.size)
  return { accepts: atoms.map((x) => rows.get(x.source) ?? none), symbols: compact.size }
}

/** True when every path through the node passes `^` before it consumes anything. */
function startsAnchored(node: RegexNode): boolean {
  if (node.kind === 'start') return true
  if (node.kind === 'alt') return node.items.every(startsAnchored)
  if (node.kind === 'rep') return node.min > 0 && startsAnchored(node.body)
  if (node.kind !== 'cat') return false
  for (const item of node.items) {
    if (startsAnchored(item)) return true
    if (item.kind !== 'assert' && item.kind !== 'empty') return false
  }
  return false
}

/** Builds the automaton of a parsed pattern. Throws AutomatonLimit past `statesMax`. */
export function buildAutomaton(node: RegexNode, flags: string, statesMax: number): Automaton {
  const builder = new Builder(statesMax)
  const whole = builder.build(node)
  const { accepts, symbols } = partition(builder.atoms, flags)
  return {
    accepts,
    symbols,
    first: whole.first,
    follow: builder.follow,
    last: new Set(whole.last.keys()),
    anchored: flags.includes('y') || startsAnchored(node),
    asserts: builder.asserts,
  }
}
