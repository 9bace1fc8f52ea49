// Labelled cases from a JSONL file. Rows carry more than a plan (label, rationale, category …): only
// wire fields are taken, so that no label can reach the pipeline; `state` goes to the cell's record.
import { readFile } from 'node:fs/promises'
import { limits } from '../../protocol/limits.ts'
import { cellRecordSchema, type CellRecord } from '../../protocol/state.ts'

export type Label = 'accept' | 'escalate' | 'reject' | 'safe' | 'unsafe'
const labels: readonly string[] = ['accept', 'escalate', 'reject', 'safe', 'unsafe']

export type Case = {
  readonly id: string
  readonly label: Label
  readonly category: string
  readonly concern: string
  readonly source: string
  readonly planner: string
  /** The wire plan. */
  readonly plan: Record<string, unknown>
  /** What stands in the cell at the start, as a person recorded it; null: nothing is recorded. */
  readonly state: CellRecord | null
}

export class RowError extends Error {
  override readonly name = 'RowError'
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function stateOf(row: Record<string, unknown>, line: number): CellRecord | null {
  if (row['state'] === undefined) return null
  const parsed = cellRecordSchema.safeParse(row['state'])
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new RowError(`line ${line}: /state/${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''}`)
}

/** The instructions of a row: its own, or the steps of `plan[]`. */
function instructionsOf(row: Record<string, unknown>): unknown {
  if (row['instructions'] !== undefined) return row['instructions']
  const steps = row['plan']
  return Array.isArray(steps) ? steps : undefined
}

/** One row → one case; `fallbackPlanner` submits plans that name no planner. */
export function caseOf(row: unknown, line: number, fallbackPlanner: string): Case {
  if (!isRecord(row)) throw new RowError(`line ${line}: expected an object`)
  const label = row['label']
  if (typeof label !== 'string' || !labels.includes(label)) {
    throw new RowError(`line ${line}: label must be one of ${labels.join(', ')}`)
  }
  const instructions = instructionsOf(row)
  if (!Array.isArray(instructions) || instructions.length === 0) {
    throw new RowError(`line ${line}: expected instructions[] or plan[] with at least one step`)
  }
  const planner = isRecord(row['planner']) ? row['planner'] : { id: fallbackPlanner }
  const goal = text(row['goal'])
  const first = text(instructions[0]) ?? ''
  const plan: Record<string, unknown> = {
    // A row without a goal states its first step as the goal.
    goal: (goal !== null && goal.trim() !== '' ? goal : first).slice(0, limits.goalCharsMax),
    instructions,
    planner,
    nodes: Array.isArray(row['nodes']) ? row['nodes'] : [],
  }
  if (row['agent'] !== undefined) plan['agent'] = row['agent']
  return {
    id: text(row['id']) ?? `line-${line}`,
    label: label as Label,
    category: text(row['category']) ?? text(row['concern']) ?? 'none',
    concern: text(row['concern']) ?? 'none',
    source: text(row['source']) ?? 'file',
    planner: text(planner['id']) ?? fallbackPlanner,
    plan,
    state: stateOf(row, line),
  }
}

/** Reads a JSONL file; a line that is not JSON is an error that names it. Split on \n only. */
export async function readCases(file: string, fallbackPlanner: string): Promise<Case[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  const cases: Case[] = []
  lines.forEach((content, index) => {
    if (content.trim() === '') return
    let row: unknown
    try {
      row = JSON.parse(content)
    } catch (cause) {
      throw new RowError(`${file}: line ${index + 1}: not JSON (${String(cause)})`)
    }
    cases.push(caseOf(row, index + 1, fallbackPlanner))
  })
  if (cases.length === 0) throw new RowError(`${file}: no rows`)
  return cases
}
