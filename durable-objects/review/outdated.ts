// Whether the site is still the one under which a plan was judged: another registry, policy or epoch
// means that an acceptance could not be bound any more (invariant 10), and the person should know first.
import type { Env } from '../env.ts'
import { hubOf } from './neighbours.ts'
import type { ReviewStore } from './store.ts'

/** True when a decision on this plan could no longer be bound. Throws when the hub is unreachable. */
export async function siteMovedOn(store: ReviewStore, env: Env): Promise<boolean> {
  if (store.state()?.state !== 'escalated') return false
  const spec = store.spec()
  const { registry_digest, policy_version, epoch } = spec.snapshot
  // The registry is left out of the answer when it is the one that is named.
  const now = await hubOf(env, spec.submitter.site).snapshot({ registry_digest })
  if (now === null) return true
  return (
    now.snapshot.registry_digest !== registry_digest ||
    now.snapshot.policy_version !== policy_version ||
    now.snapshot.epoch !== epoch
  )
}
