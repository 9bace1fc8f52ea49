// The published experiment end to end against the vendor simulator: real gateway, both wires, faults,
// ensembles, record, exact replay, drift. The simulator's verdicts measure nothing; what is tested is
// that the figures are those of what happened.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vendorPanel } from '../../../adapters/models/default-seats.ts'
import { evaluateDrift } from '../../../lab/eval/drift.ts'
import { judgesFrom, type JudgesChoice } from '../../../lab/eval/judges-option.ts'
import type { StoredPacket } from '../../../lab/eval/packets.ts'
import { evaluatePlans, type PlansDocument } from '../../../lab/eval/plans.ts'
import { startVendorSim, type VendorSim } from '../../../lab/local/vendor-sim/server.ts'
import type { SimFault, SimRequest } from '../../../lab/local/vendor-sim/types.ts'
import { wordModel } from '../../../lab/local/vendor-sim/word-model.ts'
import { readRecording, type RecordedCall } from '../../../verify/panel/record.ts'

const secret = 'key-that-no-record-may-hold'
const data = path.join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'lab',
  'eval',
  'data',
  'dev-40.v2.jsonl',
)
const faultyGoal = 'Heat-kill yeast while vendors fail'
const faulty = `"goal": "${faultyGoal}"`

let sim: VendorSim
let dir: string
let plans: string
const calls: RecordedCall[] = []
const packets: StoredPacket[] = []
let live: PlansDocument
/** Requests at the simulator once the live run was over. */
let asked = 0

/** Retried once by everybody's first request; the faulty plan meets three vendors that fail. */
function faults(): (request: SimRequest) => SimFault | null {
  let first = true
  return (request) => {
    if (first) {
      first = false
      return { kind: 'status', status: 529, retryAfterS: 0 }
    }
    if (!request.prompt.includes(faulty)) return null
    switch (request.model) {
      case 'claude-opus-5-5':
        return { kind: 'refusal' }
      case 'grok-4':
        return { kind: 'cut' }
      case 'claude-haiku-5-5':
        return { kind: 'silent' }
      default:
        return null
    }
  }
}

function env(): Record<string, string> {
  const at = { ...sim.endpoints(secret) }
  const seats = [...vendorPanel.judges, vendorPanel.chief]
  return {
    MODEL_ENDPOINTS: JSON.stringify({ ...at, google: at.openai, xai: at.openai }),
    MODEL_PRICES: JSON.stringify(
      Object.fromEntries(seats.map(({ model }) => [model, { input: 1, output: 10 }])),
    ),
  }
}

/** The choice with a deadline that a silent vendor does not hold up for long. */
async function choose(
  judges: string,
  more: { models?: string[]; env?: Record<string, string> } = {},
): Promise<JudgesChoice> {
  const options = { judges, depth: null, prompt: null, models: more.models ?? [] }
  const choice = await judgesFrom(options, more.env ?? env())
  return { ...choice, policy: (site) => ({ ...choice.policy(site), judge_deadline_ms: 8_000 }) }
}

async function run(
  judges: JudgesChoice,
  ensembles: readonly (1 | 3 | 5 | 7)[] | null,
  askAll = true,
) {
  const keep = {
    calls: (made: readonly RecordedCall[]) => calls.push(...made),
    packet: (packet: StoredPacket) => packets.push(packet),
  }
  const recorded = judges.kind === 'live' && calls.length === 0
  return evaluatePlans(plans, {
    site: null,
    keepMemory: false,
    askAll,
    parallel: 5,
    judges,
    ensembles,
    keep: recorded ? keep : { calls: null, packet: null },
  })
}

/** A document without what another run measures anew. */
const timeless = (document: PlansDocument): unknown =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) =>
      ['ms', 'ms_p50', 'ms_p95', 'judges'].includes(key) ? undefined : value,
    ),
  )

