// Wells, columns and tubes that an instruction counts ("the first spin column", "the last row"), against
// the parts that its steps use. A part that is told by number in words is as told as `A1`.
import data from '../lexicon/ordinals.json' with { type: 'json' }
import { tokenise } from '../lexicon/words.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { Sentence, Step } from '../read/scene.ts'
import { breach, type Rule } from './rule.ts'

type Counted = {
  readonly nth: number
  readonly what: 'column' | 'row' | 'position'
  /** "from the first well": where something is taken, not where it goes. */
  readonly from: boolean
}
type Part = {
  readonly step: Step
  readonly at: string
  readonly part: string
  readonly shape: Shape
  readonly from: boolean
}
type Shape = { readonly rows: number; readonly columns: number }

const ordinals = new Map<string, number>(Object.entries(data.ordinals))
const ends = new Set(data.ends)
const nouns = new Map<string, Counted['what']>([
  ...data.columns.map((word) => [word, 'column'] as const),
  ...data.rows.map((word) => [word, 'row'] as const),
  ...data.positions.map((word) => [word, 'position'] as const),
])
/** Words between an ordinal and its noun: "the first spin column". */
const between = 2

const numbered = new Set(data.numbered)

/** `column 3`, `row C`: the number behind the noun; null where it is none or begins a range or dose. */
function numberBehind(tokens: readonly string[], i: number): number | null {
  const next = tokens[i + 1] ?? ''
  if (!numbered.has(tokens[i] ?? '')) return null
  if (nouns.get(tokens[i] ?? '') === 'row' && /^[b-p]$/.test(next)) return next.charCodeAt(0) - 96
  const goesOn =
    ['to', 'and', 'or'].includes(tokens[i + 2] ?? '') || /^\d/.test(tokens[i + 2] ?? '')
  return /^[1-9]\d?$/.test(next) && !goesOn ? Number(next) : null
}

function countedIn(text: string): Counted[] {
  const tokens = tokenise(text)
  return tokens.flatMap((token, i) => {
    const number = numberBehind(tokens, i)
    const noun = nouns.get(token)
    if (number !== null && noun !== undefined) {
      return [
        { nth: number, what: noun, from: tokens.slice(Math.max(0, i - 2), i).includes('from') },
      ]
    }
    const nth = ordinals.get(token)
    if (nth === undefined) return []
    for (let k = i + 1; k <= i + 1 + between; k++) {
      const word = tokens[k] ?? ''
      const what = nouns.get(word)
      const from = tokens.slice(Math.max(0, i - 2), i).includes('from')
      if (what !== undefined) return [{ nth, what: isPair(tokens, k) ? 'position' : what, from }]
      if (ends.has(word) || word === '') return []
    }
    return []
  })
}

/** "spin column", "gel column": a thing that stands in a rack, and no column of a plate. */
const isPair = (tokens: readonly string[], at: number): boolean => {
  const before = tokens[at - 1] ?? ''
  return nouns.get(tokens[at] ?? '') === 'column' && !ordinals.has(before)
}

const index = (nth: number, length: number): number => (nth < 0 ? length - 1 : nth - 1)

/** Rows and columns that a part covers, from 0; null where it is not one place of the shape. */
function coveredBy(
  part: string,
): { readonly row: number | null; readonly column: number | null } | null {
  const well = /^([A-P])([0-9]{1,2})$/.exec(part)
  if (well !== null) {
    return { row: (well[1] ?? '').charCodeAt(0) - 65, column: Number(well[2]) - 1 }
  }
  const column = /^col:([0-9]{1,2})$/.exec(part)
  if (column !== null) return { row: null, column: Number(column[1]) - 1 }
  const row = /^row:([A-P])$/.exec(part)
  if (row !== null) return { row: (row[1] ?? '').charCodeAt(0) - 65, column: null }
  return null
}

function fits({ nth, what }: Counted, { part, shape }: Part): boolean {
  if (part === '*') return false
  const { rows, columns } = shape
  const total = index(nth, rows * columns)
  if (/^[0-9]+$/.test(part)) return Number(part) - 1 === total
  const covered = coveredBy(part)
  if (covered === null) return true
  const { row, column } = covered
  if (what === 'column') return column === null || column === index(nth, columns)
  if (what === 'row') return row === null || row === index(nth, rows)
  // People count along rows or down columns; either is what was told.
  const ways = [
    [Math.floor(total / columns), total % columns],
    [total % rows, Math.floor(total / rows)],
  ]
  return ways.some(([r, c]) => (row === null || row === r) && (column === null || column === c))
}

function partsOf(
  sentence: Sentence,
  steps: readonly Step[],
  shapes: ReadonlyMap<string, Shape>,
): Part[] {
  return sentence.carried_by.flatMap((i) => {
    const step = steps[i]
    if (step === undefined) return []
    return step.acts.flatMap((act) =>
      Object.entries(act.roles).flatMap(([role, values]) =>
        values.flatMap((value): Part[] => {
          if (value.kind !== 'thing' && value.kind !== 'place') return []
          const { part, kind } = value.ref
          const shape = shapes.get(kind ?? '')
          if (shape === undefined || part === null) return []
          return [{ step, at: value.at, part, shape, from: role === 'from' }]
        }),
      ),
    )
  })
}

/** Counted parts, sentence by sentence: each has a step that uses it. */
export const toldOrdinals: Rule = {
  id: 'told_ordinals',
  check: ({ scene, registry }) => {
    const shapes = shapesOf(registry)
    return {
      breaches: scene.sentences.flatMap((sentence) => {
        const counted = countedIn(sentence.text)
        if (counted.length === 0) return []
        const parts = partsOf(sentence, scene.steps, shapes)
        const [first] = parts
        if (first === undefined) return []
        const open = counted.find((one) => {
          const meant = parts.filter(({ from }) => from === one.from)
          return !(meant.length > 0 ? meant : parts).some((part) => fits(one, part))
        })
        if (open === undefined) return []
        const told = `${open.nth < 0 ? 'last' : `no. ${open.nth}`} ${open.what}`
        return [
          breach('TOLD_NAME_DIFFERS', first, {
            verdict: 'escalate',
            facts: { told, has: first.part },
          }),
        ]
      }),
    }
  },
}

/** Kinds with more than one place. */
function shapesOf({ kinds }: Registry): ReadonlyMap<string, Shape> {
  return new Map(
    kinds.flatMap(({ id, rows, columns }) =>
      rows === undefined || columns === undefined || rows * columns < 2
        ? []
        : [[id, { rows, columns }] as const],
    ),
  )
}
