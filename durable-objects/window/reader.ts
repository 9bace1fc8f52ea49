// The window of a site, for whoever judges or binds by it. An isolate keeps what it has read and is sent
// only what came after, so that a full window is not copied for every plan.
import type { WindowEntry } from '../../protocol/snapshot.ts'
import { windowRules } from '../../verify/screen/window/index.ts'
import type { SiteWindowApi } from './api.ts'
import type { Env } from '../env.ts'
import { limited } from '../limited.ts'
import type { WindowChanges, WindowMark } from './table.ts'

/** A full window is about a megabyte; this many fit an isolate's memory many times over. */
const windowsMax = 8

type Known = { mark: WindowMark; entries: Map<string, WindowEntry>; sorted: WindowEntry[] | null }
const windows = new Map<string, Known>()

const byAge = (a: WindowEntry, b: WindowEntry): number =>
  a.at_ms - b.at_ms || (a.plan < b.plan ? -1 : 1)

/** What is known after an answer; null when it says only what came after something that is not known. */
function take(
  known: Known | undefined,
  { mark, whole, entries, gone }: WindowChanges,
): Known | null {
  // Another reader of this isolate was answered meanwhile, and knows at least as much.
  if (known?.mark.life === mark.life && known.mark.seq >= mark.seq) return known
  if (whole) {
    return { mark, entries: new Map(entries.map((entry) => [entry.plan, entry])), sorted: null }
  }
  if (known?.mark.life !== mark.life) return null
  for (const plan of gone) known.entries.delete(plan)
  for (const entry of entries) known.entries.set(entry.plan, entry)
  return { mark, entries: known.entries, sorted: null }
}

/** The one window of a site. */
export function siteWindowOf(env: Env, site: string): SiteWindowApi {
  return limited(env.SITE_WINDOW.getByName(site), 'review: ask') as SiteWindowApi
}

function keep(site: string, known: Known): void {
  windows.delete(site)
  windows.set(site, known)
  const [oldest] = windows.keys()
  if (windows.size > windowsMax && oldest !== undefined) windows.delete(oldest)
}

/** The window as it is now, oldest first. Throws when it cannot be read: nothing is judged without it. */
export async function readWindow(env: Env, site: string, now_ms: number): Promise<WindowEntry[]> {
  const table = siteWindowOf(env, site)
  const changes = await table.changes(site, windows.get(site)?.mark ?? null)
  const known = take(windows.get(site), changes) ?? take(undefined, await table.changes(site, null))
  if (known === null) throw new TypeError('a window that is asked for as a whole comes as a whole')
  keep(site, known)
  known.sorted ??= [...known.entries.values()].sort(byAge)
  const least = now_ms - windowRules.keptMs
  return known.sorted.filter((entry) => entry.at_ms >= least)
}
