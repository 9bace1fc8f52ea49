// Invariants 2 and 15 over random graphs with references and conditions, both sides against one model, with
// cuts at every step. PORTCULLIS_SEED repeats a run, PORTCULLIS_RUNS sets the number.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { step } from '../../../contain/session.ts'
import { referringGraph } from './reference-arbitraries.ts'
import { expectedOf, type ModelNode } from './reference-model.ts'
import { cleanCut, ReferenceRun, type Sides } from './reference-run.ts'

const seed = Number(process.env['PORTCULLIS_SEED'] ?? Date.now() % 2 ** 31)
const numRuns = Number(process.env['PORTCULLIS_RUNS'] ?? 3_000)

const cuts = fc.array(
  fc.constantFrom(
    'none' as const,
    'none' as const,
    'session' as const,
    'agent' as const,
    'both' as const,
  ),
  { maxLength: 40, size: 'max' },
)
const honest: Sides = { step, agent: (binding) => binding, cut: cleanCut }

/** What must hold of every run, whoever was cut off when. */
async function holds(
  nodes: readonly ModelNode[],
  schedule: readonly ('none' | 'session' | 'agent' | 'both')[],
  sides: Sides,
) {
  const expected = expectedOf(nodes)
  const ran = await new ReferenceRun(nodes, schedule, sides).run()
  const { calls, final } = ran
  expect(final.ended_ms, 'it comes to an end').not.toBeNull()
  const end = final.status === 'completed' ? 'completed' : final.reason
  expect(end).toBe(expected.end)
  expect(
    calls.map(({ nid }) => nid),
    'called',
  ).toEqual([...expected.called.keys()])
  expect(ran.skipped, 'skipped').toEqual(expected.skipped)
  for (const { nid, args, session_digest, agent_digest } of calls) {
    expect(agent_digest, 'one digest on both sides').toBe(session_digest)
    const node = nodes.find(({ id }) => id === nid)
    const values = (node?.takes ?? []).map((_, k) => args[`t${k}`])
    expect(values).toEqual(expected.called.get(nid))
    for (const [k, from] of (node?.takes ?? []).entries()) {
      const value = values[k]
      if ('enum' in from) expect(from.enum).toContain(value)
      else {
        expect(value).toBeGreaterThanOrEqual(from.min)
        expect(value).toBeLessThanOrEqual(from.max)
      }
    }
  }
  for (const [nid, { state }] of final.nodes) {
    if (state === 'skipped') expect(calls.some((one) => one.nid === nid)).toBe(false)
  }
  return { ...ran, expected }
}

describe('values of the run', () => {
  test(`are the same on both sides and inside their bounds, on ${numRuns} schedules (seed ${seed})`, async () => {
    const seen = { calls: 0, taken: 0, skipped: 0, completed: 0, missed: 0, unmet: 0, cut: 0 }
    await fc.assert(
      fc.asyncProperty(referringGraph, cuts, async (nodes, schedule) => {
        const { calls, expected } = await holds(nodes, schedule, honest)
        seen.calls += calls.length
        seen.taken += [...expected.called.values()].flat().length
        seen.skipped += expected.skipped.size
        if (schedule.some((one) => one !== 'none')) seen.cut++
        if (expected.end === 'completed') seen.completed++
        if (expected.end === 'reference_missed') seen.missed++
        if (expected.end === 'require_not_met') seen.unmet++
      }),
      { seed, numRuns },
    )
    console.log(`seed ${seed}: ${numRuns} schedules, ${JSON.stringify(seen)}`)
    // A run in which nothing happens would prove nothing.
    expect(seen.taken).toBeGreaterThan(numRuns / 2)
    expect(seen.skipped).toBeGreaterThan(numRuns / 20)
    expect(seen.completed).toBeGreaterThan(numRuns / 10)
    expect(seen.missed).toBeGreaterThan(numRuns / 20)
    expect(seen.unmet).toBeGreaterThan(numRuns / 200)
    expect(seen.cut).toBeGreaterThan(numRuns / 2)
  })

  const edited =
    (change: (node: object) => object): Sides['agent'] =>
    (binding) => {
      const { context } = binding
      const nodes = context.plan.nodes.map((node) => change(node)) as typeof context.plan.nodes
      return { ...binding, context: { ...context, plan: { ...context.plan, nodes } } }
    }
  /** Sides with one planted fault each; a harness that misses one proves nothing. */
  const damaged: [string, Sides][] = [
    [
      'loses answers when it is cut off',
      { ...honest, cut: (state) => ({ ...cleanCut(state), results: new Map() }) },
    ],
    [
      'converts by another table on one side',
      {
        ...honest,
        agent: (binding) => {
          const { context } = binding
          const conversions = (context.conversions ?? []).map((one) => {
            return one.scale[0] === '1000'
              ? { ...one, scale: ['1001', '1'] as [string, string] }
              : one
          })
          return { ...binding, context: { ...context, conversions } }
        },
      },
    ],
    [
      'looks at no condition on one side',
      { ...honest, agent: edited(({ ...node }) => ({ ...node, when: undefined })) },
    ],
    [
      'runs what is to be skipped, on both sides',
      {
        ...honest,
        agent: edited(({ ...node }) => ({ ...node, when: undefined })),
        step: (binding, ...rest) =>
          step(edited(({ ...node }) => ({ ...node, when: undefined }))(binding), ...rest),
      },
    ],
    [
      'takes any value, on both sides',
      (() => {
        const open = edited(
          (node) =>
            JSON.parse(
              JSON.stringify(node, (key, value: unknown) =>
                key === 'min' ? -1e9 : key === 'max' ? 1e9 : value,
              ),
            ) as object,
        )
        return { ...honest, agent: open, step: (binding, ...rest) => step(open(binding), ...rest) }
      })(),
    ],
  ]
  test.each(damaged)('are told from those of a side that %s', async (_, sides) => {
    const outcome = await fc.check(
      fc.asyncProperty(referringGraph, cuts, async (nodes, schedule) => {
        await holds(nodes, schedule, sides)
      }),
      { seed, numRuns: 2_000, endOnFailure: true },
    )
    expect(outcome.failed).toBe(true)
  })
})
