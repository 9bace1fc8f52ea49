// Weigh, compute, dispense by reference: real gateway, real agent, and the journal of the cell for what moved.
// A value that may not be used ends the run before the pump is called (invariant 15).
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { postPlan, submit, type SessionView } from '../../../lab/local/plans.ts'
import { recordStanding } from '../../../lab/local/standing.ts'
import { digest } from '../../../protocol/digest.ts'
import type { Packet } from '../../../protocol/records.ts'
import type { Violation } from '../../../protocol/reasons.ts'
import { Stage } from './harness.ts'
import {
  good,
  weighingPlan,
  weighingSite,
  weighingState,
  writeAnswers,
  type Answers,
} from './weighing-site.ts'

let stage: Stage
let dir: string
const answers = () => path.join(dir, 'answers.json')

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'portcullis-refs-'))
  const siteFile = path.join(dir, 'site.json')
  await writeFile(siteFile, JSON.stringify(weighingSite))
  await writeAnswers(answers(), good)
  stage = await Stage.open({ siteFile, answers: answers(), policy: { panel: 'offline' } })
  // On a busy machine.
}, 400_000)
afterAll(async () => {
  await stage.close()
  await rm(dir, { recursive: true, force: true })
})
beforeEach(async () => {
  stage.unhook()
  await stage.ready()
})

/** Accepts the plan, by a person where the rules leave it to one; gives what that person was shown. */
async function accepted(plan: object): Promise<{ plan: string; shown: Packet }> {
  const { url, record } = stage.lab
  await recordStanding(stage.lab, record.cell, weighingState)
  const posted = await submit(url, stage.planner(), plan)
  const at = { path: `/v1/reviews/${posted.plan}`, token: record.reviewer }
  const { packet } = await must<{ packet: Packet }>(url, { method: 'GET', ...at })
  expect(posted.verdict, JSON.stringify([posted, packet.evidence])).not.toBe('reject')
  if (posted.verdict === 'escalate') {
    const body = {
      packet_digest: await digest('packet', packet),
      verdict: 'accept',
      rationale: 'The bounds allow nothing that I would not let it do.',
    }
    await must(url, { method: 'POST', ...at, body })
  }
  return { plan: posted.plan, shown: packet }
}

/** Runs the plan with these answers of the devices to its end. */
async function run(told: Answers, plan: object = weighingPlan()): Promise<SessionView> {
  await writeAnswers(answers(), { ...good, ...told })
  const session = await stage.sessionOf((await accepted(plan)).plan)
  return stage.ended(session)
}

/** What was handed to devices: node → digest of the arguments. */
async function called({ session }: SessionView): Promise<Map<string, string>> {
  const begun = (await stage.journal(session)).filter(({ phase }) => phase === 'begin')
  return new Map(begun.map(({ node, args_digest }) => [node ?? '', args_digest]))
}

const states = (view: SessionView) =>
  Object.fromEntries(view.nodes.map(({ nid, state }) => [nid, state]))

describe('inside its bounds', () => {
  test('a value travels from device to device, converted, and the run completes', async () => {
    const view = await run({})
    expect(view, JSON.stringify(view)).toMatchObject({ status: 'completed', reason: null })
    const calls = await called(view)
    expect(calls.get('n2')).toBe(await digest('args', { mass: 123.4 }))
    expect(calls.get('n3')).toBe(await digest('args', { volume: 72.5 }))
    const filed = { record: 'R-1', value: 123.4, provenance: 'measured' }
    expect(calls.get('n4')).toBe(await digest('args', filed))
  })

  test('a person is shown the template, its bounds and what the interval allows', async () => {
    const { shown } = await accepted(weighingPlan())
    const sentence = shown.trace?.steps.find(({ node }) => node === 'n3')?.sentence
    expect(sentence).toContain('50 to 800 µL')
    expect(sentence).toContain('/volume is /volume of n2, from 50 to 800 uL')
  })

  test('bounds that allow more than fits are held for a person, by the same rule as a constant', async () => {
    const wide = { $from: { node: 'n2', pointer: '/volume', unit: 'uL', min: 50, max: 900 } }
    const { shown } = await accepted(weighingPlan({ n3: { args: { volume: wide } } }))
    const over = ({ evidence }: Packet) =>
      evidence.unknowns.filter(({ node }) => node === 'n3').map(({ code }) => code)
    expect(over(shown)).toEqual(['DRYRUN_OVERFLOW'])
    expect(over((await accepted(weighingPlan())).shown)).toEqual([])
  })
})

