// Code that never ends. A sandbox has a time limit, and until then the machine is taken and whatever waits
// for its result stands still. Danger: such code is short, harmless to read and reaches nothing. Loops are
// found by their own words and brackets, in one walk; nothing is run.
import words from '../lexicon/endless.json' with { type: 'json' }
import { codeOf, hasTightHash, type Code, type Token } from './code-tokens.ts'

const loops = new Set(words.loops)
const bareLoops = new Set(words.bare_loops)
const exits = new Set(words.exits)
const constants = new Set(words.constants)
const never = new Set(words.never)
const waits = new Set(words.waits)
const counted = new Set(words.counted)
const sleeps = new Set(words.sleeps)

export type Ending =
  /** A loop that nothing leaves. */
  | 'never'
  /** Whether it ends depends on what is not seen here. */
  | 'open'

/** Tokens that were looked at for loops and calls, over all of them. */
export type Steps = { taken: number }
/** Loops in loops are read once for each; honest code of the longest plan stays far below. */
export const maxSteps = 500_000

type Loop = { readonly condition: readonly Token[] | null; readonly body: readonly Token[] }

/** The block after a colon: the rest of its line, or the lines that stand further in. */
function indented(tokens: readonly Token[], from: number, indent: number, steps: Steps): Token[] {
  const body: Token[] = []
  let fresh = false
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined) break
    steps.taken += 1
    if (token.text === '\n') fresh = true
    else {
      if (fresh && token.indent <= indent) break
      fresh = false
      body.push(token)
    }
  }
  return body
}

function between(tokens: readonly Token[], from: number, to: number, steps: Steps) {
  steps.taken += Math.max(0, to - from)
  return tokens.slice(from, to)
}

/** The block after a bracketed condition or a bare loop word: braces, or the rest of the line. */
function braced(tokens: readonly Token[], from: number, steps: Steps): readonly Token[] {
  const start = tokens[from]?.text === '\n' ? from + 1 : from
  const first = tokens[start]
  if (first?.text === '{') return between(tokens, start + 1, first.closes, steps)
  let end = start
  while (end < tokens.length && !/^[\n;]$/.test(tokens[end]?.text ?? '')) end += 1
  return between(tokens, start, end, steps)
}

function loopAt(tokens: readonly Token[], i: number, steps: Steps): Loop | null {
  const word = tokens[i]?.text ?? ''
  const next = tokens[i + 1]
  // A name that merely ends or begins like one: `x.repeat`, `repeat(3)`.
  if (tokens[i - 1]?.text === '.') return null
  if (bareLoops.has(word)) {
    return next?.text === '{' || next?.text === '\n'
      ? { condition: null, body: braced(tokens, i + 1, steps) }
      : null
  }
  if (word === 'for' && next?.text === '(') {
    const end = next.closes
    const head = between(tokens, i + 2, end, steps)
    const [first, second] = head.flatMap(({ text }, k) => (text === ';' ? [k] : []))
    if (first === undefined || second === undefined) return null
    return { condition: head.slice(first + 1, second), body: braced(tokens, end + 1, steps) }
  }
  if (!loops.has(word)) return null
  for (let k = i + 1; k < tokens.length; k++) {
    steps.taken += 1
    const { text, closes } = tokens[k] ?? { text: '', closes: -1 }
    if (text === ':' && tokens[k + 1]?.text !== '=') {
      const condition = between(tokens, i + 1, k, steps)
      return { condition, body: indented(tokens, k + 1, tokens[i]?.indent ?? 0, steps) }
    }
    if (text === '\n' || text === ';' || text === '{') break
    if (closes >= 0) k = closes
  }
  if (next?.text !== '(' || tokens[next.closes]?.text !== ')') return null
  return {
    condition: between(tokens, i + 2, next.closes, steps),
    body: braced(tokens, next.closes + 1, steps),
  }
}

const isName = ({ text }: Token): boolean => /^[A-Za-z_]/.test(text)

/** Something in the body may make the condition another one: an assignment, a method, an element. */
function changes(body: readonly Token[], names: ReadonlySet<string>): boolean {
  return body.some((token, k) => {
    if (!names.has(token.text)) return false
    const [one, two] = [body[k + 1]?.text ?? '', body[k + 2]?.text ?? '']
    if (one === '=' && two !== '=') return true
    if (one === '<' && two === '-') return true
    if (/^[-+*/%&|^:]$/.test(one) && /^[=*/]$/.test(two)) return true
    const before = body[k - 1]?.text ?? ''
    return one === '.' || one === '[' || before === 'del' || before === 'for' || before === ','
  })
}

