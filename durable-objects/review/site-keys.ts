// A site's own keys for model endpoints: kept in its hub, sealed with the deployment's secret. The
// clear text exists only in the request that uses it.
import type { Env } from '../env.ts'
import { hubOf } from './neighbours.ts'

/** The site's key of that name; null when the site has none or it cannot be opened. */
export async function siteKeyOf(env: Env, site: string, name: string): Promise<string | null> {
  return hubOf(env, site).openSiteKey(name)
}
