// The token with which an agent dials in: signed by its enrolled key, at most a minute long, taken
// once. All of it is checked before any object is touched, so that a stranger wakes and bills none.
import { claimJti, getAgentRow, type AgentRow } from '../adapters/agents-d1.ts'
import { importJwks } from '../contain/keys.ts'
import { proveSigned, readSigned } from '../contain/verify.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { agentJwtClaimsSchema } from '../protocol/tokens.ts'
import { nameSchema, siteNameSchema } from './schemas.ts'

/** Why the token was not taken: for our log; outside every one looks the same. */
export type AgentTokenFailure =
  | 'malformed'
  | 'agent_unknown'
  | 'agent_revoked'
  | 'signature'
  | 'issuer_mismatch'
  | 'too_long_lived'
  | 'expired'
  | 'from_the_future'
  | 'replayed'

/** Times of a token against our clock, with the skew that is allowed. */
function timeFailure(
  claims: { iat: number; exp: number },
  now_ms: number,
): AgentTokenFailure | null {
  if (claims.exp - claims.iat > limits.agentJwtLifetimeS) return 'too_long_lived'
  if (claims.exp * 1_000 + limits.clockSkewMsMax <= now_ms) return 'expired'
  if (claims.iat * 1_000 > now_ms + limits.clockSkewMsMax) return 'from_the_future'
  return null
}

/** The enrolled agent behind a token, or why not. Throws when D1 is down. */
export async function verifyAgentToken(
  db: D1Database,
  token: string,
  now_ms: number,
): Promise<Result<AgentRow, AgentTokenFailure>> {
  const unproven = readSigned('agent', token)
  if (!unproven.ok) return err('malformed')
  const hinted = agentJwtClaimsSchema.safeParse(unproven.value.payload)
  if (!hinted.success) return err('malformed')
  const { aud, sub } = hinted.data
  // Names that cannot be enrolled cost no query.
  if (!siteNameSchema.safeParse(aud).success || !nameSchema.safeParse(sub).success) {
    return err('agent_unknown')
  }
  const early = timeFailure(hinted.data, now_ms)
  if (early !== null) return err(early)
  const row = await getAgentRow(db, aud, sub)
  if (row === null) return err('agent_unknown')
  const keys = await importJwks({ keys: [row.jwk] })
  if (!keys.ok) return err('signature')
  const claims = await proveSigned(unproven.value, keys.value)
  if (!claims.ok) return err('signature')
  if (row.revoked_ms !== null) return err('agent_revoked')
  if (claims.value.iss !== sub) return err('issuer_mismatch')
  const fresh = await claimJti(
    db,
    {
      site: aud,
      agent: sub,
      jti: claims.value.jti,
      expires_ms: claims.value.exp * 1_000 + limits.clockSkewMsMax,
    },
    now_ms,
  )
  return fresh ? ok(row) : err('replayed')
}
