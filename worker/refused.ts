// A refused sign-in: whoever was refused learns nothing of why; the site's trail does.
import type { JsonObject } from '../protocol/json.ts'
import { addressOf } from './auth.ts'
import type { Ctx } from './context.ts'
import { problem } from './problems.ts'
import { noteFailure } from './rate-limit.ts'
import { trailRefused } from './refused-trail.ts'

/** Refuses a sign-in in the words of every other, and writes down why. `site` is null where none is known. */
export async function refuseSignIn(
  c: Ctx,
  site: string | null,
  facts: JsonObject & { readonly why: string },
): Promise<Response> {
  noteFailure(addressOf(c.req.raw), Date.now())
  if (site !== null) await trailRefused(c, site, { event: 'sign_in_refused', facts })
  const code = facts.why === 'origin' ? 'origin_forbidden' : 'sign_in_refused'
  return problem({ code }, c.var.requestId)
}
