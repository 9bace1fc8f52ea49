// Code that never ends. A sandbox has a time limit, and until then the machine is taken and whatever waits
// for its result stands still. Danger: such code is short, harmless to read and reaches nothing. Loops are
// found by their own words and brackets, in one walk; nothing is run.
import words from '../lexicon/endless.json' with { type: 'json' }

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

type Token = { readonly text: string; readonly at: number; readonly end: number }

/** The code with what stands in comments and strings blanked, as long as before. */
function bare(code: string): string {
  let out = ''
  for (let i = 0; i < code.length; i++) {
    const sign = code[i] ?? ''
    if (sign === '#') {
      const end = code.indexOf('\n', i)
      const stop = end < 0 ? code.length : end
      out += ' '.repeat(stop - i)
      i = stop - 1
    } else if (sign === '"' || sign === "'") {
      let end = i + 1
      while (end < code.length && code[end] !== sign && code[end] !== '\n') {
        end += code[end] === '\\' ? 2 : 1
      }
      const stop = Math.min(end + 1, code.length)
      // A string is a constant that holds: `while "x":`.
      out += `1${' '.repeat(stop - i - 1)}`
      i = stop - 1
    } else out += sign
  }
  return out
}

const tokenPattern = /[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*|\n|\S/g

const tokensOf = (code: string): Token[] =>
  [...code.matchAll(tokenPattern)].map((hit) => ({
    text: hit[0],
    at: hit.index,
    end: hit.index + hit[0].length,
  }))

const opening: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Index of the token that closes the bracket at `from`; the last token where nothing does. */
function closes(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let i = from; i < tokens.length; i++) {
    const text = tokens[i]?.text ?? ''
    if (text in opening) depth += 1
    else if (text === ')' || text === ']' || text === '}') {
      depth -= 1
      if (depth === 0) return i
    }
  }
  return tokens.length - 1
}

const indentOf = (code: string, at: number): number => {
  const start = code.lastIndexOf('\n', at - 1) + 1
  return (/^[ \t]*/.exec(code.slice(start, at + 1))?.[0] ?? '').length
}

type Loop = { readonly condition: readonly Token[] | null; readonly body: readonly Token[] }

/** The block after a colon: the rest of its line, or the lines that stand further in. */
function indented(code: string, tokens: readonly Token[], from: number, at: number): Token[] {
  const indent = indentOf(code, at)
  const body: Token[] = []
  let fresh = false
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined) break
    if (token.text === '\n') fresh = true
    else {
      if (fresh && indentOf(code, token.at) <= indent) break
      fresh = false
      body.push(token)
    }
  }
  return body
}

/** The block after a bracketed condition or a bare loop word: braces, or the rest of the line. */
function braced(tokens: readonly Token[], from: number): readonly Token[] {
  const start = tokens[from]?.text === '\n' ? from + 1 : from
  if (tokens[start]?.text === '{') return tokens.slice(start + 1, closes(tokens, start))
  const end = tokens.findIndex((token, i) => i >= start && /^[\n;]$/.test(token.text))
  return tokens.slice(start, end < 0 ? tokens.length : end)
}

function loopAt(code: string, tokens: readonly Token[], i: number): Loop | null {
  const word = tokens[i]?.text ?? ''
  const next = tokens[i + 1]?.text ?? ''
  // A name that merely ends or begins like one: `x.repeat`, `repeat(3)`.
  if (tokens[i - 1]?.text === '.') return null
  if (bareLoops.has(word)) {
    return next === '{' || next === '\n' ? { condition: null, body: braced(tokens, i + 1) } : null
  }
  if (word === 'for' && next === '(') {
    const end = closes(tokens, i + 1)
    const head = tokens.slice(i + 2, end)
    const [first, second] = head.flatMap(({ text }, k) => (text === ';' ? [k] : []))
    if (first === undefined || second === undefined) return null
    return { condition: head.slice(first + 1, second), body: braced(tokens, end + 1) }
  }
  if (!loops.has(word)) return null
  const at = tokens[i]?.at ?? 0
  for (let k = i + 1; k < tokens.length; k++) {
    const text = tokens[k]?.text ?? ''
    if (text === ':' && tokens[k + 1]?.text !== '=') {
      return { condition: tokens.slice(i + 1, k), body: indented(code, tokens, k + 1, at) }
    }
    if (text === '\n' || text === ';' || text === '{') break
    if (text in opening) k = closes(tokens, k)
  }
  if (next !== '(') return null
  const end = closes(tokens, i + 1)
  if (tokens[end]?.text !== ')') return null
  return { condition: tokens.slice(i + 2, end), body: braced(tokens, end + 1) }
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
function argumentsOf(tokens: readonly Token[], open: number): Token[][] {
  const end = closes(tokens, open)
  const out: Token[][] = [[]]
  for (let k = open + 1; k < end; k++) {
    const token = tokens[k]
    if (token === undefined) break
    if (token.text === ',') out.push([])
    else if (token.text in opening) {
      const stop = closes(tokens, k)
      out.at(-1)?.push(...tokens.slice(k, stop + 1))
      k = stop
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

function callEnds(tokens: readonly Token[], i: number, all: ReadonlySet<string>): boolean {
  const name = tokens[i]?.text ?? ''
  const given = argumentsOf(tokens, i + 1)
  const iterator = words.iterators.find(({ call }) => call === name)
  if (iterator !== undefined) {
    const known = iterator.with === undefined || all.has(iterator.with)
    if (known && (iterator.arguments === null || given.length === iterator.arguments)) return false
  }
  if (waits.has(name)) return false
  const biggest = Math.max(0, ...given.map((one) => numberOf(one) ?? 0))
  if (counted.has(name)) return biggest <= words.count_max
  return !sleeps.has(name) || biggest <= words.sleep_s_max
}

/** Whether code ends, as far as its own text shows; null: nothing speaks against it. */
export function endingOfCode(source: string): Ending | null {
  const code = bare(source)
  const tokens = tokensOf(code)
  const all = new Set(tokens.map(({ text }) => text))
  let found: Ending | null = null
  for (let i = 0; i < tokens.length; i++) {
    const loop = loopAt(code, tokens, i)
    const ending = loop === null ? null : endingOf(loop)
    if (ending === 'never') return 'never'
    if (ending === 'open') found = 'open'
    const token = tokens[i]
    const calls = token !== undefined && isName(token) && tokens[i + 1]?.text === '('
    if (calls && !callEnds(tokens, i, all)) found = 'open'
  }
  return found
}
