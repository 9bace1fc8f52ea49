// The words and signs of code, with the brackets matched and the lines measured in one walk. Danger: code comes
// from a planner and is as long as a plan may be; whatever looks for a bracket again at each word takes time
// with the square of the length.

export type Token = {
  readonly text: string
  /** Columns that its line stands in. */
  readonly indent: number
  /** Index of the token that closes this bracket, the last one where nothing does; -1: no opening bracket. */
  readonly closes: number
}

export type Code = {
  readonly tokens: readonly Token[]
  /** A quote is not closed on its line: what is text and what is code is a guess. */
  readonly is_unsure: boolean
}

const openers = new Set(['(', '[', '{'])
const closers = new Set([')', ']', '}'])

/** Index behind the string that begins at `from`, and whether its quote is closed. */
function stringAt(code: string, from: number): { readonly end: number; readonly closed: boolean } {
  const sign = code[from] ?? ''
  const triple = sign.repeat(3)
  if (code.startsWith(triple, from)) {
    const end = code.indexOf(triple, from + 3)
    return end < 0 ? { end: code.length, closed: false } : { end: end + 3, closed: true }
  }
  let end = from + 1
  while (end < code.length && code[end] !== sign && code[end] !== '\n') {
    end += code[end] === '\\' ? 2 : 1
  }
  return { end: Math.min(end + 1, code.length), closed: code[end] === sign }
}

/** A `#` right behind a word or sign: a comment in some languages, and part of a name in others. */
const tightHash = /\S#/
export const hasTightHash = (code: string): boolean => tightHash.test(code)

/** The code with what stands in comments and strings blanked. */
function bare(code: string, tight: boolean): { readonly text: string; readonly unsure: boolean } {
  const out: string[] = []
  let unsure = false
  for (let i = 0; i < code.length; i++) {
    const sign = code[i] ?? ''
    if (sign === '#' && (tight || i === 0 || /\s/.test(code[i - 1] ?? ''))) {
      const end = code.indexOf('\n', i)
      i = (end < 0 ? code.length : end) - 1
    } else if (sign === '"' || sign === "'") {
      const { end, closed } = stringAt(code, i)
      if (!closed) unsure = true
      // A string is a constant that holds: `while "x":`. An open one leaves its line as it is.
      out.push(' 1 ', !closed && code[end - 1] === '\n' ? '\n' : '')
      i = end - 1
    } else out.push(sign)
  }
  return { text: out.join(''), unsure }
}

const tokenPattern = /[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*|\n|\S/g
const leading = /^[ \t]*/

/**
 * Code as tokens, without comments and with each string as the number 1. `tight`: a `#` begins a comment
 * wherever it stands, and not only at the start of a line and after a blank.
 */
export function codeOf(source: string, { tight }: { readonly tight: boolean }): Code {
  const { text, unsure } = bare(source, tight)
  const tokens: { text: string; indent: number; closes: number }[] = []
  const open: { closes: number }[] = []
  for (const line of text.split(/(?<=\n)/)) {
    const indent = leading.exec(line)?.[0].length ?? 0
    for (const [word] of line.matchAll(tokenPattern)) {
      const token = { text: word, indent, closes: -1 }
      if (openers.has(word)) open.push(token)
      const opened = closers.has(word) ? open.pop() : undefined
      if (opened !== undefined) opened.closes = tokens.length
      tokens.push(token)
    }
  }
  for (const token of open) token.closes = tokens.length - 1
  return { tokens, is_unsure: unsure }
}
