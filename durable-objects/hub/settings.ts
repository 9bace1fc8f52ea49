// What administrators set for a site. Another registry or policy raises the epoch: runs that were bound before
// lose what they rest on.
import type { Policy } from '../../protocol/policy.ts'
import type { ApprovedRegistry } from '../contracts.ts'
import type { HubStore } from './store.ts'

/** True when it is another registry than before. */
export function setRegistry(
  store: HubStore,
  { text, registry_digest, quarantined }: ApprovedRegistry,
  by: string,
  now_ms: number,
): boolean {
  const before = store.get('registry_digest')
  store.set('quarantined', JSON.stringify(quarantined))
  if (before === registry_digest) return false
  store.set('registry', text)
  store.set('registry_digest', registry_digest)
  if (before !== null) store.raiseEpoch('registry_changed', by, now_ms)
  return true
}

/** True when it is another policy than before. */
export function setPolicy(
  store: HubStore,
  { policy, version }: { policy: Policy; version: string },
  by: string,
  now_ms: number,
): boolean {
  if (store.get('policy_version') === version) return false
  store.set('policy', JSON.stringify(policy))
  store.set('policy_version', version)
  store.raiseEpoch('policy_changed', by, now_ms)
  return true
}
