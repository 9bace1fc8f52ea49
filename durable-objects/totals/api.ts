// What the counters of a site promise the other objects and the door.
import type { NodeProgress } from '../../protocol/frames.ts'
import type { Reserving } from './store.ts'

/** How the nodes of a session stand at its end; `unknown`: nobody can say, so all may have run. */
export type RanNodes =
  | readonly { readonly nid: string; readonly state: NodeProgress }[]
  | 'none'
  | 'unknown'

export interface SiteTotalsApi {
  /** How the counters stand, as JSON text of totals; null when that cannot be told. */
  sums(owner: string, now_ms: number): Promise<string | null>
  /**
   * Before a plan is bound: from here on everybody counts it. The sums are those of all others. Not
   * reserved, when the session has ended already: then it must not run. The same session may ask again.
   */
  reserve(given: Reserving): Promise<{ reserved: boolean; totals: string | null }>
  /** The session has ended, or will never be. Idempotent. */
  settle(session: string, ran: RanNodes, at_ms: number): Promise<void>
  /** What is still reserved in a cell in which nothing runs may have run. */
  settleCell(cell: string, at_ms: number): Promise<void>
}
