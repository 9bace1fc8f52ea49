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

/** How often each position is reached, over all live paths; sparse and sorted by position. */
interface Front {
  readonly counts: ReadonlyMap<number, number>
  /** A match is already certain, so that no later start offset is tried. */
  readonly matched: boolean
  readonly steps: number
}

function keyOf(counts: ReadonlyMap<number, number>, matched: boolean): string {
  const sorted = [...counts].toSorted((a, b) => a[0] - b[0])
  let key = matched ? '!' : ''
  for (const [at, n] of sorted) key += `${at}:${n},`
  return key
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

  /** The fronts after one more character, one for each symbol that keeps some path alive. */
  next(front: Front, initial: boolean): Front[] {
    const bySymbol = new Map<number, Map<number, number>>()
    const spread = (edges: ReadonlyMap<number, number>, times: number): void => {
      for (const [to, weight] of edges) {
        const row = this.#a.accepts[to]
        if (row === undefined) continue
        for (let symbol = 0; symbol < row.length; symbol += 1) {
          if (row[symbol] === 0) continue
          const counts = bySymbol.get(symbol) ?? new Map<number, number>()
          bySymbol.set(symbol, counts)
          counts.set(to, (counts.get(to) ?? 0) + weight * times)
        }
      }
    }
    for (const [at, n] of front.counts) spread(this.#a.follow[at] ?? new Map(), n)
    if (initial || (!this.#anchored && !front.matched)) spread(this.#a.first, 1)
    return [...bySymbol.values()].map((counts) => this.#front(counts, front.matched))
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
    for (const one of next) {
      work += one.counts.size + 1
      const key = keyOf(one.counts, one.matched)
      if (seen.has(key)) continue
      seen.add(key)
      stack.push(one)
    }
    if (
      seen.size > limits.regexFrontsMax * proofScale ||
      work > limits.regexProofWorkMax * proofScale
    ) {
      return err({ code: 'TOO_COMPLEX', at: 0, message: 'no proof within the bound on its size' })
    }
    // Trying the costliest front first finds growth early.
    if (next.length > 1) {
      const tail = stack.splice(Math.max(0, stack.length - next.length))
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
