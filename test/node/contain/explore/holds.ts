// What must hold of every move in every world (invariants 1, 2, 12 and 13). Written over what an outsider
// sees: goes that left, metal that moved, rows that a reset gives back, the time that is left.
import { executingNode, hasEnded } from '../../../../contain/session-state.ts'
import { nextTimer } from '../../../../contain/session-end.ts'
import type { Move } from './moves.ts'
import { deadlineAfter, msOf, unitMs, type Graph, type World } from './world.ts'

/** The first sentence that this move breaks; null when all hold. */
export function broken(graph: Graph, from: World, move: Move): string | null {
  for (const [sentence, holds] of sentences) if (!holds(graph, from, move)) return sentence
  return null
}

type Holds = (graph: Graph, from: World, move: Move) => boolean
const byClock: ReadonlySet<string | null> = new Set([
  'deadline_passed',
  'node_unknown',
  'agent_lost',
])
const ranOrRuns = (state: string | undefined) => state !== 'pending' && state !== 'released'

const sentences: readonly (readonly [string, Holds])[] = [
  [
    'a go leaves once a node, in the order, after its dependencies, in time and one at a time',
    ({ nodes }, { state, time }, { effects }) =>
      effects.every((effect) => {
        if (effect.do !== 'go') return true
        const { nid } = effect.token
        const at = nodes.findIndex(({ id }) => id === nid)
        const before = nodes.slice(0, at)
        return (
          state.nodes.get(nid)?.state === 'released' &&
          before.every(({ id }) => state.nodes.get(id)?.state === 'succeeded') &&
          state.status === 'active' &&
          time < deadlineAfter &&
          executingNode(state) === null
        )
      }),
  ],
  [
    'a go leaves only on the word of the site, on the connection that asked, to the newest process',
    (_, { asked, state }, { effects }) =>
      effects.every((effect) => {
        if (effect.do !== 'go') return true
        if (asked === null || !asked.connected || asked.by !== state.boot_id) return false
        return asked.answer.ok
      }),
  ],
  [
    'a site whose epoch is another, lower or higher, gives no authority',
    ({ binding }, { site }, { to, name }) =>
      !name.startsWith('start') ||
      to.asked === null ||
      !to.asked.answer.ok ||
      site.epoch === binding.epoch,
  ],
  [
    'an end is for ever: status, reason, latch, time and nodes stay as they were',
    (_, { state: before }, { to: { state: after } }) =>
      !hasEnded(before) ||
      (after.status === before.status &&
        after.reason === before.reason &&
        after.latch === before.latch &&
        after.ended_ms === before.ended_ms &&
        [...after.nodes].every(([nid, node]) => node.state === before.nodes.get(nid)?.state)),
  ],
  [
    'a reset gives back every word that was written, save that the grace may begin',
    (_, { state: before }, { name, to: { state: after } }) => {
      if (name !== 'crash' || hasEnded(before)) return true
      const grace = before.grace_until ?? after.grace_until
      const text = (state: typeof before) => JSON.stringify([...state.nodes])
      // Time may have run out while the object was away: then the end is the clock's.
      if (hasEnded(after)) return after.reason !== null
      return (
        after.status === before.status &&
        after.boot_id === before.boot_id &&
        after.frames === before.frames &&
        after.grace_until === grace &&
        text(after) === text(before)
      )
    },
  ],
  [
    'metal that moved without a success is latched at the end',
    ({ binding, nodes }, _, { to: { state, moved } }) => {
      if (state.status !== 'terminated' || state.latch) return true
      return nodes.every(({ id }) => {
        const tool = binding.context.plan.nodes.find((node) => node.id === id)?.tool ?? ''
        return !moved.has(id) || binding.tools.get(tool)?.physical === false
      })
    },
  ],
  [
    'completed means that every node moved and succeeded, and asks for nobody',
    ({ nodes }, _, { to: { state, moved } }) =>
      state.status !== 'completed' ||
      (!state.latch &&
        state.reason === null &&
        nodes.every(({ id }) => moved.has(id) && state.nodes.get(id)?.state === 'succeeded')),
  ],
  [
    'terminated has a reason, and leaves no node executing',
    (_, __, { to: { state } }) =>
      state.status !== 'terminated' || (state.reason !== null && executingNode(state) === null),
  ],
  [
    'a running session without a connection has a grace that ends, and one with a connection has none',
    (_, __, { to: { state, open, time } }) => {
      if (state.status !== 'active') return true
      const { grace_until } = state
      if (open.size > 0) return grace_until === null
      return grace_until !== null && grace_until <= msOf(time) + unitMs
    },
  ],
  [
    'a session that runs has an alarm before its time is out',
    ({ binding }, _, { to: { state, alarm } }) => {
      const at = nextTimer(binding, state)
      return at === null || (alarm !== null && alarm <= at)
    },
  ],
  [
    'no session outlives its time',
    ({ binding }, _, { name, to: { state, time } }) =>
      name !== 'later' || (nextTimer(binding, state) ?? Infinity) > msOf(time),
  ],
  [
    'frames on record are as many as counted, and a repeated one changes nothing',
    (_, { state: before }, { event, to: { state, frames } }) => {
      if (state.frames !== frames.size) return false
      const seen = event !== null && 'seen' in event ? event.seen : null
      const again = event !== null && 'body' in event && seen?.body === event.body
      return !again || hasEnded(before) || state === before || byClock.has(state.reason)
    },
  ],
  [
    'a device moves only where a node ran',
    (_, __, { to: { state, moved } }) =>
      [...moved.keys()].every((nid) => ranOrRuns(state.nodes.get(nid)?.state)),
  ],
  [
    'two processes that live end the session, and it asks for a person',
    (_, { state: before, open }, { event, to: { state } }) =>
      event?.type !== 'hello' || open.size === 0 || hasEnded(before) || hasEnded(state),
  ],
  [
    'a process that comes while another drives a device ends the session',
    (_, { state: before }, { event, to: { state } }) =>
      event?.type !== 'hello' ||
      executingNode(before) === null ||
      before.boot_id === event.boot_id ||
      hasEnded(state),
  ],
]
