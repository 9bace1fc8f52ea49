// The words of the scripted gateway: a bound session as it keeps it, and a test's own answers.
import type { NodeResult } from '../../../protocol/node-result.ts'
import type { WebSocket } from 'ws'
import type { Bound } from '../../../contain/checks.ts'
import type { MintedToken } from '../../../contain/mint.ts'
import type { AgentSessionFrame, NodeProgress } from '../../../protocol/frames.ts'
import type { Context } from '../../../protocol/records.ts'
import type { ReportClaims, RestClaims, StartClaims } from '../../../protocol/tokens.ts'
import type { ToolRow } from '../../../protocol/tool-row.ts'

export type BoundSession = {
  readonly context: Context
  readonly rows: readonly ToolRow[]
  readonly ctx: string
  readonly tokens: readonly MintedToken[]
  readonly receipt: string
  readonly manifest: string
  readonly bound: Bound
  readonly progress: Map<string, NodeProgress>
  readonly reports: ReportClaims[]
  /** What came with a report, once its digest was compared. */
  readonly results: Map<string, NodeResult>
  readonly rests: RestClaims[]
  readonly aborts: { reason: string; detail: string }[]
  readonly hellos: Extract<AgentSessionFrame, { type: 'hello' }>[]
  readonly starts: string[]
  /** The readings that each start brought along. */
  readonly reads: (StartClaims['reads'] | undefined)[]
  status: 'open' | 'completed' | 'terminated'
}

export type Asked = {
  readonly session: BoundSession
  readonly frame: AgentSessionFrame
  readonly socket: WebSocket
  /** Sends a frame as the answer to the one that was asked. */
  readonly answer: (frame: object) => void
}

/** A test's own answer to a frame; returning true keeps the gateway's own from being sent. */
export type Override = (asked: Asked) => boolean | Promise<boolean>
