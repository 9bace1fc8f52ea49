// Reads the sensors of a row just before its call: only with the node's token in hand, only tools and
// constant arguments that the context names, one after the other. The age of a reading runs from the moment
// it was asked for, on two clocks, so that nothing that took long to come looks fresh.
import { isStale } from '../contain/preconditions.ts'
import type { Elapsed } from '../contain/go.ts'
import { canonicalForm, digestCanonical } from '../protocol/digest.ts'
import { valueAt } from '../protocol/pointer.ts'
import { freshMsOf, valueMiss } from '../protocol/precondition.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { MissedRead, PreconditionRead, ReadMiss } from '../protocol/tokens.ts'
import type { Precondition } from '../protocol/tool-meaning.ts'
import type { ToolRow } from '../protocol/tool-row.ts'
import type { CallOutcome } from './answer.ts'
import { resultOf } from './result-of.ts'

/** A reading, since when, and how long it may be used. */
export type TakenRead = {
  readonly value: PreconditionRead['value']
  readonly digest: string | null
  readonly askedMs: number
  readonly askedWallMs: number
  readonly freshMs: number
}

export type Clocks = { readonly nowMs: () => number; readonly monotonicMs: () => number }

export type Sensors = Clocks & {
  /** Reads one sensor; ends within `ms`. Null: its server cannot be asked. */
  readonly read: (reader: ToolRow, wanted: Precondition, ms: number) => Promise<CallOutcome | null>
  /** False once nobody waits for the node any more. */
  readonly wanted: () => boolean
}

const sinceAsked = (read: TakenRead, { nowMs, monotonicMs }: Clocks): Elapsed => ({
  monotonic_ms: monotonicMs() - read.askedMs,
  wall_ms: nowMs() - read.askedWallMs,
})

/** The readings as they are signed now. */
export function claimsOf(reads: readonly TakenRead[], clocks: Clocks): PreconditionRead[] {
  return reads.map((read) => {
    const { monotonic_ms, wall_ms } = sinceAsked(read, clocks)
    const age_ms = Math.max(0, Math.ceil(monotonic_ms), Math.ceil(wall_ms))
    return { value: read.value, digest: read.digest, age_ms }
  })
}

/** The first reading that has grown too old since it was asked for; null while all may be used. */
export function oldReading(reads: readonly TakenRead[], clocks: Clocks): MissedRead | null {
  const precondition = reads.findIndex((read) => isStale(sinceAsked(read, clocks), read.freshMs))
  if (precondition === -1) return null
  return { precondition, miss: 'stale', read: claimsOf(reads, clocks)[precondition] ?? null }
}

type Answered = { readonly miss: ReadMiss | null } & Pick<TakenRead, 'value' | 'digest'>

/** What one answer says of one precondition. */
async function answered(
  end: CallOutcome | null,
  wanted: Precondition,
  reader: ToolRow,
): Promise<Answered> {
  if (end === null || end.result === null) return { miss: 'error', value: null, digest: null }
  const { result } = resultOf(end.result)
  const digest = await digestCanonical('result', canonicalForm(result))
  const said = valueAt(result.data, wanted.pointer)
  const plain = typeof said === 'number' || typeof said === 'boolean'
  const value = plain || (typeof said === 'string' && said.length <= 200) ? said : null
  if (end.reason === 'result_invalid') return { miss: 'result_invalid', value, digest }
  if (end.outcome !== 'succeeded') return { miss: 'error', value, digest }
  return { miss: valueMiss(said, wanted, reader), value, digest }
}

/** Reads them all, in the order of the row; the first that does not hold ends it. */
export async function readSensors(
  preconditions: readonly Precondition[],
  rows: ReadonlyMap<string, ToolRow>,
  sensors: Sensors,
): Promise<Result<TakenRead[], MissedRead>> {
  const taken: TakenRead[] = []
  for (const [precondition, wanted] of preconditions.entries()) {
    const reader = rows.get(wanted.tool)
    if (reader === undefined || !sensors.wanted()) {
      return err({ precondition, miss: 'not_read', read: null })
    }
    const freshMs = freshMsOf(wanted)
    const asked = { askedMs: sensors.monotonicMs(), askedWallMs: sensors.nowMs() }
    const end = await sensors.read(reader, wanted, Math.max(1, Math.ceil(freshMs)))
    const { miss, value, digest } = await answered(end, wanted, reader)
    const read: TakenRead = { value, digest, ...asked, freshMs }
    if (miss !== null) {
      const [told = null] = claimsOf([read], sensors)
      return err({ precondition, miss, read: told })
    }
    taken.push(read)
    // A later sensor that is slow makes the earlier ones old.
    const old = oldReading(taken, sensors)
    if (old !== null) return err(old)
  }
  return ok(taken)
}
