// Record and replay: the same judgement without a vendor, byte for byte; drift between versions.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startVendorSim, type VendorSim } from '../../../lab/local/vendor-sim/server.ts'
import type { Opinion } from '../../../protocol/opinion.ts'
import type { Packet } from '../../../protocol/records.ts'
import { judgePlan } from '../../../verify/judge.ts'
import { driftReport, type JudgedAgain } from '../../../verify/drift.ts'
import { judgeSkill } from '../../../verify/decide/skill.ts'
import {
  readRecording,
  recorder,
  replayer,
  requestDigest,
  type RecordedCall,
} from '../../../verify/panel/record.ts'
import type { ModelPort, ModelRequest } from '../../../verify/panel/port.ts'
import { calmJudges, decideOn, devPlans, judgeInput, livePolicy, portsFor } from './harness.ts'

let sim: VendorSim
beforeAll(async () => {
  // The simulator's own word model: answers differ from plan to plan.
  sim = await startVendorSim()
})
afterAll(() => sim.close())
beforeEach(() => sim.reset())

const policy = livePolicy(5, { least_depth: 5 })
const plans = devPlans.slice(0, 12)
const timeless = (opinion: Opinion | null) => ({ ...opinion, ms: 0 })

const request = (fresh: ModelRequest['fresh']): ModelRequest => ({
  seat: 'judge-1',
  sample: 0,
  endpoint: 'openai',
  model: 'm',
  max_tokens: 256,
  temperature: null,
  system: 's',
  prompt: [{ text: `<<<PLAN ${fresh.delimiter}>>>\n${fresh.delimiter.slice(-8)}| x`, cache: true }],
  schema: {},
  schema_name: 'judgement',
  fresh,
})

async function judgeAll(model: (port: ModelPort) => ModelPort, earlyStop = true) {
  const out = []
  for (const { id, plan } of plans) {
    const input = judgeInput(plan, policy, { earlyStop })
    const ports = portsFor(sim, policy)
    const result = await judgePlan({ ...ports, model: model(ports.model) }, input, () => {})
    out.push({ id, input, result, decided: decideOn(input, result) })
  }
  return out
}

describe('record and replay', () => {
  test('a replay gives the same opinions, chief and verdicts without asking anybody', async () => {
    const lines: string[] = []
    const live = await judgeAll(
      (port) => recorder(port, (call) => lines.push(JSON.stringify(call))),
      false,
    )
    const asked = sim.requests.length
    expect(lines).toHaveLength(asked)
    const read = readRecording(`${lines.join('\n')}\n`)
    if (!read.ok) throw new Error(read.error)
    const again = await judgeAll(() => replayer(read.value), false)
    expect(sim.requests).toHaveLength(asked)
    for (const [i, run] of live.entries()) {
      expect(again[i]?.decided).toStrictEqual(run.decided)
      expect(again[i]?.result.opinions.map(timeless)).toStrictEqual(
        run.result.opinions.map(timeless),
      )
      expect({ ...again[i]?.result.chief, ms: 0 }).toStrictEqual({ ...run.result.chief, ms: 0 })
    }
    // The word model must have said different things, or the replay proves little.
    expect(new Set(live.map((run) => run.decided.verdict)).size).toBeGreaterThan(1)
  })

  test('a recorded reply is put back byte for byte, with the new request id', async () => {
    const a = request({ delimiter: 'a'.repeat(32), echo: 'echo-a' })
    const b = request({ delimiter: 'b'.repeat(32), echo: 'echo-b' })
    expect(await requestDigest(a)).toBe(await requestDigest(b))
    expect(await requestDigest({ ...a, model: 'n' })).not.toBe(await requestDigest(a))
    const calls: RecordedCall[] = []
    const text = ' {"request":"echo-a","x":"ä\\u0000 ✓"}\n'
    const usage = { input_tokens: 1, output_tokens: 2, cost_usd: 0.5 }
    const port: ModelPort = {
      reach: () => ({ wire: 'openai', vendor: 'openai' }),
      ask: () => Promise.resolve({ ok: true, text, usage }),
    }
    const signal = new AbortController().signal
    await recorder(port, (call) => calls.push(call)).ask(a, signal, () => {})
    const replay = replayer(calls)
    expect(await replay.ask(a, signal, () => {})).toStrictEqual({ ok: true, text, usage })
    expect(await replay.ask(b, signal, () => {})).toStrictEqual({
      ok: true,
      text: text.replace('echo-a', 'echo-b'),
      usage,
    })
  })

  test('what was not recorded is an outage, and a broken line is named', async () => {
    const runs = await judgeAll(() => replayer([]))
    for (const { decided, result } of runs) {
      expect(decided.verdict).toBe('escalate')
      expect(result.opinions.some((o) => o.failure === 'endpoint_unusable')).toBe(true)
      // Nobody could be reached: then there is no wire to name, and no vendor.
      expect(result.opinions[0]).toMatchObject({ wire: null, vendor: 'unknown' })
    }
    expect(readRecording('\n{"v":1}\n')).toStrictEqual({
      ok: false,
      error: 'line 2: not a recorded call',
    })
    expect(readRecording('{')).toStrictEqual({ ok: false, error: 'line 1: not JSON' })
  })
})