// The site notes answers that do not fit their row: such a node has succeeded, and is no value to go on with.
describe('ends before the pump is called:', () => {
  test.each<[string, Answers, string]>([
    ['a value outside its bounds', { compute_volume: { volume: 0.9 } }, 'above_max'],
    ['a value below its bounds', { compute_volume: { volume: 0.001 } }, 'below_min'],
    ['NaN, which is no JSON', { compute_volume: '{"volume": NaN}' }, 'no_result'],
    ['a missing value', { compute_volume: { other: 1 } }, 'no_result'],
    ['null', { compute_volume: { volume: null } }, 'no_result'],
    ['a number as text', { compute_volume: { volume: '0.0725' } }, 'no_result'],
    ['a text with the unit', { compute_volume: { volume: '72.5 uL' } }, 'no_result'],
    ['a list', { compute_volume: { volume: [0.0725] } }, 'no_result'],
    [
      'an answer that is too large',
      { compute_volume: { volume: 0.07, x: 'y'.repeat(40_000) } },
      'kept_by_digest',
    ],
  ])('%s', async (_, told, code) => {
    const view = await run(told)
    expect(view).toMatchObject({ status: 'terminated', reason: 'reference_missed' })
    expect(states(view)).toMatchObject({ n1: 'succeeded', n2: 'succeeded', n3: 'pending' })
    expect([...(await called(view)).keys()]).toEqual(['n1', 'n2'])
    const trail = await must<{ items: { event: string; facts: { detail?: string } }[] }>(
      stage.lab.url,
      {
        method: 'GET',
        path: `/v1/sessions/${view.session}/audit`,
        token: stage.lab.record.operator,
      },
    )
    const ended = trail.items.find(({ event }) => event === 'terminated')
    expect(ended?.facts.detail).toBe(`n3/args/volume: ${code} of n2`)
  })

  test('a result that was changed after it was signed', async () => {
    stage.hook((frame) => {
      const forged = frame.text.includes('"volume":0.0725')
      const text = forged ? frame.text.replace('"volume":0.0725', '"volume":0.0726') : frame.text
      return { send: [{ text }] }
    })
    const view = await run({})
    expect(view).toMatchObject({ status: 'terminated', reason: 'frame_violation' })
    expect([...(await called(view)).keys()]).toEqual(['n1', 'n2'])
  })

  test('a device that fails', async () => {
    const view = await run({ compute_volume: '' })
    expect(view.status).toBe('terminated')
    expect([...(await called(view)).keys()]).toEqual(['n1', 'n2'])
  })
})

describe('a condition', () => {
  const heavy = { result: { node: 'n1', pointer: '/mass' }, unit: 'g', gt: 0.1 }
  const stable = { result: { node: 'n1', pointer: '/state' }, eq: 'stable' }

  test('that does not hold skips the node and all behind it; the run completes', async () => {
    const plan = weighingPlan({ n3: { when: { all: [heavy, stable] } } })
    const view = await run({ weigh: { mass: 100, state: 'stable' } }, plan)
    expect(view, JSON.stringify(view)).toMatchObject({ status: 'completed' })
    expect(states(view)).toEqual({ n1: 'succeeded', n2: 'succeeded', n3: 'skipped', n4: 'skipped' })
    expect([...(await called(view)).keys()]).toEqual(['n1', 'n2'])
  })

  test('that holds lets it run', async () => {
    const plan = weighingPlan({ n3: { when: { all: [heavy, stable] } } })
    const view = await run({}, plan)
    expect(view.status).toBe('completed')
    expect([...(await called(view)).keys()]).toEqual(['n1', 'n2', 'n3', 'n4'])
  })

  test('`require` that does not hold ends the run', async () => {
    const view = await run(
      { weigh: { mass: 200, state: 'drifting' } },
      weighingPlan({ n3: { require: stable } }),
    )
    expect(view).toMatchObject({ status: 'terminated', reason: 'require_not_met' })
    expect([...(await called(view)).keys()]).toEqual(['n1', 'n2'])
  })

  test('over a value that is missing is a miss, and never false', async () => {
    const view = await run(
      { weigh: { mass: 200 } },
      weighingPlan({ n3: { when: { not: stable } } }),
    )
    expect(view).toMatchObject({ status: 'terminated', reason: 'reference_missed' })
  })
})

describe('is not taken in:', () => {
  const from = (more: object) => {
    return {
      n3: {
        args: {
          volume: {
            $from: { node: 'n2', pointer: '/volume', unit: 'uL', min: 50, max: 800, ...more },
          },
        },
      },
    }
  }
  test.each<[string, Record<string, object>, string]>([
    ['a reference to a later node', from({ node: 'n4' }), 'reference_invalid'],
    ['to a node of another run', from({ node: 'sess_other/n2' }), 'reference_invalid'],
    ['to what the site does not declare', from({ pointer: '/raw' }), 'reference_invalid'],
    ['in a unit of something else', from({ unit: 'mg' }), 'reference_invalid'],
    [
      'in another unit than the argument',
      from({ unit: 'mL', max: 0.8, min: 0.05 }),
      'reference_invalid',
    ],
    ['with bounds beyond the schema', from({ max: 901 }), 'args_invalid'],
    [
      'without bounds',
      { n3: { args: { volume: { $from: { node: 'n2', pointer: '/volume' } } } } },
      'reference_malformed',
    ],
  ])('%s', async (_, changes, code) => {
    const answer = await postPlan(stage.lab.url, stage.planner(), weighingPlan(changes))
    expect(answer.status).toBe(422)
    const { violations } = answer.body as { violations: Violation[] }
    expect(violations.map((one) => one.code)).toContain(code)
  })

  test('a measured value that was fixed before anything was measured', async () => {
    const args = { record: 'R-1', value: 123.4, provenance: 'measured' }
    const { url } = stage.lab
    const posted = await submit(url, stage.planner(), weighingPlan({ n4: { args } }))
    expect(posted.verdict).toBe('reject')
    const found = posted.findings.find(({ code }) => code === 'PROVENANCE_NOT_SHOWN')
    expect(found?.remedy).toContain('$from')
  })
})
