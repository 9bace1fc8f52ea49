// What the running step says of itself, that it says nothing, and that it runs past the time it states. Beside
// the session's own state, since it decides nothing: a stranger's word, screened before it is kept, and an
// alert where there is none.
import { executingNode } from '../../contain/session-state.ts'
import type { AuditEvent } from '../../protocol/audit.ts'
import type { AgentSessionFrame } from '../../protocol/frames.ts'
import { limits } from '../../protocol/limits.ts'
import { policySchema } from '../../protocol/policy.ts'
import { stepProgressSchema, type StepProgress } from '../../protocol/progress.ts'
import type { SessionStatus } from '../../protocol/status.ts'
import { screenResult, shown } from '../../verify/screen/result.ts'
import type { Live, SessionStore } from './store.ts'
import { noteEvents } from './trail.ts'

type ProgressFrame = Extract<AgentSessionFrame, { type: 'progress' }>

const key = (nid: string): string => `watch/${nid}`
type Kept = {
  readonly progress: StepProgress | null
  readonly heard_ms: number
  readonly stuck: boolean
  /** When it should have been over, once that was told; left out before. */
  readonly late_since_ms?: number
}

/** Milliseconds after its start from which a step of this stated time is late. */
export const lateAfterMs = (toldMs: number): number =>
  toldMs + Math.max(limits.stepLateMs, toldMs * limits.stepLateShare)

export class StepWatch {
  readonly #store: SessionStore
  /** Of this life of the object: what comes more often is dropped. */
  #last = 0

  constructor(store: SessionStore) {
    this.#store = store
  }

  /** Takes a word of the node that runs; a question that was declined goes into the trail. */
  take({ nid, told }: ProgressFrame, live: Live, nowMs: number): Promise<void> {
    if (executingNode(live.state) !== nid) return Promise.resolve()
    const before = this.#kept(nid)
    const { declined } = told
    const actor = live.binding.context.agent
    const events: AuditEvent[] = []
    if (
      declined !== null &&
      this.#store.countOf('question_declined') < limits.framesPerSessionMax
    ) {
      const facts = { node: nid, method: shown(declined) }
      events.push({ at_ms: nowMs, actor, event: 'question_declined', facts })
    }
    // An honest agent sends no more than one in this time; half of it is for clocks and networks.
    if (nowMs - this.#last < limits.progressEveryMs / 2 && before?.stuck !== true) {
      return noteEvents(this.#store, events)
    }
    this.#last = nowMs
    const { progress, total } = told
    const said = { progress, total, message: screened(told.message), at_ms: nowMs }
    const kept: Kept = { ...before, progress: said, heard_ms: nowMs, stuck: false }
    this.#store.putMore(key(nid), kept)
    if (before?.stuck === true) {
      events.push({ at_ms: nowMs, actor, event: 'step_heard_again', facts: { node: nid } })
    }
    return noteEvents(this.#store, events)
  }

  /** When the running step counts as stuck; null when none can, or it does already. */
  stuckAt({ binding, state }: Live): number | null {
    const nid = executingNode(state)
    if (nid === null || state.ended_ms !== null) return null
    const tool = binding.context.plan.nodes.find((node) => node.id === nid)?.tool ?? ''
    const quietMs = binding.tools.get(tool)?.quiet_ms
    if (quietMs === undefined) return null
    const kept = this.#kept(nid)
    if (kept?.stuck === true) return null
    return (kept?.heard_ms ?? state.nodes.get(nid)?.started_ms ?? 0) + quietMs
  }

  /** When the running step counts as late; null when it states no time, or it does already. */
  lateAt({ binding, state }: Live): number | null {
    const nid = executingNode(state)
    if (nid === null || state.ended_ms !== null) return null
    const toldMs = binding.told?.[nid]
    if (toldMs === undefined || this.#kept(nid)?.late_since_ms !== undefined) return null
    return (state.nodes.get(nid)?.started_ms ?? 0) + lateAfterMs(toldMs)
  }

  /** Notes that the running step is silent for longer than its row allows, or late; each once. */
  look(live: Live, nowMs: number): Promise<void> {
    const nid = executingNode(live.state)
    if (nid === null) return Promise.resolve()
    const [stuck, late] = [this.stuckAt(live), this.lateAt(live)]
    const started_ms = live.state.nodes.get(nid)?.started_ms ?? nowMs
    let kept: Kept = this.#kept(nid) ?? { progress: null, heard_ms: started_ms, stuck: false }
    const events: AuditEvent[] = []
    const note = (event: string, facts: AuditEvent['facts']): void => {
      events.push({ at_ms: nowMs, actor: 'gateway', event, facts: { node: nid, ...facts } })
    }
    if (stuck !== null && stuck <= nowMs) {
      kept = { ...kept, stuck: true }
      note('step_stuck', { since_ms: kept.heard_ms })
    }
    if (late !== null && late <= nowMs) {
      const told_ms = live.binding.told?.[nid] ?? 0
      kept = { ...kept, late_since_ms: started_ms + told_ms }
      note('step_late', { told_ms, started_ms })
    }
    if (events.length === 0) return Promise.resolve()
    this.#store.putMore(key(nid), kept)
    return noteEvents(this.#store, events)
  }

  /** The status with what its steps said; a step that has ended is stuck and late no more. */
  told(status: SessionStatus): SessionStatus {
    const nodes = status.nodes.map((node) => {
      const kept = this.#kept(node.nid)
      if (kept === null) return node
      const runs = node.state === 'executing'
      const { late_since_ms } = kept
      return {
        ...node,
        ...(kept.progress === null ? {} : { progress: kept.progress }),
        ...(kept.stuck && runs ? { stuck_since_ms: kept.heard_ms } : {}),
        ...(late_since_ms !== undefined && runs ? { late_since_ms } : {}),
      }
    })
    return { ...status, nodes }
  }

  #kept(nid: string): Kept | null {
    const raw = this.#store.readMore(key(nid)) as Partial<Kept> | null
    if (raw === null || typeof raw.heard_ms !== 'number') return null
    const progress = stepProgressSchema.safeParse(raw.progress)
    const said = progress.success ? progress.data : null
    const late = typeof raw.late_since_ms === 'number' ? { late_since_ms: raw.late_since_ms } : {}
    return { progress: said, heard_ms: raw.heard_ms, stuck: raw.stuck === true, ...late }
  }
}

const policy = policySchema.parse({})

/** Words that may be shown: nothing in them acts, and what reads like an instruction is left out. */
function screened(message: string | null): string | null {
  if (message === null) return null
  const said = { data: message, from: 'text', kept: [], left_out: 0 } as const
  const { level, result } = screenResult({ ...said, kept: [] }, policy)
  return level === 'pass' && typeof result.data === 'string' ? result.data : null
}
