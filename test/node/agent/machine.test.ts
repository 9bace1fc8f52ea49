// The agent's machine under arbitrary schedules: whatever comes in whatever order, nothing moves
// without its own start and go, nothing moves twice, and nothing moves after the end.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  initialState,
  type Effect,
  type MachineEvent,
  type MachineState,
  type NodeEnd,
} from '../../../robot-agent/machine-types.ts'
import { step } from '../../../robot-agent/machine.ts'

const nid = fc.constantFrom('a', 'b', 'c')
const policy = fc.constantFrom('stop', 'hold', 'finish' as const)
const progress = fc
  .array(
    fc.tuple(
      nid,
      fc.constantFrom('pending', 'released', 'executing', 'succeeded', 'failed' as const),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => new Map(pairs))
const end: fc.Arbitrary<NodeEnd> = fc.record({
  nid,
  outcome: fc.constantFrom('succeeded', 'failed', 'unknown' as const),
  reason: fc.constant(null),
  result_digest: fc.constant(null),
  actuated: fc.boolean(),
})
const of = <T extends MachineEvent['type']>(type: T) => fc.constant(type)

const event: fc.Arbitrary<MachineEvent> = fc.oneof(
  fc.record({ type: of('welcomed'), progress }),
  fc.record({ type: of('link_lost') }),
  fc.record({ type: of('token'), nid }),
  fc.record({ type: of('token_good'), nid }),
  fc.record({
    type: of('token_refused'),
    nid,
    reason: fc.constant('token_invalid' as const),
    detail: fc.constant(''),
  }),
  fc.record({ type: of('wait'), ms: fc.integer() }),
  fc.record({ type: of('done'), status: fc.constantFrom('completed', 'terminated' as const) }),
  fc.record({ type: of('go'), nid }),
  fc.record({ type: of('go_good'), nid, policy }),
  fc.record({ type: of('go_refused'), nid, reason: fc.constantFrom('go_late', 'go_nonce') }),
  fc.record({ type: of('go_spent'), nid }),
  fc.record({ type: of('tool_ended'), end }),
  fc.record({ type: of('reported'), end, text: fc.constant('r') }),
  fc.record({ type: of('ack'), nid }),
  fc.record({ type: of('halt'), reason: fc.constant('stopped_by_person') }),
  fc.record({ type: of('safe') }),
  fc.record({ type: of('forsaken'), reason: fc.constant('session_unknown') }),
  fc.record({ type: of('local_end'), reason: fc.constantFrom('local_stop', 'shutdown' as const) }),
  fc.record({
    type: of('timer'),
    timer: fc.constantFrom('go', 'lost', 'hold', 'pull', 'owed' as const),
    nid: fc.option(nid),
  }),
)

/** Each event after the one before was fully dealt with; the likely ones come often. */
const likely: fc.Arbitrary<MachineEvent[]> = nid.chain((n) =>
  policy.map((p): MachineEvent[] => [
    { type: 'welcomed', progress: new Map() },
    { type: 'token', nid: n },
    { type: 'token_good', nid: n },
    { type: 'go', nid: n },
    { type: 'go_good', nid: n, policy: p },
  ]),
)
const schedule = fc
  .array(
    fc.oneof(
      event.map((e) => [e]),
      likely,
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.flat())

type Seen = { readonly starts: string[]; readonly calls: string[]; readonly effects: Effect[] }

function look(before: MachineState, after: MachineState, given: Effect[], seen: Seen): void {
  for (const effect of given) {
    seen.effects.push(effect)
    if (effect.do === 'send_pull') {
      expect(after.link).toBe('up')
      expect(after.reports).toEqual([])
      expect(after.over).toBe(null)
    }
    if (effect.do === 'send_start') {
      expect(before.over).toBe(null)
      seen.starts.push(effect.nid)
    }
    if (effect.do === 'actuate') {
      // Its own start is the last one that left, the link is up, and nothing has ended the session.
      expect(seen.starts.at(-1)).toBe(effect.nid)
      expect(before.over).toBe(null)
      expect(before.link).toBe('up')
      expect(before.work).toEqual({ at: 'confirming', nid: effect.nid })
      seen.calls.push(effect.nid)
    }
    if (effect.do === 'cancel') {
      expect(before.work).toMatchObject({ at: 'running', policy: 'stop' })
    }
    if (effect.do === 'safe_stop_running') {
      expect(before.work).toMatchObject({ at: 'running', policy: 'hold' })
    }
  }
}

test('under 6,000 arbitrary schedules nothing moves without its go, or after the end', () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
  console.log(`seed ${seed}`)
  fc.assert(
    fc.property(schedule, (events) => {
      let state = initialState({ reports: [], outcomes: new Map(), over: null })
      const seen: Seen = { starts: [], calls: [], effects: [] }
      for (const next of events) {
        const before = state
        const done = step(before, next)
        state = done.state
        look(before, state, [...done.effects], seen)
        if (before.closed) expect(done.effects).toEqual([])
        // One call per start: a start is consumed by its call.
        expect(seen.calls.length).toBeLessThanOrEqual(seen.starts.length)
        // The end is absorbing, and its first reason stays.
        if (before.over !== null) expect(state.over?.reason).toBe(before.over.reason)
        // An abnormal end at rest has asked for its safe-stops.
        const abnormal = state.over !== null && !state.over.completed
        if (abnormal && state.work.at === 'idle') expect(state.safe).not.toBe('no')
        if (state.closed && abnormal) expect(state.safe).toBe('done')
      }
      const stops = seen.effects.filter((e) => e.do === 'safe_stop_all')
      expect(stops.length).toBeLessThanOrEqual(1)
    }),
    { seed, numRuns: 6_000 },
  )
})

const play = (events: MachineEvent[]) => {
  let state = initialState({ reports: [], outcomes: new Map(), over: null })
  let effects: readonly Effect[] = []
  for (const next of events) ({ state, effects } = step(state, next))
  return { state, effects: effects.map((e) => e.do) }
}
const welcome: MachineEvent = { type: 'welcomed', progress: new Map() }
const started: MachineEvent[] = [
  welcome,
  { type: 'token', nid: 'a' },
  { type: 'token_good', nid: 'a' },
]
const running = (p: 'stop' | 'hold' | 'finish'): MachineEvent[] => [
  ...started,
  { type: 'go', nid: 'a' },
  { type: 'go_good', nid: 'a', policy: p },
]

test.each([
  ['stop', ['clear_timer', 'log', 'cancel']],
  ['hold', ['clear_timer', 'log', 'timer']],
  ['finish', ['clear_timer', 'log']],
] as const)('a halt under policy %s does exactly what the policy says', (p, wanted) => {
  expect(play([...running(p), { type: 'halt', reason: 'x' }]).effects).toEqual(wanted)
})

test('a start whose connection broke is made anew only when the gateway never had it', () => {
  const back = (held: 'released' | 'executing') =>
    play([
      ...started,
      { type: 'link_lost' },
      { type: 'welcomed', progress: new Map([['a', held]]) },
    ]).effects
  expect(back('released')).toContain('send_pull')
  expect(back('executing')).toContain('settle')
  expect(back('executing')).not.toContain('send_pull')
})

test.each(['pending', 'released', 'executing'] as const)(
  'a welcome that comes twice (%s), late behind a start, takes nothing from the go',
  (held) => {
    const late: MachineEvent = { type: 'welcomed', progress: new Map([['a', held]]) }
    const before = play([...started, late, { type: 'go', nid: 'a' }])
    expect(before.effects).toEqual(['check_go'])
    const between = play([
      ...started,
      { type: 'go', nid: 'a' },
      late,
      { type: 'go_good', nid: 'a', policy: 'stop' },
    ])
    expect(between.effects).toContain('actuate')
    expect(between.state.work).toMatchObject({ at: 'running', nid: 'a' })
  },
)

test('a node that the gateway has in flight and this process does not know is unknown', () => {
  const { state, effects } = play([{ type: 'welcomed', progress: new Map([['b', 'executing']]) }])
  expect(effects).toContain('settle')
  expect(state.over?.reason).toBe('node_unknown')
})

test('a go while the link is down moves nothing', () => {
  const { effects } = play([
    ...started,
    { type: 'go', nid: 'a' },
    { type: 'link_lost' },
    { type: 'go_good', nid: 'a', policy: 'stop' },
  ])
  expect(effects).not.toContain('actuate')
})

test('the lost gateway is only an end while something runs', () => {
  const timer: MachineEvent = { type: 'timer', timer: 'lost', nid: null }
  expect(play([welcome, { type: 'link_lost' }, timer]).state.over).toBe(null)
  const { state } = play([...running('stop'), { type: 'link_lost' }, timer])
  expect(state.over?.reason).toBe('gateway_lost')
})

test('a session that the gateway ended closes although its report is never acknowledged', () => {
  const last: NodeEnd = {
    nid: 'a',
    outcome: 'succeeded',
    reason: null,
    result_digest: null,
    actuated: true,
  }
  const ended: MachineEvent[] = [
    ...running('stop'),
    { type: 'tool_ended', end: last },
    { type: 'reported', end: last, text: 'r' },
    { type: 'halt', reason: 'frame_violation' },
    { type: 'safe' },
  ]
  const waiting = play(ended)
  expect(waiting.state.closed).toBe(false)
  expect(waiting.effects).toEqual(['timer'])
  const owed: MachineEvent = { type: 'timer', timer: 'owed', nid: null }
  expect(play([...ended, owed]).effects).toEqual(['close'])
  // Without a connection nobody could have acknowledged it: the wait begins anew with the next one.
  const away = play([...ended, { type: 'link_lost' }, owed])
  expect(away.state.closed).toBe(false)
  expect(play([...ended, { type: 'link_lost' }, welcome]).effects).toContain('timer')
})
