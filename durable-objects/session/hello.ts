// Who says hello: once on a connection, for this session, with a fresh proof of the bound key.
import { verifyHello } from '../../contain/agent-signed.ts'
import type { FrameRefusal } from '../../contain/frame-in.ts'
import type { VerifyKeys } from '../../contain/keys.ts'
import type { SessionBinding } from '../../contain/session-state.ts'
import type { AgentSessionFrame } from '../../protocol/frames.ts'
import type { SessionSockets } from './sockets.ts'

export type HelloFrame = Extract<AgentSessionFrame, { type: 'hello' }>

/** Why it is not taken; null when it is. An identical repetition is the same hello. */
export async function helloRefusal(
  frame: HelloFrame,
  { hello: before, features, names }: ReturnType<SessionSockets['attachment']>,
  of: { readonly body: string; readonly binding: SessionBinding; readonly keys: VerifyKeys },
): Promise<FrameRefusal | null> {
  const { fid: re, boot_id } = frame
  if (before !== null && (before.fid !== re || before.body !== of.body)) {
    return { re, code: 'hello_repeated', detail: 'hello comes once' }
  }
  const { session, agent } = of.binding.context
  if (frame.session !== session) {
    return { re, code: 'session_unknown', detail: 'not this session' }
  }
  const addressed = { names: features.includes('signed-rows') ? names : null }
  const expected = { agent, session, nonce: frame.nonce, boot_id, ...addressed }
  const proof = await verifyHello(frame.proof, expected, of.keys)
  return proof.ok ? null : { re, code: 'proof_invalid', detail: proof.error }
}