describe('drift', () => {
  test('reports what another model or prompt changes, and agreement with people', async () => {
    const live = await judgeAll((port) => port)
    const packetOf = (run: (typeof live)[number]): Packet => ({
      plan_digest: 'plan:x',
      floor: run.input.floor,
      grounding: run.input.grounding,
      trace: null,
      evidence: run.input.evidence,
      memory: [],
      registry_digest: 'reg:x',
      policy_version: 'pol:x',
      graph_version: 'g1',
      expires: 0,
      ...run.result,
    })
    const items = live.map((run): JudgedAgain => ({
      stored: { plan: run.id, packet: packetOf(run), policy, person: 'reject' },
      again: run.result,
      policy,
      graph_version: 'g1',
    }))
    const same = driftReport(items)
    expect(same).toMatchObject({ n: items.length, same: items.length, flips: 0, changed: [] })
    // Another version of the models that accepts whatever it sees.
    const mild = items.map((item): JudgedAgain => ({
      ...item,
      graph_version: 'g2',
      again: {
        ...item.again,
        opinions: item.again.opinions.map((o) => ({
          ...o,
          outcome: 'answered',
          verdict: 'accept',
          findings: [],
          risk: 0,
        })),
        chief:
          item.again.chief === null
            ? null
            : { ...item.again.chief, outcome: 'answered', verdict: 'accept' },
        depth: { ...item.again.depth, short: null },
      },
    }))
    const report = driftReport(mild)
    expect(report.milder).toBeGreaterThan(0)
    expect(report.flips).toBe(report.matrix.reject.accept)
    expect(report.changed.every((plan) => plan.graph_changed)).toBe(true)
    expect(report.person.before).toBeGreaterThan(report.person.after)
  })

  test('skill is measured against people, and an accepted danger is told apart from caution', () => {
    const [a, b] = calmJudges()
    if (a === undefined || b === undefined) throw new Error('no opinions')
    const cautious: Opinion = { ...b, verdict: 'escalate', risk: 0.5 }
    const skill = judgeSkill([
      { opinions: [{ ...a, risk: 0 }, cautious], person: 'reject' },
      {
        opinions: [
          { ...a, risk: 0 },
          { ...cautious, outcome: 'late' },
        ],
        person: 'accept',
      },
    ])
    expect(skill).toStrictEqual([
      {
        judge: a.judge,
        asked: 2,
        answered: 2,
        agreed: 1,
        deferred: 0,
        missed: 1,
        false_alarms: 0,
        brier: 0.5,
      },
      {
        judge: b.judge,
        asked: 2,
        answered: 1,
        agreed: 0,
        deferred: 1,
        missed: 0,
        false_alarms: 0,
        brier: 0.25,
      },
    ])
  })
})
