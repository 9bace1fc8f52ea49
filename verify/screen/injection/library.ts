// Turns pattern sets (data) into something that can be tried quickly: expressions with their
// slots written out, indexed by the first four characters of the words they can begin with.
// Adding a set only adds rows: there is no way to remove, replace or exempt one.
import { lengthMaxOf } from '../../linear-regex/bounds.ts'
import { parseRegex } from '../../linear-regex/parse.ts'
import { crossesSentences, cuesOf, gramOf, keyOf, markGates, prefixes, type Cue } from './gate.ts'
import type { Category, PatternRow, PatternSet, Script } from './types.ts'

export interface Compiled {
  readonly index: number
  readonly id: string
  readonly category: Category
  readonly language: string
  readonly weight: number
  readonly negatable: boolean
  readonly order: boolean
  /** Writes the expression out; most rows never come up and never need it. */
  readonly write: () => string
  readonly needs: readonly Need[]
  /** Units of the budget that one trial takes. */
  readonly cost: number
  readonly script: Script | null
  /** Compiled by the engine on first use, since most rows never come up. */
  regex: RegExp | null
  /** What a text must hold for the row to hit, found on first use. */
  gate: Gate | null
}

/** A literal that a text must hold, and the key of its first three characters, −1 when it has fewer. */
export interface Need {
  readonly text: string
  readonly gram: number
}

/** What must be there before a row is tried. */
export interface Gate {
  /** For `words`: of each cue, one beginning of a word within reach of the match. */
  readonly cues: readonly Cue[]
  /** The longest text that a match can span. */
  readonly reach: number
  /** Whether a match can go on behind the end of a sentence. */
  readonly crosses: boolean
  /** For `raw`: of each set of marks, one. */
  readonly marks: readonly number[]
}

export interface PatternLibrary {
  readonly rows: readonly Compiled[]
  /** Rows tried at a word that begins with these characters (four, or three and 0), by `headKey`. */
  readonly heads: ReadonlyMap<number, readonly Compiled[]>
  /** One bit for each key modulo its size: refuses most words without a look-up. */
  readonly headBits: Uint8Array
  readonly scan: readonly Compiled[]
  /** Those of `scan` that no script has to announce. */
  readonly scanAny: readonly Compiled[]
  readonly raw: readonly Compiled[]
}

export const headBitsSize = 65_536

/** Writes out slots, gaps (`~N`) and open word ends (`%`). Throws on an unknown slot. `wide`
 * drops the bounds on the length of words, for the linear-time proof. */
export function expand(row: PatternRow, set: PatternSet, wide = false): string {
  if (set.view === 'raw') return row.pattern
  const slot = (text: string): string =>
    text.replaceAll(/<([a-z_0-9]+)>/g, (_, name: string) => {
      const found = set.slots[name]
      if (found === undefined) throw new TypeError(`pattern ${row.id}: no slot <${name}>`)
      return `(?:${slot(found)})`
    })
  const gap = set.view === 'words' ? `(?: [^ |]${wide ? '+' : '{1,40}'}){0,$1}?` : '[^|]{0,$1}?'
  const written = slot(row.pattern)
    .replaceAll(/~(\d+)/g, gap)
    .replaceAll('%', wide ? '[^ |]*' : '[^ |]{0,12}')
  // The fold resolves compatibility forms (Thai ำ, Devanagari nuqta letters): so must the pattern.
  return set.view === 'words' ? `(?:${written}) ` : written.normalize('NFKC')
}

/** Calls `visit` for each character outside any group. */
function outside(pattern: string, visit: (c: string, at: number) => boolean): void {
  let depth = 0
  for (let i = 0; i < pattern.length; i += 1) {
    const c = pattern[i] ?? ''
    if (c === '(') depth += 1
    else if (c === ')') depth -= 1
    else if (depth === 0 && visit(c, i)) return
  }
}

/** The part of a pattern in front of its first gap or space, or all of it when it has a choice. */
function headOf(pattern: string): string {
  let end = pattern.length
  outside(pattern, (c, at) => {
    if (c === '|') end = pattern.length
    else if ((c === ' ' || c === '~') && end === pattern.length) end = at
    return c === '|'
  })
  return pattern.slice(0, end)
}

