// Rows that are searched for rather than tried at words: those of scripts without spaces, and those that need
// punctuation.
import { spend, type Budget } from './budget.ts'
import { gramKey, gramSlots } from './gate.ts'
import { gateOf, regexOf, type Compiled, type Need, type PatternLibrary } from './library.ts'
import type { Match } from './match.ts'
import { negatedAround, negatedShare } from './negation.ts'
import type { Traits } from './traits.ts'
import { scripts } from './types.ts'

/** Hits of the rows for scripts without reliable spaces. */
export function matchScripts(
  text: string,
  traits: Traits,
  library: PatternLibrary,
  budget: Budget,
): Match[] {
  const found: Match[] = []
  const shown = scripts.some((script) => traits[script] > 0)
  for (const row of shown ? library.scan : library.scanAny) {
    if (row.script !== null && traits[row.script] === 0) continue
    search(row, text, budget, found)
  }
  return found
}

/** For each key of three characters, the turn in which a text held it; a turn is one text. */
const grams = new Int32Array(gramSlots)
let turn = 0
const turnMax = 1_073_741_824

function readGrams(text: string): void {
  if (turn >= turnMax) {
    grams.fill(0)
    turn = 0
  }
  turn += 1
  let a = text.charCodeAt(0)
  let b = text.charCodeAt(1)
  for (let i = 2; i < text.length; i += 1) {
    const c = text.charCodeAt(i)
    grams[gramKey(a, b, c)] = turn
    a = b
    b = c
  }
}

/** Whether a literal occurs; most are ruled out by their first three characters. */
const holds = (text: string, need: Need): boolean =>
  (need.gram < 0 || grams[need.gram] === turn) && text.includes(need.text)

/** Hits of the rows that need punctuation, in lower-cased text that holds these marks. */
export function matchRaw(
  text: string,
  marks: number,
  library: PatternLibrary,
  budget: Budget,
): Match[] {
  const found: Match[] = []
  readGrams(text)
  for (const row of library.raw) {
    const gate = row.gate ?? gateOf(row)
    if (lacks(gate.marks, marks)) continue
    if (row.needs.some((need) => holds(text, need))) search(row, text, budget, found)
  }
  return found
}

/** Whether some set of marks has none among those that the text holds. */
function lacks(sets: readonly number[], marks: number): boolean {
  for (const set of sets) if ((set & marks) === 0) return true
  return false
}

const searchShift = 6

function search(row: Compiled, text: string, budget: Budget, found: Match[]): void {
  // A search reads the whole text, at a fraction of a trial for each character.
  if (!spend(budget, 1 + (text.length >> searchShift))) return
  const regex = regexOf(row, 'search')
  regex.lastIndex = 0
  const hit = regex.exec(text)
  if (hit === null) return
  const to = hit.index + hit[0].length
  const voided = row.negatable && negatedAround(text, hit.index, to)
  const weight = voided ? row.weight * negatedShare : row.weight
  found.push({ row, from: hit.index, to, weight })
}
