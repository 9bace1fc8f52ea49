// Standing approvals over the gateway's interface.
import type { AuditEntry } from '../../protocol/audit.ts'
import type { standingStateSchema, stoppedSchema } from '../../protocol/standing.ts'
import type { Hole, StandingRecord } from '../../protocol/standing.ts'
import { all, call, part, type Resolution } from '../api.ts'

export type TemplateState = (typeof standingStateSchema)['_output']
export type Stopped = (typeof stoppedSchema)['_output']

export type MaySign =
  | 'yes'
  | 'not_reviewer'
  | 'not_proposed'
  | 'stale_packet'
  | 'conflict_of_interest'
  | 'same_approver'
  | 'expired'

export type TemplateRow = {
  template: string
  state: TemplateState
  in_force: boolean
  goal: string
  holes: Hole[]
  planners: string[]
  agent: string | null
  runs: number
  used: number
  until_ms: number
  digest: string
}

export type TemplateView = TemplateRow & {
  may_sign: MaySign
  record: StandingRecord
  approvals: { approver: string; rationale: string; at_ms: number }[]
  stopped: Stopped | null
}

/** What a proposal names; `null` and left out are the gateway's defaults. */
export type Terms = {
  plan: string
  goal: string
  instructions: string[]
  holes: Hole[]
  planners: string[]
  agent?: string
  runs: number
  until_ms: number
  look_every: number | null
}

export type TemplateSignature = Pick<Resolution, 'rationale' | 'touch'> & { digest: string }

/** More standing approvals than anybody can look after. */
const templatesMax = 500

export const templatesApi = {
  list: () => all<TemplateRow>('/v1/templates', templatesMax),
  read: (template: string) => call<TemplateView>('GET', `/v1/templates/${part(template)}`),
  trail: (template: string) =>
    call<{ items: AuditEntry[] }>('GET', `/v1/templates/${part(template)}/audit`),
  propose: (terms: Terms) => call<TemplateView>('POST', '/v1/templates', terms),
  sign: (template: string, signature: TemplateSignature) =>
    call<TemplateView>('POST', `/v1/templates/${part(template)}/approve`, signature),
  revoke: (template: string) => call<unknown>('POST', `/v1/templates/${part(template)}/revoke`),
}
