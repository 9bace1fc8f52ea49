// What the sites' own objects know now: cells, agents and their device servers. Each is asked with a time
// limit; a site that does not answer is a sample of its own and holds nobody up.
import { siteNames } from '../../adapters/counts-d1.ts'
import type { Env } from '../../durable-objects/env.ts'
import type { AgentStatus, CellStatus } from '../../protocol/status.ts'
import { siteHub } from '../objects.ts'
import type { Family, Sample } from './text.ts'

/** Sites asked in one scrape; a deployment with more has to be split (docs/operations.md). */
export const sitesMax = 200
const siteMsMax = 2_000
const atOnce = 20

type SiteNow = {
  site: string
  /** Null when the site did not answer in time. */
  seen: { cells: CellStatus[]; agents: AgentStatus[]; cap_usd: number | null } | null
}

async function lookAt(env: Env, site: string): Promise<SiteNow> {
  const hub = siteHub(env, site)
  const looking = async (): Promise<SiteNow> => {
    const [cells, agents, settings] = await Promise.all([hub.cells(), hub.agents(), hub.settings()])
    return { site, seen: { cells, agents, cap_usd: settings?.policy.budget.day_usd ?? null } }
  }
  const late = scheduler.wait(siteMsMax).then((): SiteNow => ({ site, seen: null }))
  return Promise.race([looking().catch((): SiteNow => ({ site, seen: null })), late])
}

async function lookAtAll(env: Env): Promise<SiteNow[]> {
  const sites = await siteNames(env.DB, sitesMax)
  const found: SiteNow[] = []
  for (let i = 0; i < sites.length; i += atOnce) {
    const some = sites.slice(i, i + atOnce).map((site) => lookAt(env, site))
    found.push(...(await Promise.all(some)))
  }
  return found
}

const flag = (value: boolean): number => (value ? 1 : 0)

/** One gauge over things of all sites. */
function gauge<T>(
  name: string,
  help: string,
  things: readonly T[],
  sample: (thing: T) => Sample,
): Family {
  return { name, help, type: 'gauge', samples: things.map(sample) }
}

/** Families by site, cell, agent and device server. */
export async function liveFamilies(env: Env, now_ms: number): Promise<Family[]> {
  const sites = await lookAtAll(env)
  const seen = sites.flatMap(({ site, seen: now }) => (now === null ? [] : [{ site, ...now }]))
  const cells = seen.flatMap(({ site, cells: all }) =>
    all.map((cell) => ({ cell, labels: { site, cell: cell.cell } })),
  )
  const agents = seen.flatMap(({ site, agents: all }) =>
    all
      .filter(({ revoked }) => !revoked)
      .map((agent) => ({ agent, labels: { site, cell: agent.cell, agent: agent.agent } })),
  )
  const servers = agents.flatMap(({ agent, labels }) =>
    Object.entries(agent.health?.servers ?? {}).map(([server, health]) => ({
      health,
      labels: { ...labels, server, reason: health.reason ?? '' },
    })),
  )
  const capped = seen.filter(({ cap_usd }) => cap_usd !== null)
  return [
    gauge(
      'portcullis_site_up',
      'Whether the site’s hub answered.',
      sites,
      ({ site, seen: now }) => ({
        labels: { site },
        value: flag(now !== null),
      }),
    ),
    gauge(
      'portcullis_cell_latched',
      'Whether a person has to look first, and why.',
      cells,
      (one) => ({
        labels: { ...one.labels, reason: one.cell.latch_reason ?? '' },
        value: flag(one.cell.needs_clearance),
      }),
    ),
    gauge('portcullis_cell_armed', 'Whether physical plans may run now.', cells, (one) => ({
      labels: one.labels,
      value: flag((one.cell.armed_until_ms ?? 0) > now_ms),
    })),
    gauge('portcullis_cell_running', 'Whether a session runs in the cell.', cells, (one) => ({
      labels: one.labels,
      value: flag(one.cell.session !== null),
    })),
    gauge('portcullis_cell_queued', 'Plans that wait for the cell.', cells, (one) => ({
      labels: one.labels,
      value: one.cell.queued,
    })),
    gauge(
      'portcullis_cell_holds',
      'Planners whose plans a person has to release.',
      cells,
      (one) => ({
        labels: one.labels,
        value: one.cell.holds.length,
      }),
    ),
    gauge('portcullis_cell_not_at_rest', 'Devices not reported at rest.', cells, (one) => ({
      labels: one.labels,
      value: one.cell.not_at_rest.length,
    })),
    gauge(
      'portcullis_stops_unconfirmed',
      'Stops that have not arrived everywhere.',
      cells,
      (one) => ({
        labels: one.labels,
        value: one.cell.stops.length,
      }),
    ),
    gauge('portcullis_agent_online', 'Whether the agent is connected.', agents, (one) => ({
      labels: one.labels,
      value: flag(one.agent.online),
    })),
    gauge(
      'portcullis_agent_out_of_service',
      'Whether it takes no plan, and why.',
      agents,
      (one) => ({
        labels: { ...one.labels, reason: one.agent.health?.out_of_service ?? '' },
        value: flag(one.agent.health?.out_of_service !== undefined),
      }),
    ),
    gauge(
      'portcullis_agent_clock_skew_seconds',
      'Its clock ahead of the gateway’s.',
      agents,
      (one) => ({
        labels: one.labels,
        value: (one.agent.health?.clock_skew_ms ?? 0) / 1_000,
      }),
    ),
    gauge(
      'portcullis_device_up',
      'Whether a device server can be used, and why not.',
      servers,
      (one) => ({
        labels: one.labels,
        value: flag(one.health.state === 'up'),
      }),
    ),
    gauge('portcullis_judge_budget_usd', 'What may be spent on judges a day.', capped, (one) => ({
      labels: { site: one.site },
      value: one.cap_usd ?? 0,
    })),
  ]
}