const file = (name: string): string => path.join(dir, name)
const jsonl = (rows: readonly unknown[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('')

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'portcullis-eval-'))
  plans = file('plans.jsonl')
  const rows = (await readFile(data, 'utf8')).split('\n').slice(0, 4)
  const first = JSON.parse(rows[0] ?? '') as object
  const odd = { ...first, id: 'faulty', goal: faultyGoal, label: 'escalate' }
  await writeFile(plans, `${rows.join('\n')}\n${JSON.stringify(odd)}\n`)
  sim = await startVendorSim()
  sim.setFault(faults())
  live = await run(await choose('live'), [3, 5])
  asked = sim.requests.length
  await writeFile(file('calls.jsonl'), jsonl(calls))
  await writeFile(file('packets.jsonl'), jsonl(packets))
})
afterAll(async () => {
  await sim.close()
  await rm(dir, { recursive: true, force: true })
})

describe('an evaluation with models', () => {
  test('prints the published tables with intervals, review load, latency and cost', () => {
    expect(live).toMatchObject({ n: 5, judges: 'live', invalid: 0 })
    expect(live.rows.find((row) => row.id === 'owndev-001')?.verdict).toBe('accept')
    expect(live.ensembles?.map((row) => [row.size, row.n])).toStrictEqual([
      [3, 5],
      [5, 5],
    ])
    for (const row of live.ensembles ?? []) {
      expect(row.macro_f1).toBeGreaterThan(0)
      const [low, high] = row.accuracy_ci95
      expect(low).toBeLessThanOrEqual(row.accuracy)
      expect(high).toBeGreaterThanOrEqual(row.accuracy)
      expect(row.ms_p95).toBeGreaterThanOrEqual(row.ms_p50)
      expect(row.cost_usd_per_plan).toBeGreaterThan(0)
      expect(row.review_load_ci95).toHaveLength(2)
    }
    // Every model was asked about every plan, also about what the rules reject, but never about
    // what the floor blocks.
    const blocked = live.rows.filter((row) => row.reasons.includes('floor_block'))
    expect(blocked).toHaveLength(1)
    expect(live.rows.map((row) => row.models?.asked)).toStrictEqual(
      live.rows.map((row) => (blocked.includes(row) ? 0 : 6)),
    )
    // What models alone would have said is not known of a plan that none of them saw.
    expect(live.rows.map((row) => row.models?.models_alone === null)).toStrictEqual(
      live.rows.map((row) => blocked.includes(row)),
    )
    expect(live.ensembles?.map((row) => row.models_alone?.n)).toStrictEqual([4, 4])
    const [three, five] = live.ensembles ?? []
    expect(five?.asked).toBeGreaterThan(three?.asked ?? Infinity)
    // Both tables are about plans of one class, and about all of them.
    expect(live.adversarial).toMatchObject({ n: 1 })
    expect(Object.keys(live.adversarial ?? {})).toContain('by_category')
  })

  test('never accepts on an outage, keeps the other judges and names who was missing', () => {
    const row = live.rows.find(({ id }) => id === 'faulty')
    expect(row).toMatchObject({ verdict: 'escalate' })
    expect(row?.models?.outages).toStrictEqual([
      'judge-2: refusal',
      'judge-4: stream_broken',
      'judge-5: deadline',
    ])
    // Two of five judges and the chief answered.
    expect(row?.models).toMatchObject({ asked: 6, answered: 3 })
    expect(live.outages).toStrictEqual({
      'judge-2: refusal': 1,
      'judge-4: stream_broken': 1,
      'judge-5: deadline': 1,
    })
  })

  test('both wires were spoken, and the record holds every call and no key', () => {
    expect(new Set(sim.requests.map((request) => request.wire)).size).toBe(2)
    expect(sim.requests.every((request) => request.key === secret)).toBe(true)
    // One request was tried twice; each call stands once.
    expect(calls).toHaveLength(asked - 1)
    expect(
      calls
        .filter((call) => !call.reply.ok)
        .map((call) => call.seat)
        .sort(),
    ).toStrictEqual(['judge-2', 'judge-2', 'judge-4', 'judge-5'])
    expect(JSON.stringify([calls, packets])).not.toContain(secret)
  })

  test('runs again from its record without asking anybody, to the same document', async () => {
    const choice = await choose(`replay:${file('calls.jsonl')}`)
    const again = await run(choice, [3, 5])
    expect(await choice.close()).toMatch(/^\d+ calls answered from/)
    expect(timeless(again)).toStrictEqual(timeless(live))
    expect(sim.requests).toHaveLength(asked)
  })

  test('what is not in the record is an outage with a name, never a made-up answer', async () => {
    // The chief and the first judge of every plan are gone.
    const some = calls.filter(({ seat }) => seat !== 'chief' && seat !== 'judge-1')
    const kept = calls.filter(({ seat }) => seat === 'judge-1').slice(0, 1)
    await writeFile(file('some.jsonl'), jsonl([...some, ...kept]))
    const choice = await choose(`replay:${file('some.jsonl')}`)
    const document = await run(choice, [5], false)
    // Not asked about what the rules reject by themselves, so there is no table of models alone.
    expect(document.ensembles?.[0]?.models_alone).toBeNull()
    expect(await choice.close()).toContain('judges are missing: judge-1')
    expect(document.rows.some((row) => row.verdict === 'accept')).toBe(false)
    expect(document.outages?.['judge-1: not_recorded']).toBeGreaterThan(0)
  })

  test('without keys no plan is accepted and the document says who is missing', async () => {
    const document = await run(await choose('live', { env: {} }), null)
    expect(document.rows.map((row) => row.verdict)).not.toContain('accept')
    expect(document.rows.find((row) => row.id === 'owndev-001')?.verdict).toBe('escalate')
    expect(document.outages?.['judge-1: key_missing']).toBeGreaterThan(0)
    expect(document.models).toMatchObject({ answered: 0, cost_usd: 0 })
    expect(sim.requests).toHaveLength(asked)
  })
})

