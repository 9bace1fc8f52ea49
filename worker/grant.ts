// Credentials as they are given out: written to the site's trail as well as to D1, by whoever may give
// them. A credential that left no line in the trail must not work.
import {
  createCredential,
  withdrawCredential,
  type Credential,
  type NewCredential,
} from '../adapters/credentials.ts'
import type { Env } from '../durable-objects/env.ts'
import { limits } from '../protocol/limits.ts'
import { err, type Result } from '../protocol/result.ts'
import { siteHub } from './objects.ts'
import type { Refusal } from './problems.ts'
import { timeViolation } from './times.ts'

/** Creates a credential and notes it. The token is in the answer, and nowhere else. */
export async function grant(
  env: Env,
  wanted: NewCredential,
): Promise<Result<{ credential: Credential; token: string }, Refusal>> {
  const now_ms = Date.now()
  if (wanted.expires_ms !== null) {
    const past = timeViolation('/expires_ms', wanted.expires_ms, { now_ms, capMs: null })
    if (past !== null) return err({ code: 'violations', violations: [past] })
  }
  const max = limits.credentialsPerSiteMax
  const created = await createCredential(env.DB, wanted, { now_ms, max })
  if (!created.ok) return err({ code: created.error })
  const { id, site, role, subject, owner, expires_ms } = created.value.credential
  try {
    const facts = { credential: id, role, subject, owner, expires_ms }
    await siteHub(env, site).note(wanted.created_by, 'credential_created', facts)
  } catch (cause) {
    await withdrawCredential(env.DB, { site, id })
    throw cause
  }
  return created
}
