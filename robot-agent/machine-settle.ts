// What follows from a state by itself, whatever led to it: pull on, bring devices to rest, tell what is
// owed, say good-bye.
import { limits } from '../protocol/limits.ts'
import type { Effect, MachineState, Step } from './machine-types.ts'

/** Ends of ours that have a word of their own on the wire; the others are a local stop. */
const abortReasons = [
  'shutdown',
  'pin_changed',
  'server_lost',
  'server_restarted',
  'list_unreadable',
  'ledger_failed',
  'go_invalid',
] as const

/** What follows from the new state by itself: pull on, safe-stop, say good-bye. */
export function settleDown(before: MachineState, given: readonly Effect[]): Step {
  let state = before
  const effects = [...given]
  const { over } = state
  if (state.work.at !== 'idle') {
    if (over !== null && !over.completed && state.work.at === 'settling' && state.safe === 'no') {
      state = { ...state, safe: 'asked' }
      effects.push({ do: 'safe_stop_all', cause: over.reason })
    }
    return { state, effects }
  }
  if (over === null) {
    if (state.link === 'up' && state.reports.length === 0) {
      return {
        state: { ...state, work: { at: 'pulled' } },
        effects: [...effects, { do: 'send_pull' }],
      }
    }
    return { state, effects }
  }
  if (!over.completed && state.safe === 'no') {
    state = { ...state, safe: 'asked' }
    effects.push({ do: 'safe_stop_all', cause: over.reason })
  }
  if (!over.completed && state.safe !== 'done') return { state, effects }
  if (state.link === 'down') return { state, effects }
  if (state.link === 'up' && (state.reports.length > 0 || state.restOwed)) {
    if (state.owing) return { state, effects }
    effects.push({ do: 'timer', timer: 'owed', ms: limits.reportAckMs, nid: null })
    return { state: { ...state, owing: true }, effects }
  }
  if (!over.told) {
    const reason = abortReasons.find((r) => r === over.reason) ?? 'local_stop'
    state = { ...state, over: { ...over, told: true } }
    effects.push(
      { do: 'send_abort', reason, detail: over.reason },
      { do: 'timer', timer: 'farewell', ms: 500, nid: null },
    )
    return { state, effects }
  }
  return {
    state: { ...state, closed: true },
    effects: [...effects, { do: 'close', reason: over.reason }],
  }
}
