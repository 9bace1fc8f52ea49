// Whether a connection that the door has authenticated is one of the bound agent's.
import type { FrameRefusal } from '../../contain/frame-in.ts'
import { importPublicJwk, type VerifyKeys } from '../../contain/keys.ts'
import { agreedFeatures, featuresHeader } from '../../protocol/features.ts'
import { limits } from '../../protocol/limits.ts'
import type { Context } from '../../protocol/records.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Attachment } from './sockets.ts'

/** The key and the features of the peer, or why it is not let in. `open`: its sockets so far. */
export async function admit(
  request: Request,
  context: Context,
  open: number,
): Promise<Result<Pick<Attachment, 'key' | 'features'>, FrameRefusal>> {
  const agent = request.headers.get('x-portcullis-agent') ?? ''
  const x = request.headers.get('x-portcullis-key') ?? ''
  const key = await importPublicJwk({ kty: 'OKP', crv: 'Ed25519', x })
  const bound = key.ok && key.value.jwk.kid === context.agent_jkt && agent === context.agent
  if (!bound) return err({ re: null, code: 'key_not_bound', detail: 'bound to another key' })
  if (open >= limits.socketsPerSessionMax) {
    const detail = `more than ${limits.socketsPerSessionMax} connections`
    return err({ re: null, code: 'too_many_sockets', detail })
  }
  return ok({ key: x, features: agreedFeatures(request.headers.get(featuresHeader)) })
}

/** The one key of a session, from the `x` of an accepted socket: `admit` lets no other in. */
export async function agentKeysOf(x: string): Promise<VerifyKeys> {
  const key = await importPublicJwk({ kty: 'OKP', crv: 'Ed25519', x })
  if (!key.ok) throw new Error('the key of an accepted socket cannot be imported')
  return new Map([[key.value.jwk.kid, key.value.key]])
}
