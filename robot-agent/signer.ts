// The agent's own key: it proves every connection and signs every start and report. The private half
// stays in this process and is not extractable once imported.
import { readFileSync, statSync } from 'node:fs'
import { importSigningKey, type SigningKey } from '../contain/keys.ts'
import { signClaims } from '../contain/sign.ts'
import type { ClaimsOf } from '../contain/signed.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'

export type AgentSigner = {
  /** RFC 7638 thumbprint of the agent's key. */
  readonly jkt: string
  /** `Authorization` value of one upgrade. */
  bearer(nowMs: number, jti: string): Promise<string>
  hello(claims: ClaimsOf<'hello'>): Promise<string>
  start(claims: ClaimsOf<'start'>): Promise<string>
  report(claims: ClaimsOf<'report'>): Promise<string>
  rest(claims: ClaimsOf<'rest'>): Promise<string>
  stopped(claims: ClaimsOf<'stopped'>): Promise<string>
}

/** Signs as `agent` of `site`. */
export function signerOf(key: SigningKey, who: { agent: string; site: string }): AgentSigner {
  return {
    jkt: key.kid,
    async bearer(nowMs, jti) {
      const iat = Math.floor(nowMs / 1000)
      const { agent, site } = who
      const exp = iat + limits.agentJwtLifetimeS
      const jwt = await signClaims(key, 'agent', {
        iss: agent,
        sub: agent,
        aud: site,
        iat,
        exp,
        jti,
      })
      return `Bearer ${jwt}`
    },
    hello: (claims) => signClaims(key, 'hello', claims),
    start: (claims) => signClaims(key, 'start', claims),
    report: (claims) => signClaims(key, 'report', claims),
    rest: (claims) => signClaims(key, 'rest', claims),
    stopped: (claims) => signClaims(key, 'stopped', claims),
  }
}

/** Reads the key file; refuses one that others on the machine can read. */
export async function loadSigningKey(file: string): Promise<Result<SigningKey, string>> {
  let jwk: unknown
  try {
    if ((statSync(file).mode & 0o077) !== 0) {
      return err(`${file} can be read by others: chmod 600 ${file}`)
    }
    jwk = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return err(`${file} is not a readable JWK; make a key with: enrol --config FILE --code CODE`)
  }
  const key = await importSigningKey(jwk)
  return key.ok ? ok(key.value) : err(`${file} is not an Ed25519 private JWK (${key.error})`)
}
