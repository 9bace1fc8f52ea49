// The link by which the administrator of a fresh deployment signs in: good once, for a quarter of an hour.
import { addressOf, type World } from './port.ts'

/** A fresh link, or why there is none: a deployment is set up without one, and it can be asked for later. */
export async function signInLink(world: World): Promise<{ link: string } | { why: string }> {
  const token = world.vault.read('administrator-token')
  if (token === null) return { why: 'the administrator’s token is not on this machine' }
  const answer = await world.fetch(`${await addressOf(world)}/v1/sign-in-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const body = (await answer.json().catch(() => ({}))) as { link?: unknown; title?: unknown }
  return typeof body.link === 'string'
    ? { link: body.link }
    : { why: `HTTP ${answer.status} ${typeof body.title === 'string' ? body.title : ''}` }
}
