// Invariants 1 and 2 over random plans and random schedules, step function against reference model.
// A failure prints its seed and path; PORTCULLIS_SEED repeats a run, PORTCULLIS_RUNS sets the number.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DatabaseSync } from 'node:sqlite'
import { rowsIn } from '../../sim/gateway/session-rows.ts'
import { command, planned } from './schedule-arbitraries.ts'
import { damaged } from './damaged.ts'
import { t0 } from '../../shared/schedule-binding.ts'
import { own, Run, type Trace } from './schedule.ts'

const real = { ...own, rows: rowsIn(new DatabaseSync(':memory:')) }

const seed = Number(process.env['PORTCULLIS_SEED'] ?? Date.now() % 2 ** 31)
const numRuns = Number(process.env['PORTCULLIS_RUNS'] ?? 4_000)
const deadlineAfterMs = 400_000

/** What must hold of every run, whatever happened (DESIGN, invariants 1 and 2). */
function holds(nodes: readonly { id: string; deps: readonly string[] }[], trace: Trace): void {
  const order = trace.binding.context.order
  const gone = trace.gos.map((go) => go.nid)
  expect(gone, 'in the order, each at most once').toEqual(order.slice(0, gone.length))
  for (const [i, { nid, at, over }] of trace.gos.entries()) {
    expect(over, 'never after the end').toBe(false)
    expect(at, 'never after the deadline').toBeLessThan(t0 + deadlineAfterMs)
    const deps = nodes.find(({ id }) => id === nid)?.deps ?? []
    for (const dep of deps) expect(gone.slice(0, i), 'dependencies first').toContain(dep)
    // One in flight: everything before the last go has succeeded.
    if (i < gone.length - 1) expect(trace.final.nodes.get(nid)?.state).toBe('succeeded')
  }
  const over = trace.statuses.findIndex(
    (status) => status === 'completed' || status === 'terminated',
  )
  if (over >= 0) {
    const ends = new Set(trace.statuses.slice(over))
    expect(ends.size, 'the end is absorbing').toBe(1)
  }
  for (const [nid, node] of trace.final.nodes) {
    const ran = node.state !== 'pending' && node.state !== 'released' && node.state !== 'failed'
    if (ran) expect(gone, 'nothing ran without a go').toContain(nid)
  }
  latchHolds(trace, gone)
}

/** Ends over which the agent contradicts the record, or nobody knows whose bench is the armed one. */
const doubtful = ['frame_violation', 'agent_duplicate', 'server_restarted', 'condition_mismatch']

function latchHolds({ final, binding }: Trace, gone: readonly string[]): void {
  const physical = gone.filter((nid) => {
    const tool = binding.context.plan.nodes.find((node) => node.id === nid)?.tool ?? ''
    return binding.tools.get(tool)?.physical ?? true
  })
  const moved = physical.some((nid) => final.nodes.get(nid)?.actuated !== false)
  if (final.status === 'completed') expect(final.latch).toBe(false)
  if (final.status === 'terminated' && moved) expect(final.latch).toBe(true)
  // Without a go nothing can have moved, unless the agent's own word says otherwise.
  if (final.latch && physical.length === 0) expect(doubtful).toContain(final.reason)
}

describe('the session', () => {
  test(`holds invariants 1 and 2 on ${numRuns} random schedules (seed ${seed})`, () => {
    const seen = { completed: 0, terminated: 0, gos: 0, latched: 0 }
    fc.assert(
      fc.property(planned, fc.array(command, { maxLength: 60, size: 'max' }), (plan, commands) => {
        const trace = new Run(plan, t0 + deadlineAfterMs, real).run(commands)
        holds(plan.nodes, trace)
        seen.gos += trace.gos.length
        if (trace.final.latch) seen.latched++
        if (trace.final.status === 'completed') seen.completed++
        if (trace.final.status === 'terminated') seen.terminated++
      }),
      { seed, numRuns },
    )
    console.log(`seed ${seed}: ${numRuns} schedules, ${JSON.stringify(seen)}`)
    // A run in which nothing happens would prove nothing.
    expect(seen.gos).toBeGreaterThan(numRuns / 2)
    expect(seen.completed).toBeGreaterThan(numRuns / 100)
    expect(seen.terminated).toBeGreaterThan(numRuns / 10)
    expect(seen.latched).toBeGreaterThan(numRuns / 20)
  })

  test.each(damaged)('is told from one where %s', (_, change) => {
    const outcome = fc.check(
      fc.property(planned, fc.array(command, { maxLength: 60, size: 'max' }), (plan, commands) => {
        new Run(plan, t0 + deadlineAfterMs, { ...real, ...change(real) }).run(commands)
      }),
      { seed, numRuns: 6_000, endOnFailure: true },
    )
    expect(outcome.failed).toBe(true)
  })
})
