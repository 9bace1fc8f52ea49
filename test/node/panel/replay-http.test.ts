// Record and replay over real sockets, as an evaluation of the whole gateway does it: a proxy in front of
// the vendor, then a server that answers from the recording alone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRecordingProxy, answerOf } from '../../../local/vendor-sim/recording-proxy.ts'
import { startReplay } from '../../../local/vendor-sim/replay.ts'
import { startVendorSim, type VendorSim } from '../../../local/vendor-sim/server.ts'
import type { RecordedCall } from '../../../verify/panel/record.ts'
import { devPlans, judgeAndDecide, judgeInput, livePolicy, plainPlan, type Run } from './harness.ts'

let vendor: VendorSim
beforeAll(async () => {
  vendor = await startVendorSim()
})
afterAll(() => vendor.close())

const policy = livePolicy(3, { least_depth: 3 })
const plans = devPlans.slice(0, 8)

/** Judges all plans with the endpoints of something that stands where a vendor would. */
async function judgeAt(endpoints: () => ReturnType<VendorSim['endpoints']>): Promise<Run[]> {
  const runs: Run[] = []
  for (const { plan } of plans) {
    const input = judgeInput(plan, policy, { earlyStop: false })
    runs.push(await judgeAndDecide({ ...vendor, endpoints }, input))
  }
  return runs
}

/** What a replay must give again: everything but times. */
const said = (run: Run) => ({
  decided: run.decided,
  opinions: run.result.opinions.map((opinion) => ({ ...opinion, ms: 0 })),
  chief: { ...run.result.chief, ms: 0 },
})

describe('replay over HTTP', () => {
  test('an evaluation that was recorded runs again without the vendor, word for word', async () => {
    const calls: RecordedCall[] = []
    const proxy = await startRecordingProxy(vendor.endpoints(), (call) => calls.push(call))
    const live = await judgeAt(() => proxy.endpoints)
    await proxy.close()
    const asked = vendor.requests.length
    expect(calls).toHaveLength(asked)
    // A recording holds no key and none of the values that were fresh.
    expect(JSON.stringify(calls)).not.toContain('sim-key')
    const replay = await startReplay(calls)
    const again = await judgeAt(() => replay.sim.endpoints())
    expect(vendor.requests).toHaveLength(asked)
    expect(replay.missed()).toBe(0)
    expect(again.map(said)).toStrictEqual(live.map(said))
    expect(new Set(live.map((run) => run.decided.verdict)).size).toBeGreaterThan(1)
    await replay.sim.close()
  })

  test('what was not recorded is a missing judge, counted, and never an accept', async () => {
    const replay = await startReplay([])
    const run = await judgeAndDecide(replay.sim, judgeInput(plainPlan, policy))
    expect(run.decided.verdict).toBe('escalate')
    expect(replay.missed()).toBe(3)
    await replay.sim.close()
  })

  test('a recorded failure fails again', async () => {
    const calls: RecordedCall[] = []
    const proxy = await startRecordingProxy(vendor.endpoints(), (call) => calls.push(call))
    vendor.setFault((request) => {
      if (request.model === 'sim-1') return { kind: 'status', status: 400 }
      return request.model === 'sim-2' ? { kind: 'refusal' } : null
    })
    const at = (endpoints: unknown) => ({
      ...vendor,
      endpoints: () => endpoints as ReturnType<VendorSim['endpoints']>,
    })
    const input = judgeInput(plainPlan, policy)
    const live = await judgeAndDecide(at(proxy.endpoints), input)
    vendor.reset()
    const replay = await startReplay(calls)
    const again = await judgeAndDecide(at(replay.sim.endpoints()), input)
    const endings = (run: Run) => run.result.opinions.map((o) => [o.outcome, o.failure])
    expect(endings(live).slice(3)).toStrictEqual([
      ['failed', 'http_400'],
      ['refused', 'refusal'],
      ['answered', null],
    ])
    expect(endings(again)).toStrictEqual(endings(live))
    await proxy.close()
    await replay.sim.close()
  })

  test('reads whole and streamed bodies of both wires alike', () => {
    const whole = {
      anthropic: {
        content: [{ type: 'text', text: 'ab' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 3, output_tokens: 4 },
      },
      openai: {
        choices: [{ message: { content: 'ab' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 4 },
      },
    }
    const usage = { input_tokens: 3, output_tokens: 4 }
    for (const [wire, ending] of [
      ['anthropic', 'end_turn'],
      ['openai', 'stop'],
    ] as const) {
      expect(answerOf(wire, JSON.stringify(whole[wire]), false)).toStrictEqual({
        text: 'ab',
        ending,
        usage,
      })
    }
  })
})
