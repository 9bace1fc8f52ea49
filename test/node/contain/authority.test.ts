// Fresh authority before every `go`: one table, each row takes one thing away and names the reason
// (invariant 10).
import { describe, expect, it } from 'vitest'
import { mayActuate, type SiteAuthority } from '../../../contain/authority.ts'
import type { AuthorityQuestion } from '../../../protocol/status.ts'
import { demoRegistry } from '../support/snapshot.ts'

const now = 1_000_000
const registry = demoRegistry()
const planner = 'planner-wetlab-01'

const ask: AuthorityQuestion = {
  session: 'sess_1',
  cell: 'LC-7',
  agent_jkt: 'jkt',
  planner,
  tool: 'arm.pick',
  epoch: 3,
}
const cell = { cell: 'LC-7', armed_until_ms: now + 1, needs_clearance: false, session: 'sess_1' }
const agent = { cell: 'LC-7', revoked: false, jkt: 'jkt' }
const site: SiteAuthority = {
  epoch: 3,
  epoch_reason: 'registry_changed',
  cell,
  agent,
  planner_revoked: false,
  registry,
}
const taken: [string, Partial<SiteAuthority>, string][] = [
  ['the epoch rose', { epoch: 4 }, 'registry_changed'],
  ['the epoch fell back, as after a restore', { epoch: 2 }, 'registry_changed'],
  ['the cell is gone', { cell: null }, 'session_mismatch'],
  ['the cell runs another session', { cell: { ...cell, session: 'sess_2' } }, 'session_mismatch'],
  ['the cell is latched', { cell: { ...cell, needs_clearance: true } }, 'cell_not_armed'],
  ['the arming has run out', { cell: { ...cell, armed_until_ms: now } }, 'cell_not_armed'],
  ['the cell was disarmed', { cell: { ...cell, armed_until_ms: null } }, 'cell_not_armed'],
  ['the agent is gone', { agent: null }, 'agent_revoked'],
  ['the agent was revoked', { agent: { ...agent, revoked: true } }, 'agent_revoked'],
  ['the agent serves another cell', { agent: { ...agent, cell: 'LC-8' } }, 'agent_revoked'],
  ['the agent has another key', { agent: { ...agent, jkt: 'other' } }, 'agent_revoked'],
  ['the planner was revoked', { planner_revoked: true }, 'capability_revoked'],
  ['the tool is gone', { registry: { ...registry, tools: [] } }, 'registry_changed'],
  ['the planner is gone', { registry: { ...registry, planners: {} } }, 'capability_revoked'],
  [
    'the capability is gone',
    { registry: { ...registry, planners: { [planner]: { capabilities: ['lims.read'] } } } },
    'capability_revoked',
  ],
]

describe('authority for one actuation', () => {
  it('is given while nothing has changed', () => {
    expect(mayActuate(ask, site, now)).toMatchObject({ ok: true })
  })

  it('is given only when the arming outlasts what the step tells', () => {
    const armed = { ...site, cell: { ...cell, armed_until_ms: now + 1_000 } }
    expect(mayActuate({ ...ask, told_ms: 999 }, armed, now)).toMatchObject({ ok: true })
    const refused = { error: { reason: 'cell_not_armed' } }
    expect(mayActuate({ ...ask, told_ms: 1_000 }, armed, now)).toMatchObject(refused)
  })

  it.each(taken)('is refused when %s', (_what, change, reason) => {
    expect(mayActuate(ask, { ...site, ...change }, now)).toMatchObject({ error: { reason } })
  })

  it('needs no arming for a tool that only reads', () => {
    const disarmed = { ...site, cell: { ...cell, armed_until_ms: null } }
    expect(mayActuate({ ...ask, tool: 'lims.read_sample' }, disarmed, now).ok).toBe(true)
  })
})
