// How long a question before a `go` takes at a hub with a full window, while plans come in: each of them
// asks the same thread for a snapshot first. Measured in workerd over one real object.
import path from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { benchCase, type BenchCase } from './case.ts'
import { benchRegistry } from './contain-plan.ts'

const rounds = 12
/** More of what is quicker than the clock can tell. */
const repsOf = (behind: number): number => (behind === 0 ? 300 : 3)
const entriesMax = 1_024
const agents = 16
const root = path.join(import.meta.dirname, '..', '..')

/** An entry of the size that a plan of twenty steps leaves. */
const entry = {
  planner: 'planner-1',
  owner: 'owner-1',
  verdict: 'accept',
  supersedes: null,
  sketch: Array.from({ length: 64 }, (_, i) => 4_000_000_000 + i),
  capabilities: Array.from({ length: 8 }, (_, i) => `capability_${i}`),
  tools: Array.from({ length: 12 }, (_, i) => `device_${i}.move`),
  codes: Array.from({ length: 6 }, (_, i) => `CODE_${i}`),
  sigma: 0,
  marks: Array.from({ length: 12 }, (_, i) => `mark:${i}`),
}

const health = {
  reported_at_ms: 0,
  servers: Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [
      `server-${i}`,
      {
        state: 'up',
        tools: Object.fromEntries(
          Array.from({ length: 4 }, (_unused, j) => [`tool_${j}`, `def:${'A'.repeat(43)}`]),
        ),
      },
    ]),
  ),
  sandboxes: {},
}

export async function cases(): Promise<BenchCase[]> {
  const scriptPath = path.join(root, '.build', 'bench-hub.js')
  await build({
    entryPoints: ['lab/bench/hub-worker/worker.ts'],
    outfile: scriptPath,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'esnext',
    external: ['cloudflare:workers'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    logLevel: 'error',
  })
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      scriptPath,
      compatibilityDate: '2026-10-01',
      durableObjects: { HUB: { className: 'BenchHub', useSQLite: true } },
    }),
  )
  try {
    const origin = await mf.ready
    const entries = Array.from({ length: entriesMax }, () => entry)
    const registry = JSON.stringify(benchRegistry)
    const body = JSON.stringify({ entries, health, registry, agents })
    const filled = await fetch(origin, { method: 'POST', body })
    if (!filled.ok) throw new Error(`fill: ${filled.status} ${await filled.text()}`)
    const timeOf = async (way: string, behind: number): Promise<number> => {
      const ask = async (n: number) => {
        const started = performance.now()
        const answer = await fetch(new URL(`/?way=${way}&behind=${behind}&reps=${n}`, origin))
        await answer.text()
        if (!answer.ok) throw new Error(`${way}: ${answer.status}`)
        return performance.now() - started
      }
      const reps = repsOf(behind)
      const empty = await ask(0)
      return Math.max(0.001, (await ask(reps)) - empty) / reps
    }
    const done: BenchCase[] = []
    for (const behind of [0, 4, 16]) {
      const own: number[] = []
      const afresh: number[] = []
      for (let round = -2; round < rounds; round++) {
        const [kept, read] = [await timeOf('kept', behind), await timeOf('afresh', behind)]
        if (round < 0) continue
        own.push(kept)
        afresh.push(read)
      }
      const peers = { 'window and health read and checked afresh': afresh }
      done.push(
        benchCase(
          `question before a go behind ${behind} snapshots, window of ${entriesMax}`,
          'ms',
          {
            own,
            peers,
          },
        ),
      )
    }
    return done
  } finally {
    await mf.dispose()
  }
}
