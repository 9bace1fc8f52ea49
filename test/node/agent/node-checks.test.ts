// What the agent makes of a released node by its own stored answers alone: the arguments of the call, a skip,
// or the end. The gateway's word decides none of it (invariant 15).
import { beforeAll, describe, expect, test } from 'vitest'
import { acceptWelcome, type AcceptedWelcome } from '../../../contain/receipt.ts'
import { conversionOf, type Conversion } from '../../../protocol/conversion.ts'
import { digest } from '../../../protocol/digest.ts'
import type { NodeProgress } from '../../../protocol/frames.ts'
import type { JsonValue } from '../../../protocol/json.ts'
import type { NodeResult } from '../../../protocol/node-result.ts'
import type { Plan, PlanNode } from '../../../protocol/plan.ts'
import { ok } from '../../../protocol/result.ts'
import { toolMeaningSchema } from '../../../protocol/tool-meaning.ts'
import { checkReleased } from '../../../robot-agent/node-checks.ts'
import { boundSession, fixtureTools, iss, t0, type Fixture } from '../../shared/session-fixture.ts'

const tools = {
  ...fixtureTools,
  'camera.read': {
    ...fixtureTools['camera.read'],
    meaning: toolMeaningSchema.parse({
      acts: [{ act: 'measure', bind: {} }],
      results: { '/mass': { quantity: 'mass', unit: 'mg', kind: 'observed' } },
    }),
  },
}

const amount = { $from: { node: 'a', pointer: '/mass', unit: 'ug', min: 0, max: 5_000 } }
const heavy = { result: { node: 'a', pointer: '/mass' }, unit: 'mg', gt: 1 }

function conversion(at: string, to: string): Conversion {
  const made = conversionOf('mg', to)
  if (made === null) throw new Error('mg')
  return { node: 'b', at, ...made, whole: false }
}

const node = (id: string, tool: string, more: Partial<PlanNode>): PlanNode => {
  return { id, tool, args: {}, depends_on: [], sandbox: null, ...more }
}

type Bench = { readonly fixture: Fixture; readonly bound: AcceptedWelcome }

async function bench(more: Partial<PlanNode>): Promise<Bench> {
  const plan: Plan = {
    goal: 'g',
    instructions: ['i'],
    planner: { id: 'planner-1' },
    nodes: [
      node('a', 'camera.read', {}),
      node('b', 'arm.move', { depends_on: ['a'], ...more }),
      node('c', 'arm.move', { depends_on: ['b'] }),
    ],
  }
  const conversions = [
    conversion('/args/amount', 'ug'),
    conversion('/when', 'mg'),
    conversion('/require', 'mg'),
  ]
  const fixture = await boundSession(plan, { tools, conversions })
  const { context, ctx, receipt, manifest, rows, agent, gatewayKeys } = fixture
  const me = { iss, site: 'site-1', cell: 'cell-1', agent: 'agent-1', jkt: agent.kid }
  const at = { ...me, boot_id: 'boot-1', session: context.session }
  const welcome = { context, ctx, receipt, manifest, rows }
  const bound = await acceptWelcome(welcome, at, { keys: gatewayKeys, now_ms: t0 })
  if (!bound.ok) throw new Error(bound.error)
  return { fixture, bound: bound.value }
}

let taking: Bench
let asking: Bench
let requiring: Bench
beforeAll(async () => {
  taking = await bench({ args: { amount } })
  asking = await bench({ when: heavy })
  requiring = await bench({ require: heavy })
})

async function released(
  { fixture, bound }: Bench,
  nid: string,
  know: { mass?: JsonValue; welcomed?: Record<string, NodeProgress> },
) {
  const token = fixture.tokens.find((one) => one.nid === nid)?.token ?? ''
  const args = bound.context.plan.nodes.find(({ id }) => id === nid)?.args ?? {}
  const result: NodeResult = {
    data: know.mass === undefined ? {} : { mass: know.mass },
    from: 'structured',
    kept: [],
    left_out: 0,
  }
  return checkReleased(
    { nid, token, args },
    {
      bound,
      keys: fixture.gatewayKeys,
      welcomed: new Map(Object.entries(know.welcomed ?? {})),
      outcomes: new Map([['a', 'succeeded']]),
      jkt: fixture.agent.kid,
      nowMs: t0 + 1_000,
      sandboxes: [],
      isUsed: () => ok(false),
      results: new Map([['a', result]]),
    },
  )
}

describe('a released node', () => {
  test('is called with what its own answer gives, and only a `go` for that digest will do', async () => {
    const ready = await released(taking, 'b', { mass: 1.5 })
    if (!ready.ok) throw new Error(ready.error.detail)
    expect(ready.value.decision).toMatchObject({ do: 'run', args: { amount: 1_500 } })
    expect(ready.value.args_digest).toBe(await digest('args', { amount: 1_500 }))
    // An answer that was changed in the ledger asks for another `go` than the session gives.
    const changed = await released(taking, 'b', { mass: 1.6 })
    expect(changed.ok && changed.value.args_digest).not.toBe(ready.value.args_digest)
  })

  test.each<[string, JsonValue | undefined, string]>([
    ['is missing', undefined, 'no_value'],
    ['is outside', 6, 'above_max'],
    ['is a text', '1.5', 'wrong_type'],
  ])('ends the session when the value %s, whatever the gateway thinks', async (_, mass, code) => {
    const answer = await released(taking, 'b', mass === undefined ? {} : { mass })
    expect(answer).toEqual({
      ok: false,
      error: { reason: 'reference_missed', detail: `b/args/amount: ${code} of a` },
    })
  })

  test('is skipped with the values that it compared, and what hangs on it too', async () => {
    const skipped = await released(asking, 'b', { mass: 0.5 })
    expect(skipped.ok && skipped.value.decision).toEqual({ do: 'skip', values: [0.5] })
    const behind = await released(asking, 'c', { mass: 0.5, welcomed: { b: 'skipped' } })
    expect(behind.ok && behind.value.decision).toEqual({ do: 'skip', values: [] })
    const runs = await released(asking, 'b', { mass: 1.5 })
    expect(runs.ok && runs.value.decision.do).toBe('run')
  })

  test('ends the session when what it requires does not hold', async () => {
    const answer = await released(requiring, 'b', { mass: 0.5 })
    expect(answer).toMatchObject({ error: { reason: 'require_not_met' } })
  })
})
