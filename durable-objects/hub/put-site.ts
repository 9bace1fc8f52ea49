// What an administrator puts in force: registry and policy. Whatever was decided under another one falls, by
// a new epoch, and every agent is told.
import { digest } from '../../protocol/digest.ts'
import type { Policy } from '../../protocol/policy.ts'
import type { ApprovedRegistry, AuditEntry } from '../contracts.ts'
import type { PresenceSockets } from './presence-sockets.ts'
import type { HubStore } from './store.ts'

export type SiteParts = {
  store: HubStore
  presence: Pick<PresenceSockets, 'tellRegistry'>
  trail: (actor: string, event: string, facts: AuditEntry['facts']) => Promise<void>
}

export async function putRegistry(
  { store, presence, trail }: SiteParts,
  approved: ApprovedRegistry,
  by: string,
): Promise<void> {
  const { text, registry_digest, quarantined } = approved
  const before = store.get('registry_digest')
  store.set('quarantined', JSON.stringify(quarantined))
  if (before !== registry_digest) {
    store.set('registry', text)
    store.set('registry_digest', registry_digest)
    if (before !== null) store.raiseEpoch('registry_changed', by, Date.now())
    presence.tellRegistry()
  }
  await trail(by, 'registry_approved', { registry_digest })
}

export async function putPolicy(
  { store, presence, trail }: SiteParts,
  policy: Policy,
  by: string,
): Promise<{ policy_version: string }> {
  const version = await digest('policy', policy)
  if (store.get('policy_version') !== version) {
    store.set('policy', JSON.stringify(policy))
    store.set('policy_version', version)
    store.raiseEpoch('policy_changed', by, Date.now())
    presence.tellRegistry()
  }
  await trail(by, 'policy_set', { policy_version: version })
  return { policy_version: version }
}
