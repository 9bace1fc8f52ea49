// One trace from the planner's request to the call at the device, with real processes and a real collector over
// HTTP: every span below the one that the planner named, no word of the plan in any, and a collector that is
// down or refuses stops nothing.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { until } from '../../../lab/local/plans.ts'
import { parseTraceparent } from '../../../protocol/trace.ts'
import { Stage, threeNodes } from './harness.ts'

type Wire = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
}

/** Keeps what was exported; answers with `status`. */
class Collector {
  status = 200
  readonly bodies: string[] = []
  private server: Server | null = null

  async open(): Promise<string> {
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
      request.on('end', () => {
        this.bodies.push(text)
        response.statusCode = this.status
        response.end('{}')
      })
    })
    this.server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  }

  spans(): Wire[] {
    return this.bodies.flatMap((text) =>
      (
        JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Wire[] }[] }[] }
      ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    )
  }

  async close(): Promise<void> {
    const { server } = this
    if (server === null) return
    this.server = null
    server.closeAllConnections()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  }
}

const collector = new Collector()
let stage: Stage
beforeAll(async () => {
  stage = await Stage.open({ tracesTo: await collector.open(), proxied: false })
})
afterAll(async () => {
  await stage.close()
  await collector.close()
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpan = '00f067aa0ba902b7'

/** Submits with a trace of the caller; resolves with the session once it has ended. */
async function run(flags: string) {
  await stage.ready()
  await stage.stand()
  const posted = await must<{ plan: string }>(stage.lab.url, {
    method: 'POST',
    path: '/v1/plans',
    token: stage.planner(),
    body: threeNodes,
    headers: { traceparent: `00-${traceId}-${callerSpan}-${flags}` },
  })
  return stage.ended(await stage.sessionOf(posted.plan))
}

it('one trace holds plan, run, steps and the calls at the device', async () => {
  const view = await run('01')
  expect(view.status).toBe('completed')
  const names = () =>
    collector
      .spans()
      .map(({ name }) => name)
      .filter((name) => name !== 'portcullis.judge')
      .sort()
  await until(
    () => Promise.resolve(names()),
    (found) => found.length >= 5,
    20_000,
  )
  expect(names()).toStrictEqual([
    'portcullis.plan',
    'portcullis.run',
    'portcullis.step',
    'portcullis.step',
    'portcullis.step',
  ])
  const spans = collector.spans()
  expect(new Set(spans.map((span) => span.traceId))).toStrictEqual(new Set([traceId]))
  const one = (name: string) => spans.find((span) => span.name === name)
  expect(one('portcullis.plan')?.parentSpanId).toBe(callerSpan)
  expect(one('portcullis.run')?.parentSpanId).toBe(one('portcullis.plan')?.spanId)
  const steps = spans.filter((span) => span.name === 'portcullis.step')
  expect(new Set(steps.map((span) => span.parentSpanId))).toStrictEqual(
    new Set([one('portcullis.run')?.spanId]),
  )
  for (const span of spans) {
    expect(Number(span.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(span.startTimeUnixNano))
  }
  // What the device was told: below the span of the very step.
  const rows = (await stage.journal(view.session)) as { phase: string; trace?: string | null }[]
  const told = rows.filter(({ phase }) => phase === 'begin').map(({ trace }) => trace)
  const parents = told.map((text) => parseTraceparent(text))
  expect(new Set(parents.map((context) => context?.trace_id))).toStrictEqual(new Set([traceId]))
  expect(parents).toHaveLength(steps.length)
  expect(new Set(parents.map((context) => context?.parent_id))).toStrictEqual(
    new Set(steps.map((span) => span.spanId)),
  )
  const said = collector.bodies.join('\n')
  const { goal, instructions, nodes } = threeNodes
  for (const text of [goal, ...instructions, ...nodes.map(({ id }) => `"${id}"`), 'RL-551']) {
    expect(said).not.toContain(text)
  }
})

it('a caller that samples nothing gets none, and a collector that refuses stops nothing', async () => {
  const before = collector.bodies.length
  expect((await run('00')).status).toBe('completed')
  expect(collector.bodies.length).toBe(before)
  collector.status = 503
  expect((await run('01')).status).toBe('completed')
  await until(
    () => Promise.resolve(collector.bodies.length),
    (n) => n > before,
    20_000,
  )
  await collector.close()
  expect((await run('01')).status).toBe('completed')
})
