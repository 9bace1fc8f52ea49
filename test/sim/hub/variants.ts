// The hub with one planted fault each. A model that misses one of them proves nothing.
import type { HubParts } from '../gateway/hub-core.ts'

type Change = (real: HubParts) => Partial<HubParts>

export const variants: readonly (readonly [string, Change])[] = [
  [
    'a stop holds nothing: the next plan starts once the cell is armed again',
    ({ setDisarmed }) => ({
      setStopped: (store, cell, doing) => setDisarmed(store, cell, 'stopped', doing),
    }),
  ],
  [
    'a latched cell can be armed',
    ({ armCell }) => ({
      armCell: (store, cell, act) => {
        store.write('UPDATE cells SET needs_clearance = 0 WHERE cell = ?', cell)
        return armCell(store, cell, act)
      },
    }),
  ],
  [
    'an arming from a stale page counts',
    ({ armCell }) => ({
      armCell: (store, cell, act) =>
        armCell(store, cell, { ...act, seen: store.cell(cell)?.change ?? null }),
    }),
  ],
  [
    'an arming lasts as long as was asked',
    ({ armCell }) => ({
      armCell: (store, cell, act) => {
        const answer = armCell(store, cell, act)
        const set = 'UPDATE cells SET armed_until_ms = ? WHERE cell = ? AND armed_until_ms > 0'
        if (answer.ok) store.write(set, act.until_ms, cell)
        return answer
      },
    }),
  ],
  [
    'a cell is cleared while a device still moves',
    ({ clearCell }) => ({
      clearCell: (store, cell, act) => {
        store.write(`UPDATE cells SET not_at_rest = '[]' WHERE cell = ?`, cell)
        return clearCell(store, cell, act)
      },
    }),
  ],
  [
    'a forced clearance leaves no latch',
    ({ forceClearCell }) => ({
      forceClearCell: (store, cell, act) => {
        const answer = forceClearCell(store, cell, act)
        store.write(
          'UPDATE cells SET needs_clearance = 0, latch_reason = NULL WHERE cell = ?',
          cell,
        )
        return answer
      },
    }),
  ],
  [
    'the newest plan goes first',
    ({ enqueuePlan }) => ({
      enqueuePlan: (store, entry, now_ms) => enqueuePlan(store, entry, -now_ms),
    }),
  ],
  [
    'a refused binding keeps its cell',
    ({ settle }) => ({
      settle: (store, row, answer, now_ms) => {
        const settled = settle(store, row, answer, now_ms)
        if (settled && answer.state === 'refused') {
          store.write('UPDATE cells SET session = ? WHERE cell = ?', row.session, row.cell)
        }
        return settled
      },
    }),
  ],
  [
    'a session that was stopped before it existed keeps its cell',
    () => ({ stopWhenAnswered: () => false }),
  ],
  [
    'the first reason of a stop is overwritten',
    ({ wantStop }) => ({
      wantStop: (store, stop) => {
        wantStop(store, stop)
        store.write('UPDATE stops SET reason = ? WHERE session = ?', stop.reason, stop.session)
        return wantStop(store, stop)
      },
    }),
  ],
  ['a stop that was not reached is not told again', () => ({ notReached: () => undefined })],
  [
    'a stop is told again at one pace for ever',
    ({ notReached }) => ({
      notReached: (store, session, now_ms) => {
        notReached(store, session, now_ms)
        store.write('UPDATE stops SET next_ms = ? WHERE session = ?', now_ms + 250, session)
      },
    }),
  ],
  [
    'an end that moved metal counts as stopped',
    ({ sessionReached }) => ({
      sessionReached: (store, status, _physical, now_ms) =>
        sessionReached(store, status, false, now_ms),
    }),
  ],
  [
    'an end that is told twice latches twice',
    ({ endBinding }) => ({
      endBinding: (store, end, now_ms) => {
        store.write(`UPDATE bindings SET state = 'bound' WHERE session = ?`, end.session)
        return endBinding(store, end, now_ms)
      },
    }),
  ],
  [
    'an abnormal end holds none of the planner’s plans',
    ({ endBinding }) => ({
      endBinding: (store, end, now_ms) => {
        const ended = endBinding(store, end, now_ms)
        store.write('DELETE FROM holds WHERE session = ?', end.session)
        return ended
      },
    }),
  ],
  ['an arming outlives its credential', () => ({ disarmArmedBy: () => [] })],
  ['a withdrawn credential arms', () => ({ isRevoked: () => false })],
  [
    'what answers before a go remembers what was',
    ({ gate }) => ({
      gate: (store) => {
        const once = gate(store)
        const kept = new Map<string, ReturnType<typeof once.mayActuate>>()
        const mayActuate: typeof once.mayActuate = (ask, now_ms) => {
          const answer = kept.get(ask.session) ?? once.mayActuate(ask, now_ms)
          kept.set(ask.session, answer)
          return answer
        }
        return Object.assign(Object.create(once) as typeof once, { mayActuate })
      },
    }),
  ],
  [
    'health that is old counts as news',
    ({ recordHealth }) => ({
      recordHealth: (store, row, health, now_ms) =>
        recordHealth(store, row, health, now_ms + 60_000),
    }),
  ],
]