/**
 * The three or four fixed characters with which a match can begin, so that a row is tried only
 * at words that can begin it. Throws on a pattern whose beginning is open.
 */
export function headsOf(
  row: PatternRow,
  set: PatternSet,
  known = new Map<string, readonly string[]>(),
): readonly string[] {
  const written = expand({ ...row, pattern: headOf(row.pattern) }, set)
  const before = known.get(written)
  if (before !== undefined) return before
  const tree = parseRegex(written, '')
  if (!tree.ok) throw new TypeError(`pattern ${row.id}: ${tree.error.message}`)
  const fixed = [...prefixes(tree.value)].map((head) => head.split('\0')[0] ?? '')
  for (const head of fixed) {
    if (head.length < 3) {
      throw new TypeError(`pattern ${row.id}: "${head}" does not fix three characters`)
    }
  }
  const heads = [...new Set(fixed)]
  known.set(written, heads)
  return heads
}

/** Units of work that one trial of a pattern can cost: the ways its gaps can be filled. */
function costOf(pattern: string): number {
  let cost = 1
  for (const [, words] of pattern.matchAll(/~(\d+)/g)) cost *= 1 + Number(words)
  return Math.min(cost, 64)
}

function compileRow(index: number, row: PatternRow, set: PatternSet): Compiled {
  return {
    index,
    id: row.id,
    category: row.category,
    language: set.language,
    weight: row.weight,
    negatable: row.negatable ?? false,
    order: row.order ?? false,
    write: () => expand(row, set),
    needs: (row.needs ?? []).map((text) => ({ text, gram: gramOf(text) })),
    cost: costOf(row.pattern),
    script: set.script ?? null,
    regex: null,
    gate: null,
  }
}

/**
 * Builds a library from data. Throws on a mistake in the data (unknown slot, repeated id, open
 * head): shipped sets are covered by tests, a site's set passes `approvePatternSet` first.
 */
export function compileLibrary(sets: readonly PatternSet[]): PatternLibrary {
  const rows: Compiled[] = []
  const scan: Compiled[] = []
  const raw: Compiled[] = []
  const heads = new Map<number, Compiled[]>()
  const headBits = new Uint8Array(headBitsSize)
  const ids = new Set<string>()
  // Rows of a set share their first slot: its heads are found once.
  const known = new Map<string, readonly string[]>()
  for (const set of sets) {
    for (const row of set.patterns) {
      if (ids.has(row.id)) throw new TypeError(`pattern ${row.id} exists twice`)
      ids.add(row.id)
      const compiled = compileRow(rows.length, row, set)
      rows.push(compiled)
      if (set.view === 'scan') scan.push(compiled)
      else if (set.view === 'raw') raw.push(compiled)
      else {
        for (const head of headsOf(row, set, known)) {
          const key = keyOf(head)
          const bucket = heads.get(key) ?? []
          if (!bucket.includes(compiled)) bucket.push(compiled)
          heads.set(key, bucket)
          headBits[key & (headBitsSize - 1)] = 1
        }
      }
    }
  }
  const scanAny = scan.filter(({ script }) => script === null)
  return { rows, heads, headBits, scan, scanAny, raw }
}

/** The engine's form of a row: sticky for `words`, searching otherwise. */
export function regexOf(row: Compiled, view: 'words' | 'search'): RegExp {
  row.regex ??= new RegExp(row.write(), view === 'words' ? 'y' : 'g')
  return row.regex
}

/** What a text must hold for a row to hit. An expression that cannot be read has no gate. */
export function gateOf(row: Compiled): Gate {
  if (row.gate === null) {
    const tree = parseRegex(row.write(), '')
    row.gate = tree.ok
      ? {
          cues: cuesOf(tree.value),
          reach: lengthMaxOf(tree.value),
          crosses: crossesSentences(tree.value),
          marks: markGates(tree.value),
        }
      : { cues: [], reach: Number.POSITIVE_INFINITY, crosses: true, marks: [] }
  }
  return row.gate
}
