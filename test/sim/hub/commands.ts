// What random days at a hub are made of.
import * as fc from 'fast-check'
import { cells, type Cell } from '../gateway/site.ts'

const cell = fc.constantFrom(...cells)
const anyCell: fc.Arbitrary<Cell | null> = fc.option(cell)
const by = fc.constantFrom('olga', 'piet')
const credential = fc.constantFrom('cred-1', 'cred-2', 'cred-3')
/** What a person saw of a cell: how it stands, how it stood one change ago, or nothing in particular. */
const seen = fc.constantFrom('now', 'now', 'now', 'before', 'none')
const act = { cell, by, credential, seen }
const pick = fc.nat({ max: 5 })
const device = fc.record({ name: fc.constantFrom('arm', 'mixer'), rests: fc.boolean() })
const devices = fc.uniqueArray(device, { maxLength: 2, selector: ({ name }) => name })

type Made<P> = { [N in keyof P]: P[N] extends fc.Arbitrary<infer T> ? T : never }

/** A command with its parts, and how often it comes. */
const one = <K extends string, P extends Record<string, fc.Arbitrary<unknown>>>(
  weight: number,
  what: K,
  parts: P,
): { weight: number; arbitrary: fc.Arbitrary<{ do: K } & Made<P>> } => ({
  weight,
  arbitrary: fc.record(parts).map((made) => ({ do: what, ...(made as Made<P>) })),
})

/** One thing that happens at the hub; `right` is what a site where all is well does next. */
export const command = fc.oneof(
  one(60, 'right', { pick, cell }),
  one(7, 'arm', { ...act, for_ms: fc.constantFrom(1_000, 60_000, 3_600_000, 30_000_000) }),
  one(1, 'disarm', { cell, by }),
  one(5, 'clear', act),
  one(1, 'force', act),
  one(2, 'release', act),
  one(2, 'stopCell', { cell, by }),
  one(1, 'stopSite', { by }),
  one(1, 'revoke', { credential, by }),
  one(5, 'health', { cell, bench: fc.constantFrom('up', 'up', 'up', 'down', 'not_at_rest') }),
  one(8, 'enqueue', {
    plan: fc.nat({ max: 9 }),
    planner: fc.constantFrom('p-1', 'p-2'),
    credential,
    cell: anyCell,
    physical: fc.boolean(),
    told: fc.constantFrom(0, 0, 1_000, 60_000),
    valid_ms: fc.constantFrom(500, 60_000, 3_600_000),
  }),
  one(12, 'reserve', { online: fc.constantFrom('both', 'both', 'first', 'none') }),
  one(8, 'settle', {
    pick,
    how: fc.constantFrom('bound', 'bound', 'bound', 'state_changed', 'policy_changed'),
  }),
  one(8, 'ended', {
    pick,
    status: fc.constantFrom('completed', 'terminated'),
    reason: fc.constantFrom('agent_lost', 'node_failed', 'stopped_by_person'),
    latch: fc.boolean(),
    untouched: fc.boolean(),
    devices,
  }),
  one(5, 'answered', {
    pick,
    how: fc.constantFrom('nothing', 'nothing', 'missing', 'ended_quiet', 'ended_moved'),
  }),
  one(4, 'readEnds', {}),
  one(6, 'may', {
    pick,
    tool: fc.constantFrom('arm.move', 'camera.read'),
    told: fc.constantFrom(0, 1_000),
    off: fc.constantFrom(0, 0, 0, 0, -1, 1),
  }),
  one(6, 'time', {
    ms: fc.constantFrom(1, 250, 500, 1_000, 10_000, 30_000, 60_000, 3_600_000, 86_400_001),
  }),
  one(3, 'restart', {}),
)
export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never
