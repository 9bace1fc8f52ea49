// The bounds of the panel, each at its limit and one beyond, and the promises of its runner under ports
// that hang, throw or hold on to their connections.
import { describe, expect, test } from 'vitest'
import { watchedFetch, type Watch } from '../../../adapters/models/watched-fetch.ts'
import { wallClock } from '../../../adapters/models/port.ts'
import { limits } from '../../../protocol/limits.ts'
import { redact } from '../../../verify/chief/redact.ts'
import { forbiddenOf } from '../../../verify/chief/forbidden.ts'
import { readChiefReply } from '../../../verify/chief/run.ts'
import { judgePlan } from '../../../verify/judge.ts'
import { knowledgeLines } from '../../../verify/panel/context.ts'
import { Pool } from '../../../verify/panel/pool.ts'
import { noUsage, type Clock, type ModelPort, type ModelReply } from '../../../verify/panel/port.ts'
import {
  clip,
  placeExists,
  readJudgeReply,
  type ReplyContext,
} from '../../../verify/panel/reply.ts'
import { underDeadline } from '../../../verify/panel/run.ts'
import { decideOn, judgeInput, livePolicy, plainPlan, portsFor, severeFinding } from './harness.ts'

const context: ReplyContext = {
  plan: plainPlan,
  citable: new Set(['rule:POL-01']),
  questions: [],
  seen: {},
  steps: [],
  site: {},
  isHidden: () => false,
  vocabulary: new Set(),
}
const reply = (change: object) =>
  JSON.stringify({
    request: 'echo',
    verdict: 'accept',
    confidence: 1,
    concern: 'none',
    findings: [],
    answers: [],
    reasoning: [],
    ...change,
  })
const read = (text: string) => readJudgeReply(text, 'echo', context)

describe('limits of a reply', () => {
  test('its length', () => {
    const room = limits.judgeReplyBytesMax - reply({ reasoning: [''] }).length
    expect(read(reply({ reasoning: ['x'.repeat(room)] })).ok).toBe(true)
    expect(read(reply({ reasoning: ['x'.repeat(room + 1)] }))).toStrictEqual({
      ok: false,
      error: 'too_large',
    })
  })
  test('its findings', () => {
    const many = (n: number) => reply({ findings: Array.from({ length: n }, () => severeFinding) })
    expect(read(many(50)).ok).toBe(true)
    expect(read(many(51))).toStrictEqual({ ok: false, error: 'wrong_shape' })
  })
  test('numbers out of range are another shape, not clamped', () => {
    for (const change of [
      { confidence: 1.01 },
      { confidence: -0.01 },
      { findings: [{ ...severeFinding, likelihood: 1.5 }] },
      { findings: [{ ...severeFinding, severity: 'none' }] },
      { verdict: 'ACCEPT' },
      { extra: true },
    ]) {
      expect(read(reply(change))).toStrictEqual({ ok: false, error: 'wrong_shape' })
    }
  })
  test('texts are clipped at a whole character, never refused', () => {
    const long = `${'x'.repeat(limits.claimCharsMax - 2)}😀😀`
    const result = read(reply({ findings: [{ ...severeFinding, claim: long }] }))
    const claim = result.ok ? result.value.findings[0]?.claim : undefined
    expect(claim).toBe(`${'x'.repeat(limits.claimCharsMax - 2)}…`)
    expect(clip('abc', 3)).toBe('abc')
    expect(clip('abcd', 3)).toBe('ab…')
  })
  test('one code fence around the whole answer is taken off, prose around it is not JSON', () => {
    expect(read(`\`\`\`json\n${reply({})}\n\`\`\``).ok).toBe(true)
    expect(read(`Here it is: ${reply({})}`)).toStrictEqual({ ok: false, error: 'not_json' })
    expect(read(`${reply({})}${reply({})}`)).toStrictEqual({ ok: false, error: 'not_json' })
  })
  test('places are found by RFC 6901 escapes and nothing else', () => {
    const plan = {
      ...plainPlan,
      nodes: [
        { id: 'n', tool: 't', args: { 'a/b': { 'c~d': [1] } }, depends_on: [], sandbox: null },
      ],
    }
    expect(placeExists(plan, '/nodes/0/args/a~1b/c~0d/0')).toBe(true)
    expect(placeExists(plan, '/nodes/0/args/a~1b/c~0d/1')).toBe(false)
    expect(placeExists(plan, '/nodes/0/args/a~2b')).toBe(false)
    expect(placeExists(plan, 'nodes/0')).toBe(false)
    expect(placeExists(plan, '/nodes/0/args/__proto__')).toBe(false)
  })
})

