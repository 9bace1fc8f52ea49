// What the reference model of a session is told and what it tells: facts, not bytes.
import type { Outcome } from '../../../protocol/tokens.ts'
import type { PlannedNode } from '../../shared/schedule-binding.ts'

/** How a presented token differs from the one that was minted; `own`: not at all. */
export const tokenKinds = [
  'own',
  'other',
  'altered',
  'bytes',
  'iss',
  'aud',
  'sid',
  'seq',
  'nid',
  'tool',
  'args',
  'ctx',
  'early',
  'late',
  'sub',
  'jkt',
] as const
export type TokenKind = (typeof tokenKinds)[number]

export type Frame = { readonly boot: string; readonly fid: string; readonly body: string }
export type StartFacts = {
  readonly nid: string
  readonly token: TokenKind
  /** The start is signed by the holder of the key. */
  readonly proof: boolean
}
export type ReportFacts = {
  readonly nid: string
  readonly proof: boolean
  readonly outcome: Outcome
  readonly actuated: boolean
  readonly reason: string | null
  readonly missed: boolean
  readonly started: number
  readonly ended: number
  readonly text: string
}
export type Rest = { readonly boot: string; readonly seq: number }

/** One event as the model sees it. */
export type ModelEvent =
  | {
      readonly kind: 'hello'
      readonly boot: string
      readonly older: boolean
      readonly ledger: readonly { readonly nid: string; readonly state: string }[]
    }
  | ({ readonly kind: 'pull' } & Frame)
  | ({ readonly kind: 'start' } & Frame & StartFacts)
  | ({
      readonly kind: 'authorized'
      readonly granted: boolean
      readonly connected: boolean
    } & Frame &
      StartFacts)
  | ({ readonly kind: 'report' } & Frame & ReportFacts)
  | ({ readonly kind: 'abort'; readonly restarted: boolean } & Frame)
  | ({ readonly kind: 'rest'; readonly proof: boolean } & Rest)
  | { readonly kind: 'stop' }
  | { readonly kind: 'lost'; readonly left: number }
  | { readonly kind: 'tick' }

/** What the model is told of a binding. */
export type ModelBinding = {
  readonly nodes: readonly PlannedNode[]
  readonly agent: string
  readonly deadline: number
  readonly grace: number
  readonly toolTime: number
  /** How long each step lasts at least. */
  readonly told: Readonly<Record<string, number>>
  /** The process for which the plan was bound; null when any will do. */
  readonly bootBound: string | null
  readonly anyPhysical: boolean
  readonly physical: (nid: string) => boolean
  readonly validity: (token: TokenKind) => { readonly from: number; readonly until: number }
}

/** How a session stands, word for word. */
export type View = {
  readonly status: 'bound' | 'active' | 'completed' | 'terminated'
  readonly reason: string | null
  readonly latch: boolean
  readonly boot_id: string | null
  readonly grace_until: number | null
  readonly ended_ms: number | null
  readonly frames: number
  /** When time alone ends it. */
  readonly timer: number | null
  readonly rest: Rest | null
  /** Id, state, reason, time of its go, whether it moved, and its report. */
  readonly nodes: readonly string[]
}
