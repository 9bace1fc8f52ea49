// What the scripted gateway keeps of what an agent signs; a word that does not verify fails the test.
import { verifyReport, verifyRest, verifyStart } from '../../../contain/agent-signed.ts'
import type { VerifyKeys } from '../../../contain/keys.ts'
import type { AgentSessionFrame } from '../../../protocol/frames.ts'
import type { BoundSession } from './gateway-types.ts'

/** Takes a start as it is signed. */
export async function recordStart(
  keys: VerifyKeys,
  session: BoundSession,
  frame: Extract<AgentSessionFrame, { type: 'start' }>,
  connection: string,
): Promise<void> {
  const expected = { nid: frame.nid, bound: session.bound, connection }
  const start = await verifyStart(frame.start, expected, keys)
  if (!start.ok) throw new Error(`start: ${start.error}`)
  session.starts.push(frame.nid)
  session.reads.push(start.value.reads)
}

/** Takes a report as it is signed, with its result. */
export async function recordReport(
  keys: VerifyKeys,
  session: BoundSession,
  frame: Extract<AgentSessionFrame, { type: 'report' }>,
): Promise<void> {
  const { nid, result } = frame
  const expected = { nid, bound: session.bound, result }
  const report = await verifyReport(frame.report, expected, keys)
  if (!report.ok) throw new Error(`report: ${report.error}`)
  session.reports.push(report.value)
  if (result !== undefined) session.results.set(nid, result)
}

/** Takes a word of rest, and gives its answer. */
export async function recordRest(
  keys: VerifyKeys,
  session: BoundSession,
  text: string,
): Promise<object> {
  const rest = await verifyRest(text, session.bound, keys)
  if (!rest.ok) throw new Error(`rest: ${rest.error}`)
  session.rests.push(rest.value)
  return { type: 'ack', nid: null }
}