describe('limits of what is sent and read', () => {
  test('the body of an answer', async () => {
    const body = (n: number): Promise<string> => {
      const watch: Watch = { headers: false, tooLarge: false }
      const answer = () => Promise.resolve(new Response('x'.repeat(n)))
      return watchedFetch(
        answer,
        watch,
        () => {},
        1_000,
      )('http://x.example/').then(
        (response) => response.text(),
        () => 'failed',
      )
    }
    expect((await body(1_000)).length).toBe(1_000)
    await expect(body(1_001)).rejects.toThrow('too large')
    expect(limits.modelBodyBytesMax).toBeLessThan(10_000_000)
  })
  test('the text of the graph', () => {
    const node = { id: 'a', category: 'c', title: 't', text: '' }
    const empty = JSON.stringify(['a', 'c', 't', '']).length
    const fits = { ...node, text: 'x'.repeat(limits.knowledgeCharsMax - empty) }
    const over = { ...node, text: 'x'.repeat(limits.knowledgeCharsMax - empty + 1) }
    expect(knowledgeLines({ nodes: [fits], edges: [] }).kept.nodes).toHaveLength(1)
    expect(knowledgeLines({ nodes: [over], edges: [] }).kept.nodes).toHaveLength(0)
  })
  test("a claim in the chief's input", () => {
    const forbidden = forbiddenOf(plainPlan, () => [], [])
    const words = (n: number) => 'ab '.repeat(200).slice(0, n)
    const max = limits.chiefClaimCharsMax
    expect(redact(words(max), forbidden, max).text.endsWith('…')).toBe(false)
    expect(redact(`${words(max)}ab`, forbidden, max).text.length).toBeLessThanOrEqual(max + 2)
  })
  test('a chief gives every judge one weight and no stranger any', () => {
    const judges = new Map([
      ['J1', 'judge-1'],
      ['J2', 'judge-2'],
    ])
    const chief = (weights: object[]) =>
      readChiefReply(
        JSON.stringify({
          request: 'echo',
          verdict: 'accept',
          classification: 'none',
          weights,
          reasons: [],
        }),
        'echo',
        judges,
      )
    const one = { judge: 'J1', weight: 1 }
    const two = { judge: 'J2', weight: 0 }
    expect(chief([one, two])).toMatchObject({
      ok: true,
      value: { byName: { 'judge-1': 1, 'judge-2': 0 } },
    })
    for (const weights of [[one], [one, one], [one, two, { judge: 'J3', weight: 1 }]]) {
      expect(chief(weights)).toStrictEqual({ ok: false, error: 'weights' })
    }
  })
})

describe('the runner', () => {
  const policy = livePolicy(7, { least_depth: 7, judge_deadline_ms: 300 })

  /** A port whose judges hold their connection until told; it counts how many do at a time. */
  function holdingPort(headersFirst: boolean) {
    const state = { waiting: 0, peak: 0, asked: 0 }
    const port: ModelPort = {
      reach: () => ({ wire: 'openai', vendor: 'openai' }),
      ask: async (_request, signal, onHeaders): Promise<ModelReply> => {
        state.asked += 1
        state.waiting += 1
        state.peak = Math.max(state.peak, state.waiting)
        if (headersFirst) {
          state.waiting -= 1
          onHeaders()
        }
        await wallClock.sleep(100, signal)
        if (!headersFirst) state.waiting -= 1
        return { ok: false, outcome: 'failed', failure: 'held', usage: noUsage }
      },
    }
    return { state, port }
  }
  const judge = (model: ModelPort) => {
    const sim = { endpoints: () => ({}) } as Parameters<typeof portsFor>[0]
    const input = judgeInput(plainPlan, policy)
    return judgePlan({ ...portsFor(sim, policy), model }, input, () => {})
  }

  test('never lets more than six requests wait for headers, and asks all seven', async () => {
    const { state, port } = holdingPort(false)
    await judge(port)
    expect(state).toMatchObject({ peak: 6, asked: 7 })
  })
  test('a request whose headers have arrived makes room at once', async () => {
    const { state, port } = holdingPort(true)
    const started = performance.now()
    await judge(port)
    expect(state.asked).toBe(7)
    expect(performance.now() - started).toBeLessThan(1_000)
  })
  test('a port that never answers and ignores its signal cannot hold the panel', async () => {
    const input = judgeInput(plainPlan, policy)
    const deaf: ModelPort = {
      reach: () => ({ wire: 'openai', vendor: 'openai' }),
      ask: () => new Promise(() => {}),
    }
    const result = await judge(deaf)
    const models = result.opinions
    expect(models.map((o) => o.outcome)).toStrictEqual(Array.from({ length: 7 }, () => 'late'))
    expect(decideOn(input, result).verdict).toBe('escalate')
  })
  test('a port that throws is a missing judge', async () => {
    const throwing: ModelPort = {
      reach: () => ({ wire: 'openai', vendor: 'openai' }),
      ask: () => Promise.reject(new Error('oops')),
    }
    const result = await judge(throwing)
    const models = result.opinions
    expect(models.every((o) => o.failure === 'port_threw')).toBe(true)
  })
  test('a delimiter that the plan knows stops every request and escalates', async () => {
    const { state, port } = holdingPort(true)
    const sim = { endpoints: () => ({}) } as Parameters<typeof portsFor>[0]
    const known = 'k'.repeat(32)
    const input = judgeInput({ ...plainPlan, goal: `x ${known}` }, policy)
    const ports = { ...portsFor(sim, policy), model: port, nonce: () => known }
    const result = await judgePlan(ports, input, () => {})
    expect(state.asked).toBe(0)
    expect(result.opinions.filter((o) => o.failure === 'delimiter_in_data')).toHaveLength(7)
    expect(decideOn(input, result).verdict).toBe('escalate')
  })
  test('a slot of the pool is given back once, however often it is released', async () => {
    const pool = new Pool(1)
    const first = await pool.take()
    let second: (() => void) | null = null
    const waiting = pool.take().then((release) => {
      second = release
    })
    let third = false
    void pool.take().then(() => {
      third = true
    })
    first()
    first()
    await waiting
    await Promise.resolve()
    expect(second).not.toBeNull()
    expect(third).toBe(false)
  })
  test('a deadline that has passed wins over an answer that comes later', async () => {
    const clock: Clock = { nowMs: () => 0, sleep: () => Promise.resolve() }
    const answer: ModelReply = { ok: true, text: 'x', usage: noUsage }
    const later = () => wallClock.sleep(20, new AbortController().signal).then(() => answer)
    const ended = await underDeadline(later, clock, 1, new AbortController().signal)
    expect(ended).toMatchObject({ ok: false, outcome: 'late' })
  })
})