describe('drift', () => {
  const drift = (judges: JudgesChoice) =>
    evaluateDrift(file('packets.jsonl'), { site: null, parallel: 5, judges })

  test('there is none when the same answers are given again', async () => {
    const report = await drift(await choose(`replay:${file('calls.jsonl')}`))
    expect(report).toMatchObject({ n: 5, same: 5, flips: 0, changed: [], not_judged: [] })
    expect(report).toMatchObject({ graph_changed: 0, registry_changed: 0, floor_changed: 0 })
  })

  test('another model on one seat is reported, plan by plan and judge by judge', async () => {
    sim.reset()
    sim.setAnswer((request) => {
      const text = wordModel(request)
      if (request.model !== 'another-model') return text
      return JSON.stringify({ ...(JSON.parse(text) as object), verdict: 'escalate' })
    })
    const report = await drift(await choose('live', { models: ['judge-1=another-model'] }))
    expect(sim.requests.some((request) => request.model === 'another-model')).toBe(true)
    expect(report.stricter).toBeGreaterThan(0)
    expect(report.milder).toBe(0)
    const changed = report.changed.find(({ plan }) => plan === 'owndev-001')
    expect(changed).toMatchObject({ before: 'accept', after: 'escalate', flip: false })
    expect(changed?.judges).toContainEqual({
      judge: 'judge-1',
      before: 'accept',
      after: 'escalate',
      risk: 0,
    })
    await expect(choose('live', { models: ['judge-9=m'] }).then(drift)).rejects.toThrow(
      'no such seat: judge-9',
    )
  })

  test('a recording that is broken is refused by its line', () => {
    expect(readRecording(`${JSON.stringify(calls[0])}\n{"v":2}\n`)).toStrictEqual({
      ok: false,
      error: 'line 2: not a recorded call',
    })
  })
})
