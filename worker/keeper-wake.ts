// The keeper of a site wakes by its own alarm once it has one. A site that nobody has touched since there are
// keepers has none yet: the first plan that an isolate takes for it gives it one.
import type { Env } from '../durable-objects/env.ts'
import { siteKeeper } from './objects.ts'

const woken = new Set<string>()
/** Names of sites are short: this many are some hundred kilobytes. */
const wokenMax = 5_000

/** Once per site and isolate; a failure is the next plan's to mend, and refuses nobody. */
export async function wakeKeeper(env: Env, site: string): Promise<void> {
  if (woken.has(site)) return
  if (woken.size >= wokenMax) woken.clear()
  woken.add(site)
  try {
    await siteKeeper(env, site).wake(site, false)
  } catch (cause) {
    woken.delete(site)
    console.error(JSON.stringify({ event: 'keeper_not_woken', site, cause: String(cause) }))
  }
}
