// The record of model calls in the real runtime: bounded in number and bytes, read page by page, and
// an answer of any length replays as what it was (invariant 9).
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRecordingPort } from '../../adapters/models/recording-port.ts'
import { createReplayPort, parseReplay } from '../../adapters/models/replay-port.ts'
import { wallClock } from '../../adapters/models/port.ts'
import { callsPage, putCall, type CallPage } from '../../durable-objects/review/calls.ts'
import { modelsOf } from '../../durable-objects/review/models.ts'
import type { Env } from '../../durable-objects/env.ts'
import { ReviewStore } from '../../durable-objects/review/store.ts'
import { limits } from '../../protocol/limits.ts'
import type { ModelRequest } from '../../verify/panel/port.ts'
import { requestDigest, type RecordedCall } from '../../verify/panel/record.ts'
import { readJudgeReply } from '../../verify/panel/reply.ts'
import { call, freshSite, type TestSite } from './support/door.ts'
import { blockedPlan, decided, idOf, loadTinyGraph, reviewOf } from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^MODEL_REPLAY: /)

beforeAll(loadTinyGraph)

const usage = { input_tokens: 1, output_tokens: 1, cost_usd: null }
const callOf = (body: string, text = '{}'): RecordedCall => ({
  v: 1,
  request: 'body:x',
  seat: 'judge-1',
  sample: 0,
  endpoint: 'openai',
  wire: 'openai',
  model: 'm',
  reply: { ok: true, text, usage },
  sent: { at_ms: 1, ms: 1, attempts: 1, body, body_bytes: body.length },
})

/** A decided plan for which no model was asked. */
async function quietPlan(): Promise<{ site: TestSite; plan: string }> {
  const site = await freshSite()
  const answer = await decided(site, blockedPlan(site.plannerId))
  return { site, plan: idOf(answer) }
}

/** Works on the tables of a plan. */
function within<T>(site: TestSite, plan: string, work: (store: ReviewStore) => T): Promise<T> {
  const stub = reviewOf(site.site, plan) as unknown as DurableObjectStub
  return runInDurableObject(stub, (_, state) => work(new ReviewStore(state.storage.sql)))
}

/** Every page of the route, as a reviewer reads them. */
async function pages(site: TestSite, plan: string): Promise<CallPage[]> {
  const out: CallPage[] = []
  let after: number | null = -1
  while (after !== null) {
    const path = `/v1/reviews/${plan}/calls?after=${after}`
    const answer = await call('GET', path, { token: site.reviewer })
    expect(answer.status).toBe(200)
    const page = answer.body as unknown as CallPage
    out.push(page)
    after = page.next
  }
  return out
}

describe('calls of a plan', () => {
  it('are none when no model was asked', async () => {
    const { site, plan } = await quietPlan()
    expect(await pages(site, plan)).toStrictEqual([{ items: [], next: null, dropped: 0 }])
  })

  it('are kept up to their number, and those beyond are counted', async () => {
    const { site, plan } = await quietPlan()
    const page = await within(site, plan, (store) => {
      for (let i = 0; i < limits.callsPerPlanMax; i++) putCall(store, callOf('b'))
      const full = callsPage(store, -1)
      expect(full.items).toHaveLength(limits.callsPerPlanMax)
      expect(full.dropped).toBe(0)
      putCall(store, callOf('b'))
      return callsPage(store, -1)
    })
    expect(page.items).toHaveLength(limits.callsPerPlanMax)
    expect(page.dropped).toBe(1)
  })

  it('are kept up to their bytes and read page by page, each once', async () => {
    const { site, plan } = await quietPlan()
    const body = 'b'.repeat(limits.callBodyBytesMax)
    const fit = await within(site, plan, (store) => {
      let kept = 0
      while (store.json('calls_dropped') === null) {
        putCall(store, callOf(body))
        kept += 1
      }
      // A smaller one still fits.
      putCall(store, callOf('b'))
      return kept - 1
    })
    expect(fit).toBe(Math.floor(limits.callsBytesMax / JSON.stringify(callOf(body)).length))
    const read = await pages(site, plan)
    expect(read.length).toBeGreaterThan(1)
    const seqs = read.flatMap((page) => page.items.map((item) => item.seq))
    expect(seqs).toStrictEqual(Array.from({ length: fit + 1 }, (_, i) => i))
    expect(read[0]?.dropped).toBe(1)
  })

  it('hold an answer at its limit, and one beyond it is malformed when it is replayed too', async () => {
    const { site, plan } = await quietPlan()
    const at = 'x'.repeat(limits.judgeReplyBytesMax)
    const kept = await within(site, plan, (store) => {
      putCall(store, callOf('b', at))
      putCall(store, callOf('b', `${at}x`))
      putCall(store, callOf('b', at.repeat(6)))
      return callsPage(store, -1).items.map(({ reply }) => (reply.ok ? reply.text : ''))
    })
    expect(kept.map((text) => text.length - at.length)).toStrictEqual([0, 1, 1])
    const context = {
      plan: { goal: '' } as never,
      citable: new Set<string>(),
      questions: [],
      seen: {},
      steps: [],
      site: {},
      isHidden: () => false,
      vocabulary: new Set<string>(),
    }
    expect(kept.map((text) => readJudgeReply(text, 'e', context))).toStrictEqual([
      { ok: false, error: 'not_json' },
      { ok: false, error: 'too_large' },
      { ok: false, error: 'too_large' },
    ])
  })
})

const request: ModelRequest = {
  seat: 'judge-1',
  sample: 0,
  endpoint: 'openai',
  model: 'm',
  max_tokens: 256,
  temperature: null,
  system: 's',
  prompt: [{ text: 'p', cache: false }],
  schema: {},
  schema_name: 'judgement',
  fresh: { delimiter: 'd'.repeat(32), echo: 'echo-1' },
}
const signal = new AbortController().signal

