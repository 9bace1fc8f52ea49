// The site as the hub sees it now. The registry is large and named by its digest, so the isolate
// keeps a few and the hub sends one only when the digest is new here.
import type { Registry } from '../protocol/registry.ts'
import type { SiteSnapshot } from '../protocol/snapshot.ts'
import type { SnapshotAnswer } from '../durable-objects/contracts.ts'
import type { Env } from '../durable-objects/env.ts'
import { readWindow } from '../durable-objects/window/reader.ts'
import { cellStateSchema, unknownState, type CellState } from '../protocol/state.ts'
import { readTotals } from '../protocol/totals.ts'
import { hasTotals } from '../verify/rules/charges.ts'
import { cellState, siteHub, siteTotals } from './objects.ts'

/** A registry is at most 1 MiB; this many fit an isolate's memory many times over. */
const registriesMax = 8

type SiteNow = Omit<SiteSnapshot, 'window'>
type Cached = { digest: string; registry: Registry }
const registries = new Map<string, Cached>()

function keep(site: string, cached: Cached): void {
  registries.delete(site)
  registries.set(site, cached)
  const [oldest] = registries.keys()
  if (registries.size > registriesMax && oldest !== undefined) registries.delete(oldest)
}

/** The site as it is now with the window over its recent plans; null while it has no approved registry. */
export async function siteSnapshot(
  env: Env,
  site: string,
): Promise<(Omit<SnapshotAnswer, 'snapshot'> & { snapshot: SiteSnapshot }) | null> {
  const [answer, window] = await Promise.all([
    siteNow(env, site),
    readWindow(env, site, Date.now()),
  ])
  return answer === null ? null : { ...answer, snapshot: { ...answer.snapshot, window } }
}

/** The same without the window, which only judging asks for. */
export async function siteNow(
  env: Env,
  site: string,
): Promise<(Omit<SnapshotAnswer, 'snapshot'> & { snapshot: SiteNow }) | null> {
  const cached = registries.get(site)
  const have = cached === undefined ? null : { registry_digest: cached.digest }
  const answer = await siteHub(env, site).snapshot(have)
  if (answer === null) return null
  const { snapshot } = answer
  const { registry, registry_digest } = snapshot
  if (registry !== null) {
    keep(site, { digest: registry_digest, registry })
    return { ...answer, snapshot: { ...snapshot, registry } }
  }
  // The hub left the registry out because it is the one that was named.
  if (cached?.digest !== registry_digest) {
    throw new TypeError('the hub left out a registry that is not known here')
  }
  return { ...answer, snapshot: { ...snapshot, registry: cached.registry } }
}

/** The cell in which a plan would run: that of the agent it names, else the only one there is. */
function cellOf(snapshot: SiteSnapshot, agent: string | undefined): string | null {
  if (agent !== undefined) return snapshot.agents.find((one) => one.agent === agent)?.cell ?? null
  const cells = new Set(snapshot.agents.map((one) => one.cell))
  const [only] = cells
  return cells.size === 1 && only !== undefined ? only : null
}

/**
 * What is known of the cell in which a plan would run. Where no single cell is meant, or its state
 * cannot be read, nothing is known: that holds a plan up and never lets one pass.
 */
export async function stateFor(
  env: Env,
  snapshot: SiteSnapshot,
  { agent, owner }: { readonly agent: string | undefined; readonly owner: string },
): Promise<CellState> {
  const [known, totals] = await Promise.all([
    cellStateFor(env, snapshot, agent),
    totalsFor(env, snapshot, owner),
  ])
  return totals === undefined ? known : { ...known, totals }
}

/** How the sums stand that the site's rules limit; undefined where none does, or nobody can say. */
async function totalsFor(
  env: Env,
  { site, registry }: SiteSnapshot,
  owner: string,
): Promise<CellState['totals']> {
  if (!registry.rules.some(hasTotals)) return undefined
  try {
    return readTotals(await siteTotals(env, site).sums(owner, Date.now()))
  } catch (cause) {
    console.error(`totals of ${site}: ${String(cause)}`)
    return undefined
  }
}

async function cellStateFor(
  env: Env,
  snapshot: SiteSnapshot,
  agent: string | undefined,
): Promise<CellState> {
  const cell = cellOf(snapshot, agent)
  if (cell === null) return unknownState
  try {
    const text = await cellState(env, snapshot.site, cell).state(cell)
    return cellStateSchema.parse(JSON.parse(text))
  } catch (cause) {
    console.error(`state of cell ${cell}: ${String(cause)}`)
    return { ...unknownState, cell }
  }
}
