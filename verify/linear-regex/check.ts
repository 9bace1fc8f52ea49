// Admits a regular expression only with a proof that matching takes linear time (CWE-1333).
// The proof counts, for every possible text at once, how many backtracking paths are alive after
// each character, over all start offsets: a bound on that number bounds the work per character.
// Exponential and polynomial ambiguity, and quadratic unanchored search, all make it grow.
import { limits } from '../../protocol/limits.ts'
import { AutomatonLimit, buildAutomaton, type Automaton } from './automaton.ts'
import { lengthMaxOf } from './bounds.ts'
import { parseRegex, type RegexRefusal } from './parse.ts'
import { err, ok, type Result } from '../../protocol/result.ts'

export interface LinearProof {
  /** Edges a backtracking matcher can try per character of text, in the worst text. */
  readonly stepsPerChar: number
  /** The longest text a match can span, in characters; Infinity when it has no bound. */
  readonly lengthMax: number
}

export interface LinearOptions {
  readonly stepsPerCharMax?: number
  /** How much larger than the ordinary bound a proof may grow; for patterns of our own. */
  readonly proofScale?: number
}

/** How often each position is reached, over all live paths. */
interface Front {
  readonly counts: ReadonlyMap<number, number>
  /** A match is already certain, so that no later start offset is tried. */
  readonly matched: boolean
  readonly steps: number
}

/** A front after one more character, by how many symbols, and its name: the same for the same counts. */
interface Step extends Front {
  readonly symbols: number
  readonly key: string
}

function degree(edges: ReadonlyMap<number, number> | undefined): number {
  let sum = 1
  for (const weight of edges?.values() ?? []) sum += weight
  return sum
}

class Prover {
  readonly #a: Automaton
  readonly #degrees: readonly number[]
  readonly #anchored: boolean
  readonly #restart: number

  constructor(a: Automaton, anchored: boolean) {
    this.#a = a
    this.#degrees = a.follow.map(degree)
    this.#anchored = anchored
    this.#restart = anchored ? 0 : degree(a.first)
  }

