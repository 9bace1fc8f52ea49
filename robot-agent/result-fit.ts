// Whether an answer is what its tool's row says an answer looks like: the pinned `outputSchema`, and the
// declared results. The danger: a device that begins to answer in other words or another unit is taken
// for one that measured something else.
import { Validator } from '@cfworker/json-schema'
import { dimensions } from '../protocol/acts.ts'
import { valueAt } from '../protocol/pointer.ts'
import type { ToolRow } from '../protocol/tool-row.ts'
import { unitOf } from '../protocol/units.ts'

/** Structured content as it came, and the data of the answer: that, or the JSON in its first text. */
export type AnswerData = { readonly structured: unknown; readonly data: unknown }
type Meaning = NonNullable<ToolRow['results']>[string]

const detailCharsMax = 200

/** Why the answer does not fit, in plain words; null when it does. Total, whatever the answer is. */
export function misfitOf(
  { structured, data }: AnswerData,
  row: Pick<ToolRow, 'results' | 'output_schema'>,
): string | null {
  const schema = row.output_schema
  const why = schema === undefined ? null : schemaMisfit(structured, schema)
  if (why !== null) return why.slice(0, detailCharsMax)
  for (const [at, meaning] of Object.entries(row.results ?? {})) {
    const wrong = valueMisfit(data, at, meaning)
    if (wrong !== null) return `${at}: ${wrong}`.slice(0, detailCharsMax)
  }
  return null
}

function schemaMisfit(value: unknown, schema: NonNullable<ToolRow['output_schema']>) {
  if (value === undefined) return 'no structured content, which the output schema asks for'
  try {
    const { valid, errors } = new Validator(schema, '2020-12').validate(value)
    const last = errors.at(-1)
    return valid ? null : `${last?.instanceLocation ?? '#'}: ${last?.error ?? 'does not fit'}`
  } catch {
    // An answer too deep to walk, or a schema that refers to nothing: not checked is not fitting.
    return 'the output schema cannot be applied to it'
  }
}

/** A quantity is a finite number in its unit; a closed text is one of its values. */
function valueMisfit(data: unknown, at: string, meaning: Meaning): string | null {
  const value = valueAt(data, at)
  if (value === undefined || value === null) return 'missing'
  const { unit, unit_at, quantity, values } = meaning
  const isNumber = unit !== undefined || (quantity !== null && Object.hasOwn(dimensions, quantity))
  if (isNumber && !(typeof value === 'number' && Number.isFinite(value))) return 'no finite number'
  const isListed = typeof value === 'string' && values?.includes(value) === true
  if (values !== undefined && !isListed) return 'none of the declared values'
  if (unit_at === undefined) return null
  const told = valueAt(data, unit_at)
  return typeof told === 'string' && isUnit(told, unit) ? null : 'in another unit than declared'
}

/** The same unit, whatever its spelling; one that is not read is the same only letter by letter. */
function isUnit(told: string, declared: string | undefined): boolean {
  if (declared === undefined) return false
  if (told === declared) return true
  const [a, b] = [unitOf(told), unitOf(declared)]
  if (a === null || b === null) return false
  return a.dim === b.dim && a.num === b.num && a.den === b.den && a.offset === b.offset
}
