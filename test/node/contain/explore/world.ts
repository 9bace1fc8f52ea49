// The world around one session, small enough to be walked through whole: two processes of one agent,
// their connections, the site that is asked, the clock in steps of one grace, and the stored rows. What
// decides is the product's own code; `Parts` names it, so that a broken variant can take its place.
import { mayActuate } from '../../../../contain/authority.ts'
import { nextTimer } from '../../../../contain/session-end.ts'
import { lostAtClose, lostAtWake } from '../../../../contain/session-loss.ts'
import { step } from '../../../../contain/session.ts'
import { hasEnded } from '../../../../contain/session-state.ts'
import type {
  FrameRecord,
  SessionBinding,
  SessionState,
} from '../../../../contain/session-state.ts'
import { limits } from '../../../../protocol/limits.ts'
import type { TerminationReason } from '../../../../protocol/reasons.ts'
import type { NodeTokenClaims } from '../../../../protocol/tokens.ts'
import type { Result } from '../../../../protocol/result.ts'
import { bindingOf, t0, type PlannedNode } from '../../../shared/schedule-binding.ts'

export type Process = 'a' | 'b'
export const processes: readonly Process[] = ['a', 'b']

/** The product's code in the places where it is played. */
export type Parts = {
  readonly step: typeof step
  readonly lostAtWake: typeof lostAtWake
  readonly lostAtClose: typeof lostAtClose
  readonly mayActuate: typeof mayActuate
  readonly nextTimer: typeof nextTimer
  /** What the rows give back of a state that was saved. */
  readonly stored: (state: SessionState) => SessionState
}

export const realParts = (stored: Parts['stored']): Parts => ({
  step,
  lostAtWake,
  lostAtClose,
  mayActuate,
  nextTimer,
  stored,
})

/** A question to the site that is on its way, with the answer that the site gave. */
export type Asked = {
  readonly by: Process
  readonly nid: string
  readonly answer: Result<void, { reason: TerminationReason }>
  /** Whether the connection that asked is still the one that stands. */
  readonly connected: boolean
}

export type World = {
  readonly state: SessionState
  /** In graces after the opening. */
  readonly time: number
  readonly alarm: number | null
  readonly open: ReadonlySet<Process>
  /** Frames that have an answer on record, by id. */
  readonly frames: ReadonlyMap<string, FrameRecord>
  /** What metal did: which process got the go of a node and moved. */
  readonly moved: ReadonlyMap<string, Process>
  readonly asked: Asked | null
  readonly site: { readonly epoch: number; readonly armed: boolean }
  /** Faults that may still happen: resets, cuts and changes of the site. */
  readonly faults: number
}

export type Graph = {
  readonly nodes: readonly PlannedNode[]
  readonly binding: SessionBinding
  readonly claims: ReadonlyMap<string, NodeTokenClaims>
}

/** The time of a session in graces; a tool has one. */
export const deadlineAfter = 4
export const unitMs = limits.reportGraceMs
export const msOf = (time: number): number => t0 + time * unitMs

/**
 * Graphs of `n` nodes, one for each way in which they can differ. Ids are in the order of the plan: any other
 * graph is one of these, renamed. Nodes succeed in that order and in no other, which is one of the sentences; so
 * of what a node depends on the last one decides, and the others are left out.
 */
export function graphs(n: number): Graph[] {
  let all: PlannedNode[][] = [[]]
  for (let i = 0; i < n; i++) {
    const choices = [[], ...Array.from({ length: i }, (_, from) => [`n${from}`])]
    all = all.flatMap((nodes) => choices.map((deps) => [...nodes, { id: `n${i}`, deps }]))
  }
  return all.map(graphOf)
}

function graphOf(nodes: readonly PlannedNode[]): Graph {
  const claims = new Map<string, NodeTokenClaims>()
  const bound = bindingOf(nodes, msOf(deadlineAfter), claims)
  const tools = [...bound.tools].map(
    ([name, tool]) => [name, { ...tool, timeout_ms: unitMs }] as const,
  )
  return { nodes, claims, binding: { ...bound, tools: new Map(tools) } }
}

/**
 * Two worlds with the same key go on alike. Once a session has ended nothing can change any more but what is
 * told: clock, site, connections, questions and frames are left out of the key, and whether a fault is left is all
 * that counts of the faults.
 */
export function keyOf(world: World): string {
  const { state, asked } = world
  const nodes = [...state.nodes].map(([, node]) => [
    node.state,
    node.started_ms,
    node.actuated,
    node.report,
  ])
  const moved = [...world.moved].map(([nid, by]) => `${nid} ${by}`).sort()
  const common = [state.status, state.reason, state.boot_id, state.latch, nodes, moved]
  if (hasEnded(state)) return JSON.stringify([common, world.faults > 0])
  return JSON.stringify([
    common,
    world.time,
    world.alarm,
    world.site,
    state.grace_until,
    state.frames,
    [...world.open].sort(),
    [...world.frames.keys()].sort(),
    asked && [asked.by, asked.nid, asked.answer.ok || asked.answer.error.reason, asked.connected],
    world.faults,
  ])
}
