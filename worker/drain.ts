// Draining one site or all of them, and what still moves meanwhile.
import { noteDrain, siteNames } from '../adapters/counts-d1.ts'
import type { Env } from '../durable-objects/env.ts'
import type { DrainAct } from '../durable-objects/hub/drain.ts'
import type { Drain } from '../protocol/drain.ts'
import { siteHub } from './objects.ts'

/** Sites that one question reaches; a deployment with more has to be split (docs/operations.md). */
const sitesMax = 200
const siteMsMax = 5_000

/** The hub is the one that binds nothing; the database has a copy for health. */
export async function drainSite(
  env: Env,
  site: string,
  { drain, ...act }: DrainAct & { drain: Drain | null },
): Promise<Drain | null> {
  const now = await siteHub(env, site).setDrain(drain, act)
  await noteDrain(env.DB, site, now)
  return now
}

export type Moving = {
  sites: number
  draining: number
  running: { site: string; cell: string; session: string }[]
  /** Sites whose hub did not answer: nobody knows whether they move. */
  silent: string[]
}

async function lookAt(env: Env, site: string) {
  const hub = siteHub(env, site)
  const looking = Promise.all([hub.cells(), hub.settings()])
  const late = scheduler.wait(siteMsMax).then(() => null)
  return Promise.race([looking.catch(() => null), late])
}

/** What moves in the deployment now. */
export async function movingNow(env: Env): Promise<Moving> {
  const sites = await siteNames(env.DB, sitesMax)
  const seen = await Promise.all(
    sites.map(async (site) => ({ site, now: await lookAt(env, site) })),
  )
  const running = seen.flatMap(({ site, now }) =>
    (now?.[0] ?? []).flatMap(({ cell, session }) =>
      session === null ? [] : [{ site, cell, session }],
    ),
  )
  return {
    sites: sites.length,
    draining: seen.filter(({ now }) => now?.[1]?.draining).length,
    running,
    silent: seen.flatMap(({ site, now }) => (now === null ? [site] : [])),
  }
}

/** Every site of the deployment; one that does not answer is in `silent` of the answer. */
export async function drainAll(
  env: Env,
  { drain, by }: { drain: Drain | null; by: string },
): Promise<Moving> {
  const sites = await siteNames(env.DB, sitesMax)
  const failed: string[] = []
  for (const site of sites) {
    await drainSite(env, site, { drain, by, whose: 'deployment' }).catch(() => failed.push(site))
  }
  const now = await movingNow(env)
  return { ...now, silent: [...new Set([...now.silent, ...failed])].toSorted() }
}
