// The part of a dry run that the packet keeps, bounded; and both digests.
import { digest } from '../protocol/digest.ts'
import type { PacketTrace } from '../protocol/packet-trace.ts'
import type { CellState } from '../protocol/state.ts'
import type { Trace } from './simulate/trace.ts'

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`

/** Infinite ends of intervals have no form in JSON: they become null in what is digested. */
const plain = (trace: Trace): object => JSON.parse(JSON.stringify(trace)) as object

/** What the packet keeps of a trace; `changed` says what differed since it was decided before. */
export async function packetTraceOf(
  trace: Trace,
  state: CellState,
  changed: PacketTrace['changed'],
): Promise<PacketTrace> {
  return {
    state_digest: await digest('state', state),
    trace_digest: await digest('trace', plain(trace)),
    steps: trace.steps.map(({ node, at, sentence, rules }) => {
      return { node, at, sentence: cut(sentence, 1_000), rules: [...rules] }
    }),
    left_on: trace.left_on.slice(0, 500).map(({ thing, fact, shown }) => {
      return { thing: cut(thing, 120), fact, shown: cut(shown, 200) }
    }),
    rested_on: trace.rested_on.slice(0, 2_000).map(({ thing, part, fact }) => {
      return { thing: cut(thing, 120), part, fact }
    }),
    changed: [...changed],
  }
}
