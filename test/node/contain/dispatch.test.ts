// Which waiting plan goes to which cell: every reason against, alone and in the order of the checks.
import { describe, expect, test } from 'vitest'
import {
  assign,
  fits,
  isArmed,
  type AgentState,
  type CellState,
  type NotNow,
  type WaitingPlan,
} from '../../../contain/dispatch.ts'
import { limits } from '../../../protocol/limits.ts'

const now = 1_000_000
const plan: WaitingPlan = {
  plan: 'p1',
  agent: null,
  servers: ['arm'],
  sandboxes: ['py'],
  physical: true,
  valid_until_ms: now + 1,
}
const cell: CellState = {
  cell: 'c1',
  armed_until_ms: now + 1,
  needs_clearance: false,
  session: null,
  held: null,
}
const agent: AgentState = {
  agent: 'a1',
  cell: 'c1',
  jkt: 'jkt',
  online: true,
  revoked: false,
  features: [],
  health: {
    agent: 'a1',
    cell: 'c1',
    reported_at_ms: now - limits.presenceStaleMs,
    servers: { arm: { state: 'up', tools: {} } },
    sandboxes: { py: 'up' },
  },
}
type Health = NonNullable<AgentState['health']>
const health = (change: Partial<Health>): AgentState => ({
  ...agent,
  health: { ...(agent.health as Health), ...change },
})

/** What is otherwise, and why the plan does not fit then; in the order in which it is told. */
const cases: [
  NotNow,
  { plan?: Partial<WaitingPlan>; cell?: Partial<CellState>; agent?: AgentState },
][] = [
  ['expired', { plan: { valid_until_ms: now } }],
  ['cell_busy', { cell: { session: 'sess_a' } }],
  ['needs_clearance', { cell: { needs_clearance: true } }],
  ['held', { cell: { held: 'olga' } }],
  ['planner_held', { plan: { barred_cells: new Set(['c1']) } }],
  ['other_agent', { agent: { ...agent, cell: 'c2' } }],
  ['other_agent', { plan: { agent: 'a2' } }],
  ['agent_revoked', { agent: { ...agent, revoked: true } }],
  ['agent_offline', { agent: { ...agent, online: false } }],
  ['agent_outdated', { plan: { features: ['progress', 'signed-rows'] } }],
  ['health_stale', { agent: { ...agent, health: null } }],
  ['health_stale', { agent: health({ reported_at_ms: now - limits.presenceStaleMs - 1 }) }],
  ['agent_out_of_service', { agent: health({ out_of_service: 'clock_skew' }) }],
  ['server_not_operable', { agent: health({ servers: {} }) }],
  ['server_not_operable', { agent: health({ servers: { arm: { state: 'down', tools: {} } } }) }],
  ['sandbox_not_operable', { agent: health({ sandboxes: {} }) }],
  ['not_armed', { cell: { armed_until_ms: null } }],
  ['not_armed', { cell: { armed_until_ms: now } }],
  ['arming_too_short', { plan: { told_ms: 1 } }],
]

describe('a plan and a cell', () => {
  test('fit when nothing is against it', () => {
    expect(fits(plan, { cell, agent }, now)).toBe(null)
    expect(
      fits({ ...plan, agent: 'a1', barred_cells: new Set(['c2']) }, { cell, agent }, now),
    ).toBe(null)
    const { held: _, ...free } = cell
    expect(fits(plan, { cell: free, agent }, now)).toBe(null)
  })

  test.each(cases)('do not fit: %s', (why, other) => {
    const at = { cell: { ...cell, ...other.cell }, agent: other.agent ?? agent }
    expect(fits({ ...plan, ...other.plan }, at, now)).toBe(why)
  })

  test('an agent takes a plan when it can do everything that the plan asks for, and no less', () => {
    const asks = { ...plan, features: ['progress', 'signed-rows'] as const }
    const who = (features: AgentState['features']) => ({ cell, agent: { ...agent, features } })
    expect(fits(asks, who(['signed-rows', 'progress']), now)).toBe(null)
    expect(fits(asks, who(['progress']), now)).toBe('agent_outdated')
    expect(fits(plan, who(['progress']), now)).toBe(null)
  })

  test('every server and every sandbox of a plan must be up, wherever it stands', () => {
    const up = { state: 'up', tools: {} } as const
    const down = { state: 'down', tools: {} } as const
    const why = (change: Partial<Health>, asks: Partial<WaitingPlan>) =>
      fits({ ...plan, ...asks }, { cell, agent: health(change) }, now)
    const servers = { servers: ['arm', 'mixer'] }
    expect(why({ servers: { arm: up, mixer: up } }, servers)).toBe(null)
    expect(why({ servers: { arm: up, mixer: down } }, servers)).toBe('server_not_operable')
    expect(why({ servers: { arm: down, mixer: up } }, servers)).toBe('server_not_operable')
    const sandboxes = { sandboxes: ['py', 'r'] }
    expect(why({ sandboxes: { py: 'up', r: 'up' } }, sandboxes)).toBe(null)
    expect(why({ sandboxes: { py: 'up' } }, sandboxes)).toBe('sandbox_not_operable')
    expect(why({ sandboxes: { r: 'up' } }, sandboxes)).toBe('sandbox_not_operable')
    const nothing = { servers: [], sandboxes: [] }
    expect(why({ servers: {}, sandboxes: {} }, nothing)).toBe(null)
  })

  test('what only reads needs no arming', () => {
    const unarmed = { ...cell, armed_until_ms: null }
    expect(fits({ ...plan, physical: false, told_ms: 9 }, { cell: unarmed, agent }, now)).toBe(null)
  })

  test('of several reasons the first is told', () => {
    for (const [i, [first, a]] of cases.entries()) {
      for (const [, b] of cases.slice(i + 1)) {
        if (a.agent !== undefined && b.agent !== undefined) continue
        const at = { cell: { ...cell, ...b.cell, ...a.cell }, agent: a.agent ?? b.agent ?? agent }
        expect(fits({ ...plan, ...b.plan, ...a.plan }, at, now)).toBe(first)
      }
    }
  })

  test('an arming holds until its time and not at it', () => {
    expect(isArmed({ armed_until_ms: null }, now)).toBe(false)
    expect(isArmed({ armed_until_ms: now }, now)).toBe(false)
    expect(isArmed({ armed_until_ms: now + 1 }, now)).toBe(true)
  })
})

describe('an assignment', () => {
  const second = { cell: 'c2', agent: 'a2' }
  const site = {
    cells: [cell, { ...cell, cell: second.cell }],
    agents: [agent, { ...agent, agent: second.agent, cell: second.cell, jkt: 'jkt2' }],
  }
  const waiting = ['p1', 'p2', 'p3'].map((name) => ({ ...plan, plan: name }))

  test('gives each free cell the oldest plan that fits, and one only', () => {
    expect(assign(waiting, site, now)).toEqual([
      { plan: 'p1', cell: 'c1', agent: 'a1', agent_jkt: 'jkt' },
      { plan: 'p2', cell: 'c2', agent: 'a2', agent_jkt: 'jkt2' },
    ])
  })

  test('is not held up by a plan that fits nowhere', () => {
    const [first, ...rest] = waiting
    const assigned = assign([{ ...(first as WaitingPlan), agent: 'a9' }, ...rest], site, now)
    expect(assigned.map((one) => one.plan)).toEqual(['p2', 'p3'])
  })

  test('passes over an agent whose cell the site does not have', () => {
    expect(assign(waiting, { ...site, cells: [] }, now)).toEqual([])
    expect(assign(waiting, { ...site, agents: [] }, now)).toEqual([])
  })
})
