// Speed of the deterministic floor in workerd: a plan of 20 nodes and 10 KB over the demo site, with an
// empty window and with the forty plans of a working day in it.
import { limits } from '../../protocol/limits.ts'
import { unknownState } from '../../protocol/state.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { planSchema, type Plan } from '../../protocol/plan.ts'
import { policySchema } from '../../protocol/policy.ts'
import { registrySchema, type Registry } from '../../protocol/registry.ts'
import type { AgentHealth, SiteSnapshot, WindowEntry } from '../../protocol/snapshot.ts'
import { sketch } from '../../verify/screen/window/index.ts'
import { benchCase, type BenchCase } from './case.ts'

const root = path.join(import.meta.dirname, '..', '..')
const rounds = 60
const repsPerRequest = 5
const nowMs = 1_790_000_000_000

const readText = (file: string): string => readFileSync(path.join(root, file), 'utf8')

function developmentPlans(rows = readText('lab/eval/data/dev-40.v2.jsonl')): Plan[] {
  return rows
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ label }) => label === 'accept')
    .map(({ goal, instructions, planner, nodes }) =>
      planSchema.parse({ goal, instructions, planner, nodes }),
    )
}

const nodeCount = 20
const bytesMin = 10_240

/** Holds every capability of the registry: the plans laid together come from planners with different rights,
 * and a plan that is refused at once would measure something else. */
const planner = 'planner-bench'

function registryForAll(registry: Registry): Registry {
  const capabilities = [...new Set(registry.tools.map(({ capability }) => capability))]
  return { ...registry, planners: { ...registry.planners, [planner]: { capabilities } } }
}

/** Accepted development plans laid end to end until there are 20 nodes and 10 KB. */
function longPlan(plans: readonly Plan[], count = nodeCount, bytes = bytesMin): Plan {
  const nodes: Plan['nodes'] = []
  const instructions: string[] = []
  const size = (): number => JSON.stringify({ nodes, instructions }).length
  for (let i = 0; nodes.length < count || size() < bytes; i += 1) {
    const plan = plans[i % plans.length]
    if (plan === undefined) throw new Error('there are no plans')
    const spoken = plan.instructions.join(' ')
    const again = count > nodeCount ? `${i}: ${spoken}` : `${i}: ${plan.goal}.`
    const said = i < plans.length ? spoken : again
    // A plan has a bound of instructions; what is over it goes on behind the first ones.
    const at = i % limits.instructionsMax
    instructions[at] = at < instructions.length ? `${instructions[at] ?? ''} ${said}` : said
    for (const node of plan.nodes) {
      if (nodes.length >= count) break
      const before = nodes.at(-1)
      const depends_on = before === undefined ? [] : [before.id]
      nodes.push({ ...node, id: `p${i}-${node.id}`, depends_on })
    }
  }
  return planSchema.parse({
    goal: 'A long day in the cell',
    instructions,
    planner: { id: planner },
    nodes,
  })
}

function healthy(registry: Registry): AgentHealth {
  const servers: AgentHealth['servers'] = {}
  for (const tool of registry.tools) {
    const server = (servers[tool.server] ??= { state: 'up', tools: {} })
    server.tools[tool.mcp_tool] = tool.definition_digest
  }
  const up = registry.sandboxes.map((name) => [name, 'up'] as const)
  const sandboxes = Object.fromEntries(up)
  return { agent: 'agent-lc7', cell: 'lc7', reported_at_ms: nowMs, servers, sandboxes }
}

function snapshotWith(registry: Registry, window: WindowEntry[]): SiteSnapshot {
  return {
    site: 'lc7',
    taken_at_ms: nowMs,
    registry,
    registry_digest: `reg:${'A'.repeat(43)}`,
    policy: policySchema.parse({}),
    policy_version: `pol:${'A'.repeat(43)}`,
    epoch: 0,
    quarantined: [],
    agents: [healthy(registry)],
    window,
    cell_state: unknownState,
  }
}

