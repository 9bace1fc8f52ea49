// Before a deployment, or for any other reason that a person gives: no plan is bound any more, and what runs
// goes on to its end. Plans are taken, judged and queued as ever.
import { z } from 'zod'
import { drainSchema, type Drain } from '../../protocol/drain.ts'
import type { HubStore } from './store.ts'

const key = 'draining'

/** Why nothing is bound; null when plans are. What another release wrote otherwise still drains. */
export function drainOf(store: HubStore): Drain | null {
  const text = store.get(key)
  if (text === null || text === '') return null
  const read = z.object(drainSchema.shape).safeParse(JSON.parse(text))
  return read.success ? read.data : { reason: 'not readable', by: '', since_ms: 0 }
}

export function setDrain(store: HubStore, drain: Drain | null): void {
  store.set(key, drain === null ? '' : JSON.stringify(drain))
}
