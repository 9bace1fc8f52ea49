// What a refusal leaves: a line in the trail of the site that it names, as long as there are few.
import { countRefused } from '../adapters/refused-sign-ins.ts'
import type { JsonObject } from '../protocol/json.ts'
import { limits } from '../protocol/limits.ts'
import type { Ctx } from './context.ts'
import { siteHub } from './objects.ts'

type RefusedEvent = 'sign_in_refused' | 'passkey_refused' | 'touch_refused' | 'page_refused'

/** Writes it into the trail; a site that there is not gets no object by it. */
export async function trailRefused(
  c: Ctx,
  site: string,
  { event, facts }: { readonly event: RefusedEvent; readonly facts: JsonObject },
): Promise<void> {
  const now_ms = Date.now()
  const who = event === 'sign_in_refused' ? 'stranger' : 'known'
  const nth = await countRefused(c.env.DB, site, { who, now_ms })
  const max = limits.refusedSignInsTrailedMax
  if (nth === null || nth > max + 1) return
  if (nth <= max) return siteHub(c.env, site).note('gateway', event, facts)
  await siteHub(c.env, site).note('gateway', 'sign_ins_refused_often', { in_one_hour: nth, who })
}
