// One incoming frame of a session socket: size, JSON, schema, connection nonce, and whether `hello`
// has come. What fails here closes the socket; it does not end the session by itself.
import { agentSessionFrame, type AgentSessionFrame } from '../protocol/frames.ts'
import { canonicalForm, digestCanonical } from '../protocol/digest.ts'
import { limits } from '../protocol/limits.ts'
import { parseJsonText } from '../protocol/parse.ts'
import { toPointer } from '../protocol/pointer.ts'
import type { FrameError } from '../protocol/reasons.ts'
import { err, ok, type Result } from '../protocol/result.ts'

export type FrameRefusal = {
  /** The frame's id when it could be read. */
  readonly re: string | null
  readonly code: FrameError
  readonly detail: string
}

const encoder = new TextEncoder()

/** Reads one frame's text against the connection that it came on. */
export function readFrame(
  data: string | ArrayBuffer,
  connection: { readonly nonce: string; readonly proven: boolean },
): Result<AgentSessionFrame, FrameRefusal> {
  if (typeof data !== 'string') {
    return err({ re: null, code: 'frame_not_json', detail: 'frames are text' })
  }
  // UTF-16 length never exceeds the UTF-8 length, so long texts are refused without encoding them.
  const tooLong = data.length > limits.agentFrameBytesMax
  if (tooLong || encoder.encode(data).length > limits.agentFrameBytesMax) {
    const detail = `more than ${limits.agentFrameBytesMax} bytes`
    return err({ re: null, code: 'frame_too_large', detail })
  }
  const json = parseJsonText(data)
  if (!json.ok) {
    const first = json.error[0]
    const detail = first === undefined ? '' : `${first.code} at '${first.at}'`
    return err({ re: null, code: 'frame_not_json', detail })
  }
  const frame = agentSessionFrame.safeParse(json.value)
  if (!frame.success) {
    const issue = frame.error.issues[0]
    const detail = issue === undefined ? '' : `${issue.code} at '${toPointer(issue.path)}'`
    return err({ re: null, code: 'frame_schema', detail })
  }
  const re = frame.data.fid
  if (frame.data.nonce !== connection.nonce) {
    return err({ re, code: 'nonce_mismatch', detail: 'not the nonce of this connection' })
  }
  if (!connection.proven && frame.data.type !== 'hello') {
    return err({ re, code: 'hello_expected', detail: 'hello comes first' })
  }
  return ok(frame.data)
}

/**
 * Digest of a frame without its connection: the same frame may come again on another one. What a device
 * answered is left out too: the signed report has its digest, and a connection may not take it.
 */
export function frameBody(frame: AgentSessionFrame): Promise<string> {
  const { nonce: _connection, ...rest } = frame
  if (rest.type !== 'report') return digestCanonical('body', canonicalForm(rest))
  const { result: _answer, ...report } = rest
  return digestCanonical('body', canonicalForm(report))
}
