// The stages of a plan by their types and by their values: no stage takes a plan that an earlier one has
// not seen, the same plan gives the same floor at intake and again later, and the rules enter as values.
import { describe, expect, test } from 'vitest'
import type { Opinion } from '../../../protocol/opinion.ts'
import {
  admitPlan,
  admittedBefore,
  checkPlan,
  decideJudged,
  groundPlan,
  judgeRemembered,
  readPlan,
  simulatePlan,
  parse,
  rememberPlan,
  screenedBefore,
  unjudged,
  type Judging,
} from '../../../verify/pipeline.ts'
import { noBench } from '../../../verify/judge.ts'
import type { Knowledge } from '../../../verify/ground/port.ts'
import type { Admitted, Grounded, Judged, Screened } from '../../../verify/stages.ts'
import { rederive } from '../../../verify/decide/decide.ts'
import { demoSnapshot, nowMs, submitterOf } from '../support/snapshot.ts'

const snapshot = demoSnapshot()
const plan = {
  goal: 'Look up the storage status of sample ST-100.',
  instructions: ['Read the storage status of sample ST-100.'],
  planner: { id: Object.keys(snapshot.registry.planners)[0] ?? '' },
  nodes: [
    {
      id: 'n1',
      tool: 'lims.read_sample',
      args: { sample_id: 'ST-100', fields: ['storage_status'] },
    },
  ],
}
const bytes = new TextEncoder().encode(JSON.stringify(plan))

const asked = { submitter: submitterOf(plan as never), snapshot, received_ms: nowMs }

async function admitted(): Promise<Admitted> {
  const body = parse(bytes)
  if (!body.ok) throw new Error(JSON.stringify(body.error))
  const done = await admitPlan(body.value, asked)
  if (!done.ok) throw new Error(JSON.stringify(done.error))
  return done.value
}

const downStore = {
  store: { active: () => Promise.reject(new Error('down')) },
} as never as Knowledge

const judging = (checkpoint: (opinion: Opinion) => void): Judging => ({
  ports: {
    model: { reach: () => null, ask: () => Promise.reject(new Error('nobody is asked')) },
    clock: { nowMs: () => nowMs } as never,
    nonce: (label) => `${label.replaceAll(/[^a-z]/g, '')}${'n'.repeat(40)}`.slice(0, 40),
    screen: () => true,
    estimate: (seat) => ({ name: seat.name, cost_usd: null, ms: null }),
    reserve: () => Promise.resolve(true),
  },
  bench: noBench,
  done: [],
  signal: new AbortController().signal,
  replayed: false,
  askAll: false,
  standing: null,
  checkpoint,
})

describe('the types of the pipeline', () => {
  test('refuse a later stage on a plan that has not earned it', () => {
    type Of = { admitted: Admitted; screened: Screened; grounded: Grounded; judged: Judged }
    const how = judging(() => undefined)
    const early = (of: Of) => {
      // @ts-expect-error -- an admitted plan has no floor
      void groundPlan(of.admitted, downStore)
      // @ts-expect-error -- a screened plan was not grounded
      rememberPlan(of.screened, null)
      // @ts-expect-error -- nobody asked memory
      void judgeRemembered(of.grounded, how)
      // @ts-expect-error -- nobody judged it
      void decideJudged(of.grounded, 0)
      const facts = admittedBefore(of.admitted)
      // @ts-expect-error -- facts alone are no proof that the stage was passed
      void checkPlan({ plan: facts.plan, plan_digest: facts.plan_digest, ...asked })
    }
    expect(early).toBeTypeOf('function')
  })
})

describe('the stages', () => {
  test('give the same floor at intake and when a stored plan is checked again', async () => {
    const first = await checkPlan(await admitted())
    const again = await checkPlan(admittedBefore(JSON.parse(JSON.stringify(first)) as Screened))
    expect(again.floor).toEqual(first.floor)
    expect(screenedBefore(first)).toEqual(first)
  })

  test('never accept without knowledge or memory, and say why', async () => {
    const screened = await checkPlan(await admitted())
    const grounded = await groundPlan(simulatePlan(readPlan(screened)), downStore)
    expect(grounded.grounding).toBe(null)
    expect(grounded.failure).toContain('down')
    const voices: string[] = []
    const judged = await judgeRemembered(
      rememberPlan(grounded, null),
      judging((opinion) => void voices.push(opinion.judge)),
    )
    // Rules have no vote: alone they leave evidence and no opinion, and nobody else is asked.
    expect(voices).toEqual([])
    expect(judged.found).toMatchObject({ opinions: [], chief: null, depth: { panel: 'rules' } })
    expect(Object.keys(judged.found.evidence)).toEqual(['breaches', 'unknowns', 'doubts'])
    const decided = await decideJudged(judged, nowMs)
    expect(decided.decision.verdict).toBe('escalate')
    expect(decided.decision.reasons).toContain('knowledge_down')
    expect(decided.decision.valid_until).toBe(decided.packet.expires)
    expect(rederive(decided.packet, snapshot.policy).reasons).toEqual(decided.decision.reasons)
  })

  test('send a plan whose passes all died to a person, and reject a block unasked', async () => {
    const screened = await checkPlan(await admitted())
    const died = await decideJudged(unjudged(screened, []), nowMs)
    expect(died.decision).toMatchObject({ verdict: 'escalate' })
    expect(died.decision.reasons).toContain('judging_failed')
    const blocked = screenedBefore({ ...screened, floor: { ...screened.floor, level: 'block' } })
    const rejected = await decideJudged(unjudged(blocked, []), nowMs)
    expect(rejected.decision).toMatchObject({ verdict: 'reject', reasons: ['floor_block'] })
  })
})
