// Parses the regular-expression syntax that the linear-time proof can reason about.
// Danger: a pattern from a site or a tool schema is code that runs on hostile text (CWE-1333).
import { err, ok, type Result } from '../../protocol/result.ts'

export type RegexNode =
  | { readonly kind: 'empty' }
  /** `^` without the multiline flag. */
  | { readonly kind: 'start' }
  /** `$`, `\b`, `\B` or a multiline `^`: consumes nothing, may fail. */
  | { readonly kind: 'assert' }
  /** One character or class, as its own source text. */
  | { readonly kind: 'atom'; readonly source: string; readonly literal: string | null }
  | { readonly kind: 'cat'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'alt'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'rep'; readonly body: RegexNode; readonly min: number; readonly max: number }

export type RegexRefusalCode =
  | 'SYNTAX'
  | 'FLAGS'
  | 'BACKREFERENCE'
  | 'LOOK_AROUND'
  | 'GROUP_MODIFIER'
  | 'NULLABLE_LOOP'
  | 'TOO_LARGE'
  | 'SUPER_LINEAR'
  | 'TOO_COMPLEX'

export interface RegexRefusal {
  readonly code: RegexRefusalCode
  /** UTF-16 offset in the pattern; 0 when the whole pattern is meant. */
  readonly at: number
  readonly message: string
}

/** Nesting past this has no use in a pattern and would cost stack. */
const depthMax = 64

class Refused extends Error {
  readonly refusal: RegexRefusal
  constructor(refusal: RegexRefusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

const controlLetters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  f: '\f',
  '0': '\0',
}

/** Recursive descent over a pattern that `new RegExp` has already accepted. */
class Parser {
  readonly #text: string
  readonly #unicode: boolean
  readonly #multiline: boolean
  #at = 0

  constructor(text: string, flags: string) {
    this.#text = text
    this.#unicode = flags.includes('u')
    this.#multiline = flags.includes('m')
  }

  parse(): RegexNode {
    const node = this.#alternatives(0)
    if (this.#at < this.#text.length) this.#refuse('SYNTAX', 'unexpected character')
    return node
  }

  #refuse(code: RegexRefusalCode, message: string): never {
    throw new Refused({ code, at: this.#at, message })
  }

  #alternatives(depth: number): RegexNode {
    if (depth > depthMax) this.#refuse('TOO_LARGE', `groups are nested deeper than ${depthMax}`)
    const items = [this.#sequence(depth)]
    while (this.#text[this.#at] === '|') {
      this.#at += 1
      items.push(this.#sequence(depth))
    }
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'alt', items }
  }

  #sequence(depth: number): RegexNode {
    const items: RegexNode[] = []
    while (this.#at < this.#text.length) {
      const c = this.#text[this.#at]
      if (c === '|' || c === ')') break
      items.push(this.#quantified(this.#term(depth)))
    }
    if (items.length === 0) return { kind: 'empty' }
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'cat', items }
  }

  #term(depth: number): RegexNode {
    const c = this.#text[this.#at]
    if (c === '(') return this.#group(depth)
    if (c === '[') return this.#characterClass()
    if (c === '\\') return this.#escape()
    if (c === '^') {
      this.#at += 1
      return { kind: this.#multiline ? 'assert' : 'start' }
    }
    if (c === '$') {
      this.#at += 1
      return { kind: 'assert' }
    }
    if (c === '.') {
      this.#at += 1
      return { kind: 'atom', source: '.', literal: null }
    }
    const point = this.#unicode ? (this.#text.codePointAt(this.#at) ?? 0) : -1
    const literal = point > 0xffff ? String.fromCodePoint(point) : (c ?? '')
    this.#at += literal.length
    return { kind: 'atom', source: literal, literal }
  }

  #group(depth: number): RegexNode {
    const rest = this.#text.slice(this.#at, this.#at + 4)
    if (/^\(\?(?:=|!|<=|<!)/.test(rest)) {
      this.#refuse('LOOK_AROUND', 'look-ahead and look-behind are not in the linear subset')
    }
    let open = 1
    if (rest.startsWith('(?:')) open = 3
    else if (rest.startsWith('(?<')) open = this.#text.indexOf('>', this.#at) - this.#at + 1
    else if (rest.startsWith('(?')) {
      this.#refuse('GROUP_MODIFIER', 'inline flags are not in the linear subset')
    }
    this.#at += open
    const body = this.#alternatives(depth + 1)
    if (this.#text[this.#at] !== ')') this.#refuse('SYNTAX', 'a group is not closed')
    this.#at += 1
    return body
  }

  #characterClass(): RegexNode {
    const from = this.#at
    this.#at += 1
    while (this.#at < this.#text.length && this.#text[this.#at] !== ']') {
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1
    }
    this.#at += 1
    return { kind: 'atom', source: this.#text.slice(from, this.#at), literal: null }
  }

  #escape(): RegexNode {
    const from = this.#at
    const c = this.#text[from + 1] ?? ''
    if (c === 'b' || c === 'B') {
      this.#at += 2
      return { kind: 'assert' }
    }
    if ((c >= '1' && c <= '9') || c === 'k') {
      this.#refuse('BACKREFERENCE', 'a backreference cannot be matched in linear time')
    }
    const rest = this.#text.slice(from)
    const long =
      /^\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|c[A-Za-z])/.exec(rest) ??
      (this.#unicode ? /^\\(?:u\{[0-9a-fA-F]+\}|[pP]\{[^}]*\})/.exec(rest) : null)
    const source = long?.[0] ?? rest.slice(0, 2)
    this.#at += source.length
    const plain = /^\\[^A-Za-z0-9]$/.test(source) ? source.slice(1) : controlLetters[c]
    return { kind: 'atom', source, literal: long === null && plain !== undefined ? plain : null }
  }

  #quantified(body: RegexNode): RegexNode {
    const at = this.#at
    const sign0 = this.#text[at]
    if (sign0 !== '*' && sign0 !== '+' && sign0 !== '?' && sign0 !== '{') return body
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#text.slice(at, at + 40))
    if (found === null) return body
    this.#at += found[0].length
    const sign = found[0][0]
    const low = sign === '{' ? Number(found[1]) : sign === '+' ? 1 : 0
    let high = sign === '?' ? 1 : Number.POSITIVE_INFINITY
    if (sign === '{') {
      if (found[2] === '') high = low
      else if (found[3] !== '') high = Number(found[3])
    }
    return { kind: 'rep', body, min: low, max: high }
  }
}

/** The tree of `pattern`, or why it lies outside the subset. `new RegExp` must accept it first. */
export function parseRegex(pattern: string, flags: string): Result<RegexNode, RegexRefusal> {
  if (!/^[dgimsuy]*$/.test(flags)) {
    return err({ code: 'FLAGS', at: 0, message: 'only the flags d, g, i, m, s, u and y are read' })
  }
  try {
    RegExp(pattern, flags)
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not a regular expression'
    return err({ code: 'SYNTAX', at: 0, message: message.slice(0, 200) })
  }
  try {
    return ok(new Parser(pattern, flags).parse())
  } catch (error) {
    if (error instanceof Refused) return err(error.refusal)
    throw error
  }
}
