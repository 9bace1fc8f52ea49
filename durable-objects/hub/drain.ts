// Before a deployment, or for any other reason that a person gives: no plan is bound any more, and what runs
// goes on to its end. Plans are taken, judged and queued as ever.
import { z } from 'zod'
import { drainSchema, type Drain } from '../../protocol/drain.ts'
import type { HubStore } from './store.ts'

/** Who drains: each lets go of its own, so that the end of a deployment does not end what people began. */
export type DrainOwner = 'site' | 'deployment'
/** Who begins or ends it, and which of the two. */
export type DrainAct = { readonly by: string; readonly whose: DrainOwner }

const keys: Record<DrainOwner, string> = { site: 'draining', deployment: 'draining/deployment' }

/** What another release wrote otherwise still drains. */
function stored(store: HubStore, owner: DrainOwner): Drain | null {
  const text = store.get(keys[owner])
  if (text === null || text === '') return null
  const read = z.object(drainSchema.shape).safeParse(JSON.parse(text))
  return read.success ? read.data : { reason: 'not readable', by: '', since_ms: 0 }
}

/** Why nothing is bound; null when plans are. */
export const drainOf = (store: HubStore): Drain | null =>
  stored(store, 'site') ?? stored(store, 'deployment')

export function setDrain(store: HubStore, owner: DrainOwner, drain: Drain | null): void {
  store.set(keys[owner], drain === null ? '' : JSON.stringify(drain))
}
