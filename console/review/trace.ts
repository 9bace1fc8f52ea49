// The dry run of a plan, step by step, in words. It is derived again from the record by the gateway; the page
// shows it only when it is the one whose digest the packet names, so it stays inside what is decided.
import { digest } from '../../protocol/digest.ts'
import { call, part, type ReviewRecord } from '../api.ts'

/** Ends that are not known are null. */
type Interval = { lo: number | null; hi: number | null }
type Content = { substance: { raw: string }; volume: Interval; drawn_from: string | null }
export type FactValue =
  | { kind: 'quantity'; value: Interval; unit: string }
  | { kind: 'flag'; value: boolean | null }
  | { kind: 'word'; value: string | null }
  | { kind: 'contents'; value: Content[] | null }
export type Changed = {
  thing: string
  part: string | null
  fact: string
  before: FactValue | null
  after: FactValue | null
}
export type TraceStep = { node: string; sure: boolean; changes: Changed[] }

/** The steps of the dry run, or why they are not shown. */
export async function readTrace(
  plan: string,
  packet: ReviewRecord['packet'],
): Promise<TraceStep[] | string> {
  const { trace } = await call<{ trace: { steps: TraceStep[] } }>(
    'GET',
    `/v1/reviews/${part(plan)}/trace`,
  )
  return (await digest('trace', trace)) === packet?.trace?.trace_digest
    ? trace.steps
    : 'What each step changes cannot be shown: it is not the dry run that the packet names.'
}

const number = (value: number): string => String(Number(value.toPrecision(6)))

function interval({ lo, hi }: Interval, unit: string): string {
  if (lo === null && hi === null) return 'not known'
  if (lo === null) return `at most ${number(hi ?? 0)} ${unit}`
  if (hi === null) return `${number(lo)} ${unit} or more`
  return lo === hi ? `${number(lo)} ${unit}` : `${number(lo)} to ${number(hi)} ${unit}`
}

/** One value in words; what is not known says so. */
export function valueInWords(value: FactValue | null): string {
  if (value === null) return 'not known'
  switch (value.kind) {
    case 'quantity':
      return interval(value.value, value.unit)
    case 'flag':
      return value.value === null ? 'not known' : value.value ? 'yes' : 'no'
    case 'word':
      return value.value ?? 'not known'
    case 'contents':
      if (value.value === null) return 'not known'
      if (value.value.length === 0) return 'nothing'
      return value.value
        .map(({ substance, volume, drawn_from }) => {
          const from = drawn_from === null ? '' : ` from ${drawn_from}`
          return `${substance.raw}${from} (${interval(volume, 'µL')})`
        })
        .join(', ')
  }
}

export const thingInWords = ({ thing, part: of }: Pick<Changed, 'thing' | 'part'>): string =>
  of === null ? thing : `${thing} ${of}`

/** `beaker_1, contents: nothing → water (10 µL)`. */
export function changeInWords(changed: Changed): string {
  const { fact, before, after } = changed
  const what = `${thingInWords(changed)}, ${fact.replaceAll('_', ' ')}`
  return `${what}: ${valueInWords(before)} → ${valueInWords(after)}`
}
