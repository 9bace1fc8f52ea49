// What a site is set to, over the gateway's interface.
import type { Keeping } from '../../protocol/keeping.ts'
import { all, call, lines, part } from '../api.ts'
import type { Schema } from './policy-fields.ts'

export type Draining = { reason: string; by: string; since_ms: number }

export type Site = {
  site: string
  created_ms: number
  registry_digest: string | null
  policy_version: string
  epoch: number
  quarantined: string[]
  draining: Draining | null
}

export type Memory = {
  id: string
  kind: 'failure' | 'precedent'
  event: string
  plan: string
  planner: string
  basis: string
  codes: string[]
  at_ms: number
  expires_ms: number
  resolved_ms: number | null
  resolved_by: string | null
  resolved_reason: string | null
}

export type Kept = {
  periods: Keeping
  /** `plan` null: the whole site. */
  holds: { plan: string | null; reason: string; set_ms: number; set_by: string }[]
}

/** A policy as it is sent and stored; which fields there are is for the gateway's own description to say. */
export type PolicyValues = Record<string, unknown>

/** More memories than a page can be searched for. */
const memoriesMax = 2_000

export const siteApi = {
  site: () => call<Site>('GET', '/v1/sites'),
  drain: (site: string, on: boolean, reason: string) =>
    call<{ draining: Draining | null }>('POST', `/v1/sites/${part(site)}/drain`, { on, reason }),
  stop: (site: string) => call<unknown>('POST', `/v1/sites/${part(site)}/stop`),
  approve: (registry: unknown) => call<{ registry_digest: string }>('PUT', '/v1/tools', registry),
  proven: (rows: Record<string, string>) => call<unknown>('PUT', '/v1/tools/proven', { rows }),
  takeBack: (tool: string) => call<unknown>('DELETE', `/v1/tools/${part(tool)}/proven`),
  policy: () => call<{ policy_version: string; policy: PolicyValues }>('GET', '/v1/policies'),
  setPolicy: (policy: PolicyValues) =>
    call<{ policy_version: string }>('PUT', '/v1/policies', policy),
  putKey: (name: string, key: string) =>
    call<unknown>('PUT', `/v1/policies/keys/${part(name)}`, { key }),
  /** How the gateway itself describes a policy: fields, words, bounds and defaults. */
  policySchema: async () => {
    const { components } = await call<{ components: { schemas: Record<string, Schema> } }>(
      'GET',
      '/openapi.json',
    )
    return components.schemas['PolicyInput'] ?? {}
  },
  memories: () => all<Memory>('/v1/memories', memoriesMax),
  settle: (memory: string, reason: string) =>
    call<unknown>('POST', `/v1/memories/${part(memory)}/resolve`, { reason }),
  keeping: () => call<Kept>('GET', '/v1/keeping'),
  setKeeping: (periods: Keeping) => call<Kept>('PUT', '/v1/keeping', periods),
  hold: (plan: string | null, reason: string) =>
    call<Kept>('POST', '/v1/keeping/holds', { plan, reason }),
  release: (plan: string | null, reason: string) =>
    call<Kept>('POST', '/v1/keeping/release', { plan, reason }),
  deletePlan: (plan: string, reason: string) =>
    call<unknown>('POST', `/v1/plans/${part(plan)}/delete`, { reason }),
  /** Every page of an export, as text; the last line of a page says where the next one starts. */
  everything: async (site: string) => {
    const pages: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const query: string = next === '' ? '' : `?after=${part(next)}`
      const text = await lines(`/v1/sites/${part(site)}/export${query}`)
      const last = text.trimEnd().split('\n').at(-1) ?? ''
      const end = JSON.parse(last) as { kind: string; value: { next: string | null } }
      if (end.kind !== 'end') throw new Error('The export broke off: save it again.')
      pages.push(text)
      next = end.value.next
    }
    return pages
  },
} as const