function dayOf(plans: readonly Plan[], registry: Registry): WindowEntry[] {
  return Array.from({ length: 40 }, (_, i) => {
    const plan = plans[i % plans.length]
    if (plan === undefined) throw new Error('there are no plans')
    return {
      ...sketch(plan, { registry, sigma: 0 }),
      plan: `plan_${i}`,
      planner: plan.planner.id,
      owner: `owner-${i % 4}`,
      at_ms: nowMs - (i + 1) * 600_000,
      verdict: i % 5 === 0 ? 'reject' : 'accept',
      supersedes: null,
      codes: [],
    }
  })
}

/** The demo site without a window, and plans over it of a wanted size, from development rows. */
export function benchSite(rows: string): {
  readonly snapshot: SiteSnapshot
  readonly planOf: (nodes: number, bytes: number) => Plan
} {
  const file = readText('lab/site/lc7/registry.json')
  const registry = registryForAll(registrySchema.parse(JSON.parse(file)))
  const plans = developmentPlans(rows)
  return {
    snapshot: snapshotWith(registry, []),
    planOf: (nodes, bytes) => longPlan(plans, nodes, bytes),
  }
}

async function startWorker(): Promise<Miniflare> {
  // workerd reads modules only below the folder that it starts in.
  const scriptPath = path.join(root, '.build', 'bench-screen.js')
  await build({
    entryPoints: ['lab/bench/workerd/screen-worker.ts'],
    outfile: scriptPath,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'esnext',
    conditions: ['workerd', 'worker', 'browser', 'import'],
    logLevel: 'error',
  })
  const options = { modules: true, scriptPath, compatibilityDate: '2026-10-01' }
  return new Miniflare(convertV4MiniflareOptions(options))
}

async function ask(origin: URL, reps: number, seen: boolean): Promise<number> {
  const started = performance.now()
  const response = await fetch(new URL(`/?reps=${reps}${seen ? '&seen' : ''}`, origin))
  await response.text()
  if (!response.ok) throw new Error(`screen: ${response.status}`)
  return performance.now() - started
}

/** Milliseconds of one floor: a request with several, less a request with none. */
async function sample(
  origin: URL,
  body: { plan: Plan; snapshot: SiteSnapshot },
  seen = false,
): Promise<number[]> {
  const posted = await fetch(origin, { method: 'POST', body: JSON.stringify(body) })
  if (!posted.ok) throw new Error(`screen: ${posted.status} ${await posted.text()}`)
  const level = await posted.text()
  if (level === 'block') throw new Error('screen: the plan is refused and measures nothing')
  const out: number[] = []
  for (let round = -20; round < rounds; round += 1) {
    const empty = await ask(origin, 0, seen)
    const full = await ask(origin, repsPerRequest, seen)
    if (round >= 0) out.push(Math.max(0, full - empty) / repsPerRequest)
  }
  return out
}

/** All cases of this file. */
export async function cases(): Promise<BenchCase[]> {
  const registry = registryForAll(
    registrySchema.parse(JSON.parse(readText('lab/site/lc7/registry.json'))),
  )
  const plans = developmentPlans()
  const plan = longPlan(plans)
  const mf = await startWorker()
  try {
    const origin = await mf.ready
    const quiet = await sample(origin, { plan, snapshot: snapshotWith(registry, []) })
    const again = await sample(origin, { plan, snapshot: snapshotWith(registry, []) }, true)
    const day = await sample(origin, {
      plan,
      snapshot: snapshotWith(registry, dayOf(plans, registry)),
    })
    const kb = Math.round(JSON.stringify(plan).length / 1_024)
    return [
      benchCase(`V_det, ${nodeCount} nodes, ${kb} KB, no history (workerd)`, 'ms', { own: quiet }),
      benchCase('the same plan screened again (workerd)', 'ms', { own: again }),
      benchCase(`V_det, ${nodeCount} nodes, ${kb} KB, 40 plans of history (workerd)`, 'ms', {
        own: day,
      }),
    ]
  } finally {
    await mf.dispose()
  }
}