  start(): Front {
    return { counts: new Map(), matched: false, steps: degree(this.#a.first) }
  }

  /** The fronts after one more character. Symbols that the live paths cannot tell apart share one. */
  next(front: Front, initial: boolean): Step[] {
    const totals = new Map<number, number>()
    const spread = (edges: ReadonlyMap<number, number>, times: number): void => {
      for (const [to, weight] of edges) totals.set(to, (totals.get(to) ?? 0) + weight * times)
    }
    for (const [at, n] of front.counts) spread(this.#a.follow[at] ?? new Map(), n)
    if (initial || (!this.#anchored && !front.matched)) spread(this.#a.first, 1)
    const reached = [...totals.keys()]
    const sorted = reached.toSorted((a, b) => a - b)
    return this.#classes(reached).map(({ symbol, symbols }) => {
      const takes = (to: number): boolean => this.#a.accepts[to]?.[symbol] === 1
      const counts = new Map<number, number>()
      for (const to of reached) if (takes(to)) counts.set(to, totals.get(to) ?? 0)
      const one = this.#front(counts, front.matched)
      let key = one.matched ? '!' : ''
      for (const to of sorted) if (takes(to)) key += `${to}:${totals.get(to) ?? 0},`
      return { ...one, symbols, key }
    })
  }

  /** Groups of symbols that the same of these positions take; one of each group, and how many it has. */
  #classes(reached: readonly number[]): { symbol: number; symbols: number }[] {
    const ids = new Int32Array(this.#a.symbols)
    let classes = 1
    for (const to of reached) {
      const row = this.#a.accepts[to]
      if (row === undefined) continue
      const renamed = new Int32Array(classes)
      for (let symbol = 0; symbol < row.length; symbol += 1) {
        if (row[symbol] === 0) continue
        const old = ids[symbol] ?? 0
        if (renamed[old] === 0) renamed[old] = classes++
        ids[symbol] = renamed[old] ?? 0
      }
    }
    const sizes = new Int32Array(classes)
    for (const id of ids) sizes[id] = (sizes[id] ?? 0) + 1
    const out: { symbol: number; symbols: number }[] = []
    for (const to of reached) {
      const row = this.#a.accepts[to]
      if (row === undefined) continue
      for (let symbol = 0; symbol < row.length; symbol += 1) {
        const id = ids[symbol] ?? 0
        const size = sizes[id] ?? 0
        if (row[symbol] === 0 || size === 0) continue
        sizes[id] = 0
        out.push({ symbol, symbols: size })
      }
    }
    return out
  }

  #front(counts: ReadonlyMap<number, number>, before: boolean): Front {
    let steps = this.#restart
    let matched = before
    for (const [at, n] of counts) {
      steps += n * (this.#degrees[at] ?? 1)
      if (!this.#a.asserts && this.#a.last.has(at)) matched = true
    }
    return { counts, matched, steps }
  }
}

/** The most steps after one character, over all texts. */
function worstSteps(
  a: Automaton,
  anchored: boolean,
  options: Required<LinearOptions>,
): Result<number, RegexRefusal> {
  const { stepsPerCharMax: stepsMax, proofScale } = options
  const prover = new Prover(a, anchored)
  const seen = new Set<string>()
  const stack: Front[] = [prover.start()]
  let worst = 0
  let work = 0
  let initial = true
  for (let front = stack.pop(); front !== undefined; front = stack.pop()) {
    worst = Math.max(worst, front.steps)
    if (worst > stepsMax) {
      const message = `some text costs more than ${stepsMax} steps a character`
      return err({ code: 'SUPER_LINEAR', at: 0, message })
    }
    const next = prover.next(front, initial)
    initial = false
    let symbols = 0
    for (const one of next) {
      symbols += one.symbols
      work += one.symbols * (one.counts.size + 1)
      if (seen.has(one.key)) continue
      seen.add(one.key)
      stack.push(one)
    }
    if (
      seen.size > limits.regexFrontsMax * proofScale ||
      work > limits.regexProofWorkMax * proofScale
    ) {
      return err({ code: 'TOO_COMPLEX', at: 0, message: 'no proof within the bound on its size' })
    }
    // Trying the costliest front first finds growth early.
    if (symbols > 1) {
      const tail = stack.splice(Math.max(0, stack.length - symbols))
      stack.push(...tail.toSorted((x, y) => x.steps - y.steps))
    }
  }
  return ok(worst)
}

function prove(
  a: Automaton,
  lengthMax: number,
  options: Required<LinearOptions>,
): Result<LinearProof, RegexRefusal> {
  const one = worstSteps(a, true, options)
  if (!one.ok) return one
  if (a.anchored) return ok({ stepsPerChar: one.value, lengthMax })
  // A character lies within reach of at most lengthMax start offsets.
  const product = one.value * (lengthMax + 1)
  if (product <= options.stepsPerCharMax) return ok({ stepsPerChar: product, lengthMax })
  const all = worstSteps(a, false, options)
  return all.ok ? ok({ stepsPerChar: all.value, lengthMax }) : all
}

/**
 * Proves that `RegExp(pattern, flags).test(text)` takes time linear in the text, for every text.
 *
 * Refused: backreferences, look-around, inline flags, a repeated part that can match nothing, and
 * whatever lets the number of live paths grow: nested or neighbouring repetition over the same
 * characters ((a+)+, a*a*), and an unanchored leading repetition (a+b). `$` and `\b` are taken as
 * always passing, so the bound is an upper one; a safe pattern can be refused, not the reverse.
 * Costs milliseconds: call it when a pattern is approved, not when it is used.
 * Background: Weideman et al. 2016 (ambiguity of NFAs and ReDoS).
 */
export function checkLinear(
  pattern: string,
  flags = '',
  options: LinearOptions = {},
): Result<LinearProof, RegexRefusal> {
  if (pattern.length > limits.regexCharsMax) {
    const message = `longer than ${limits.regexCharsMax} characters`
    return err({ code: 'TOO_LARGE', at: limits.regexCharsMax, message })
  }
  const tree = parseRegex(pattern, flags)
  if (!tree.ok) return tree
  try {
    const automaton = buildAutomaton(tree.value, flags, limits.regexStatesMax)
    return prove(automaton, lengthMaxOf(tree.value), {
      stepsPerCharMax: options.stepsPerCharMax ?? limits.regexStepsPerCharMax,
      proofScale: options.proofScale ?? 1,
    })
  } catch (error) {
    if (!(error instanceof AutomatonLimit)) throw error
    const message =
      error.reason === 'TOO_LARGE'
        ? `more than ${limits.regexStatesMax} positions when repetitions are written out`
        : 'a part that can match nothing is repeated'
    return err({ code: error.reason, at: 0, message })
  }
}
