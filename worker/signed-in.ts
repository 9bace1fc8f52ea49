// The end of every way to sign in: a line in the site's trail, then the cookie.
import type { OpenedSignIn, SignInWay } from '../adapters/sign-ins.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Ctx } from './context.ts'
import { siteHub } from './objects.ts'
import { setSignInCookie } from './sign-in-cookie.ts'

/** 201 with the cookie. A sign-in that left no line in the trail is shown to nobody. */
export async function signedInAnswer(
  c: Ctx,
  { id, value, expires_ms, holder }: OpenedSignIn,
  way: SignInWay,
  more: JsonObject = {},
): Promise<Response> {
  const facts = { sign_in: id, way, credential: holder.id, role: holder.role, expires_ms, ...more }
  await siteHub(c.env, holder.site).note(holder.owner, 'signed_in', facts)
  const maxAgeS = Math.floor((expires_ms - Date.now()) / 1_000)
  c.header('set-cookie', setSignInCookie(c.req.raw, value, maxAgeS))
  return c.json({ id, expires_ms }, 201)
}
