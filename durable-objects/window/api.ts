// What the window of a site promises the other objects.
import type { WindowEntry } from '../../protocol/snapshot.ts'
import type { WindowChanges, WindowMark } from './table.ts'

export interface SiteWindowApi {
  /** What came after a mark; everything where it means nothing to this object. */
  changes(site: string, have: WindowMark | null): Promise<WindowChanges>
  /** Keeps a plan's sketch; a later call for the same plan replaces the first. */
  remember(site: string, entry: WindowEntry): Promise<void>
  /** The plan was deleted. */
  forget(site: string, plan: string): Promise<void>
}