function endingOf({ condition, body }: Loop): Ending | null {
  const leaves = body.some((token) => exits.has(token.text))
  const tokens = (condition ?? []).filter(({ text }) => text !== '\n')
  const plain = tokens.map(({ text }) => text.toLowerCase()).filter((text) => !/^[()]$/.test(text))
  if (plain.length === 1 && never.has(plain[0] ?? '')) return null
  const names = new Set(
    tokens.filter((t) => isName(t) && !constants.has(t.text.toLowerCase())).map(({ text }) => text),
  )
  if (names.size === 0) return leaves ? 'open' : 'never'
  if (leaves || changes(body, names)) return null
  // A call may give another answer each time.
  const calls = tokens.some((t, k) => isName(t) && tokens[k + 1]?.text === '(')
  return calls || body.some(({ text }) => text === '(') ? 'open' : 'never'
}

/** The arguments of a call at `open`, split at its own commas. */
function argumentsOf(tokens: readonly Token[], open: number, steps: Steps): Token[][] {
  const end = tokens[open]?.closes ?? open
  steps.taken += end - open
  const out: Token[][] = [[]]
  for (let k = open + 1; k < end; k++) {
    const token = tokens[k]
    if (token === undefined) break
    if (token.text === ',') out.push([])
    else if (token.closes >= 0) {
      for (; k < token.closes; k++) out.at(-1)?.push(tokens[k] ?? token)
      out.at(-1)?.push(tokens[k] ?? token)
    } else if (token.text !== '\n') out.at(-1)?.push(token)
  }
  return out.filter((one) => one.length > 0)
}

/** A product or power of numbers that stand there; null for anything else. */
function numberOf(tokens: readonly Token[]): number | null {
  const text = tokens.map((token) => token.text).join('')
  if (!/^[0-9][0-9a-zA-Z_.*+^-]{0,40}$/.test(text)) return null
  const towers = text
    .split(/\*\*|\^/)
    .map((part) =>
      part.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1),
    )
  return towers.reduceRight((exponent, base) => base ** exponent)
}

const iterators = new Map(words.iterators.map((one) => [one.call, one]))

function callEnds(
  tokens: readonly Token[],
  i: number,
  all: ReadonlySet<string>,
  steps: Steps,
): boolean {
  const name = tokens[i]?.text ?? ''
  if (waits.has(name)) return false
  const iterator = iterators.get(name)
  if (iterator === undefined && !counted.has(name) && !sleeps.has(name)) return true
  const given = argumentsOf(tokens, i + 1, steps)
  if (iterator !== undefined) {
    const known = iterator.with === undefined || all.has(iterator.with)
    if (known && (iterator.arguments === null || given.length === iterator.arguments)) return false
  }
  const biggest = given.reduce((most, one) => Math.max(most, numberOf(one) ?? 0), 0)
  if (counted.has(name)) return biggest <= words.count_max
  return !sleeps.has(name) || biggest <= words.sleep_s_max
}

function endingOfTokens({ tokens, is_unsure }: Code, steps: Steps): Ending | null {
  const all = new Set(tokens.map(({ text }) => text))
  let found: Ending | null = is_unsure ? 'open' : null
  for (let i = 0; i < tokens.length; i++) {
    // What is too much to read is not known to end.
    if (steps.taken > maxSteps) return 'open'
    const loop = loopAt(tokens, i, steps)
    const ending = loop === null ? null : endingOf(loop)
    if (ending === 'never') return 'never'
    if (ending === 'open') found = 'open'
    const token = tokens[i]
    const calls = token !== undefined && isName(token) && tokens[i + 1]?.text === '('
    if (calls && !callEnds(tokens, i, all, steps)) found = 'open'
  }
  return found
}

/**
 * Whether code ends, as far as its own text shows; null: nothing speaks against it. `steps` counts what is
 * looked at, beside one walk over the text; above `maxSteps` the answer is `open`.
 */
export function endingOfCode(source: string, steps: Steps = { taken: 0 }): Ending | null {
  const loose = endingOfTokens(codeOf(source, { tight: false }), steps)
  if (!hasTightHash(source)) return loose
  // Read both ways: a comment that is taken for code, or code for a comment, may hide a loop.
  const tight = endingOfTokens(codeOf(source, { tight: true }), steps)
  return loose === tight ? loose : 'open'
}
