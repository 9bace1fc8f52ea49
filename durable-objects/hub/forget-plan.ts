// What a hub still knows of a plan that was deleted. Digests of calls stay for their fourteen days, since
// they say what a later plan repeats; the names that a planner gave to its steps do not.
import type { HubStore } from './store.ts'

export function forgetPlan(store: HubStore, plan: string): void {
  // The key would lead to a plan that is not there; what is sent again under it must not run again either: it is
  // a conflict until the key's day is over.
  store.write("UPDATE keys SET body_digest = '' WHERE plan = ?", plan)
  store.write("UPDATE submitted SET calls = '[]' WHERE plan = ?", plan)
  store.write("UPDATE done_calls SET nid = 'step ' || rowid WHERE plan = ?", plan)
}
