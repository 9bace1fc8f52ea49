// What the gateway adds to its judges: the time of a whole live panel in workerd less the slowest judge
// and the chief, whose pauses the vendor simulator fixes; and how soon a certain rejection stops.
import path from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { loadSite } from '../local/demo-site.ts'
import { requestIdOf, sectionOf } from '../local/vendor-sim/read-prompt.ts'
import { startVendorSim, type VendorSim } from '../local/vendor-sim/server.ts'
import type { SimRequest } from '../local/vendor-sim/types.ts'
import { benchCase, type BenchCase } from './case.ts'

const rounds = 40
const warmUps = 5
const judgeMs = 300
const chiefMs = 150
const rejectMs = 50
const slowMs = 3_000
const root = path.join(import.meta.dirname, '..', '..')

const plan = {
  goal: 'Keep the buffer cold.',
  instructions: Array.from({ length: 20 }, (_, i) => `Store rack ${i + 1} in fridge_4c.`),
  planner: { id: 'planner-wetlab-01' },
  nodes: Array.from({ length: 20 }, (_, i) => ({
    id: `n${i + 1}`,
    tool: 'storage.store',
    args: { store_id: 'fridge_4c', item_id: `rack_${i + 1}` },
    depends_on: i === 0 ? [] : [`n${i}`],
    sandbox: null,
  })),
}

const policyFor = (judges: number) => ({
  panel: 'live',
  least_depth: judges,
  judges: Array.from({ length: judges }, (_, i) => ({
    name: `judge-${i + 1}`,
    endpoint: i % 2 === 0 ? 'openai' : 'anthropic',
    model: `sim-${i + 1}`,
  })),
  chief: { name: 'chief', endpoint: 'anthropic', model: 'sim-chief' },
})

function answer(request: SimRequest, verdict: 'accept' | 'reject'): string {
  const claims = sectionOf(request.prompt, 'CLAIMS')
  const head = { request: requestIdOf(request.prompt), verdict }
  if (claims !== null) {
    const { judges } = JSON.parse(claims) as { judges: { judge: string }[] }
    return JSON.stringify({
      ...head,
      classification: 'none',
      weights: judges.map(({ judge }) => ({ judge, weight: 1 })),
      reasons: ['the judges agree'],
    })
  }
  const finding = {
    code: 'JUDGE_OTHER',
    concern: 'safety',
    at: '/instructions/0',
    severity: 'high',
    likelihood: 0.9,
    claim: 'a rule is broken',
    cites: ['rule:POL-01'],
  }
  return JSON.stringify({
    ...head,
    confidence: 0.9,
    concern: verdict === 'reject' ? 'safety' : 'none',
    findings: verdict === 'reject' ? [finding] : [],
    reasoning: Array.from({ length: 10 }, (_, i) => `step ${i}: nothing speaks against the plan`),
  })
}

type Judged = { verdict: string; outcomes: string[]; judge_ms: number; chief_ms: number }
type Sample = { total: number; judged: Judged }

/** `rounds` whole panels; the total is what the caller sees. */
async function samples(
  origin: URL,
  body: string,
  check: (judged: Judged) => boolean,
): Promise<Sample[]> {
  const out: Sample[] = []
  for (let round = -warmUps; round < rounds; round++) {
    const started = performance.now()
    const response = await fetch(origin, { method: 'POST', body })
    const judged = (await response.json()) as Judged
    const ms = performance.now() - started
    // A figure for a panel that did not do its work would be no figure.
    if (!check(judged)) throw new Error(`unexpected: ${JSON.stringify(judged)}`)
    if (round >= 0) out.push({ total: ms, judged })
  }
  return out
}

async function measure(origin: URL, sim: VendorSim, registry: object): Promise<BenchCase[]> {
  const bodyFor = (judges: number) =>
    JSON.stringify({ vendor: sim.url, plan, policy: policyFor(judges) })
  const sent = await fetch(new URL('/registry', origin), {
    method: 'POST',
    body: JSON.stringify(registry),
  })
  if (!sent.ok) throw new Error('the worker did not take the registry')
  const found: BenchCase[] = []
  for (const judges of [5, 7]) {
    sim.setAnswer((request) => ({
      text: answer(request, 'accept'),
      thinkMs: request.model === 'sim-chief' ? chiefMs : judgeMs,
    }))
    const all = await samples(
      origin,
      bodyFor(judges),
      ({ outcomes }) =>
        outcomes.length === judges && outcomes.every((outcome) => outcome === 'answered'),
    )
    found.push(
      benchCase(`total less slowest judge and chief, ${judges} judges (workerd)`, 'ms', {
        own: all.map(({ total, judged }) => total - judged.judge_ms - judged.chief_ms),
      }),
      // With the two calls themselves: SDK, sockets and the simulator on the same machine.
      benchCase(`total less the models' own time, ${judges} judges (workerd)`, 'ms', {
        own: all.map(({ total }) => total - judgeMs - chiefMs),
      }),
    )
  }
  sim.setAnswer((request) =>
    request.model === 'sim-2'
      ? { text: answer(request, 'reject'), thinkMs: rejectMs }
      : { text: answer(request, 'accept'), thinkMs: slowMs },
  )
  const stopped = await samples(
    origin,
    bodyFor(5),
    ({ verdict, outcomes }) => verdict === 'reject' && outcomes.includes('cancelled'),
  )
  found.push(
    benchCase(`early stop: one of 5 judges rejects after ${rejectMs} ms, others need 3 s`, 'ms', {
      own: stopped.map(({ total }) => total),
    }),
  )
  return found
}

/** All cases of this file. */
export async function cases(): Promise<BenchCase[]> {
  const outfile = path.join(root, '.build', 'bench-panel.js')
  await build({
    entryPoints: ['lab/bench/workerd/panel-worker.ts'],
    outfile,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'esnext',
    conditions: ['workerd', 'worker', 'browser', 'import'],
    external: ['node:*'],
    logLevel: 'error',
  })
  const { registry } = await loadSite()
  const sim = await startVendorSim()
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      scriptPath: outfile,
      compatibilityDate: '2026-10-01',
      compatibilityFlags: ['nodejs_compat'],
    }),
  )
  try {
    return await measure(await mf.ready, sim, registry)
  } finally {
    await mf.dispose()
    await sim.close()
  }
}