describe('the recording port', () => {
  it('keeps a body at its limit and only the length of a longer one', async () => {
    const kept: RecordedCall[] = []
    const bodies = [limits.callBodyBytesMax, limits.callBodyBytesMax + 1].map((n) => 'b'.repeat(n))
    for (const body of bodies) {
      const port = createRecordingPort(
        ({ fetch }) => ({
          reach: () => ({ wire: 'openai', vendor: 'openai' }),
          ask: async () => {
            await fetch('https://vendor.example/', { method: 'POST', body })
            return { ok: true, text: '{}', usage }
          },
        }),
        { fetch: () => Promise.resolve(new Response('')), ai: null, clock: wallClock },
        (made) => kept.push(made),
      )
      await port.ask(request, signal, () => {})
    }
    expect(kept.map(({ sent }) => [sent?.body?.length ?? null, sent?.body_bytes])).toStrictEqual([
      [limits.callBodyBytesMax, limits.callBodyBytesMax],
      [null, limits.callBodyBytesMax + 1],
    ])
  })

  it('keeps a call that was cut off before it settles, and does not wait for ever', async () => {
    const kept: RecordedCall[] = []
    const stop = new AbortController()
    const silent = createRecordingPort(
      () => ({
        reach: () => ({ wire: 'openai', vendor: 'openai' }),
        ask: () => new Promise(() => {}),
      }),
      { fetch: () => Promise.reject(new Error('never')), ai: null, clock: wallClock },
      (made) => kept.push(made),
    )
    void silent.ask(request, stop.signal, () => {})
    await silent.settled(50)
    expect(kept).toHaveLength(0)
    const polite = createRecordingPort(
      () => ({
        reach: () => ({ wire: 'openai', vendor: 'openai' }),
        ask: (_, cut) =>
          new Promise((resolve) => {
            const reply = { ok: false, outcome: 'cancelled', failure: 'aborted', usage } as const
            cut.addEventListener('abort', () => setTimeout(resolve, 20, reply))
          }),
      }),
      { fetch: () => Promise.reject(new Error('never')), ai: null, clock: wallClock },
      (made) => kept.push(made),
    )
    void polite.ask(request, stop.signal, () => {})
    setTimeout(() => stop.abort('deadline'), 5)
    await polite.settled(5_000)
    expect(kept.map(({ reply }) => reply)).toStrictEqual([
      { ok: false, outcome: 'late', failure: 'deadline', usage },
    ])
  })
})

describe('the replay port', () => {
  const reaches = { 'openai m': { wire: 'openai' as const, vendor: 'openai' } }
  const replay = { url: 'http://127.0.0.1:1', reaches }
  const answering = (status: number, body: unknown) =>
    createReplayPort(replay, () => Promise.resolve(new Response(JSON.stringify(body), { status })))

  it('puts the fresh values back and asks for the digest, the sample and the seat', async () => {
    const asked: string[] = []
    const port = createReplayPort(replay, (input) => {
      asked.push(input instanceof Request ? input.url : input.toString())
      const text = '{"request":"{{request}}"}'
      return Promise.resolve(new Response(JSON.stringify({ ok: true, text, usage })))
    })
    const reply = await port.ask(request, signal, () => {})
    expect(reply).toStrictEqual({ ok: true, text: '{"request":"echo-1"}', usage })
    const known = encodeURIComponent(await requestDigest(request))
    expect(asked).toStrictEqual([`http://127.0.0.1:1/${known}/0/judge-1`])
  })

  it('names what is not recorded, and a recording that is not one', async () => {
    const failure = async (port: ReturnType<typeof answering>) => {
      const reply = await port.ask(request, signal, () => {})
      return reply.ok ? null : `${reply.outcome}: ${reply.failure}`
    }
    expect(await failure(answering(404, null))).toBe('failed: not_recorded')
    expect(await failure(answering(200, { ok: true }))).toBe('failed: replay_down')
    const down = createReplayPort(replay, () => Promise.reject(new Error('refused')))
    expect(await failure(down)).toBe('failed: replay_down')
    expect(down.reach('openai', 'm')).toStrictEqual(reaches['openai m'])
    expect(down.reach('toString', '')).toBeNull()
  })

  it('is for local deployments alone, and one that cannot be read answers nothing', async () => {
    const { site, plan } = await quietPlan()
    const found = await within(site, plan, async (store) => {
      const spec = store.spec()
      if (spec === null) throw new Error('no plan')
      const at = async (DEPLOYMENT: string, MODEL_REPLAY: string) => {
        const vars = { ...(env as unknown as Env), DEPLOYMENT, MODEL_REPLAY }
        const models = await modelsOf(vars, spec, { store, prices: {} })
        return [models.replayed, models.port.reach('openai', 'm')?.wire ?? null]
      }
      const text = JSON.stringify(replay)
      return [await at('local', text), await at('production', text), await at('local', 'not JSON')]
    })
    expect(found).toStrictEqual([
      [true, 'openai'],
      [false, null],
      [true, null],
    ])
  })

  it('is read only from a server on this machine', () => {
    expect(parseReplay(JSON.stringify(replay))).toStrictEqual({ ok: true, value: replay })
    for (const url of [
      'http://replay.example',
      'https://127.0.0.1',
      'http://127.0.0.1.x.example',
    ]) {
      expect(parseReplay(JSON.stringify({ ...replay, url })).ok).toBe(false)
    }
    expect(parseReplay('{').ok).toBe(false)
  })
})
