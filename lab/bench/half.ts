// The deterministic half of a judgement in this process, part by part: checks, reading, dry run and rules over
// plans of 5 to 64 nodes with 512 bytes a node, in turns. No sentence was read before: what is kept of words and
// of the site helps, what is kept of sentences does not; the same plan again, as at its binding, has its own case.
// What counts is what a node of the largest plan costs beside one of the smallest, in one run. Time is the
// processor's, which other work on the machine changes less than the clock.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { topologicalOrder } from '../../protocol/graph.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { SiteSnapshot } from '../../protocol/snapshot.ts'
import { readScene } from '../../verify/read/index.ts'
import { vocabulary } from '../../verify/read/vocabulary.ts'
import { judgeByRules } from '../../verify/rules/index.ts'
import { runWithRules } from '../../verify/rules/run.ts'
import { screenWith } from '../../verify/screen/index.ts'
import { benchCase, quantile, type BenchCase } from './case.ts'
import { benchSite } from './screen.ts'

const sizes = [5, 20, 64] as const
const warmUp = 30
const rounds = 60
const bytesPerNode = 512

const parts = ['checks', 'reading', 'dry run', 'rules'] as const
type Spent = Record<(typeof parts)[number], number>

const clock = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const padding = ['again', 'slowly', 'gently', 'here', 'first', 'next', 'also', 'today']

/** The plan as a new value, with words behind every sentence that no round before had there. */
function renewed(plan: Plan, round: number): Plan {
  const at = round + warmUp
  const words = [at & 7, (at >> 3) & 7, (at >> 6) & 7].map((i) => padding[i] ?? '').join(' ')
  const instructions = plan.instructions.map((text) => text.replaceAll(/\.(?=\s|$)/g, ` ${words}.`))
  return { ...structuredClone(plan), instructions }
}

/** Milliseconds of each part. */
function once(fresh: Plan, snapshot: SiteSnapshot): Spent {
  const { registry, cell_state: state, taken_at_ms: nowMs } = snapshot
  const planner = fresh.planner.id
  const submitter = { site: snapshot.site, planner, owner: 'owner-a' }
  const t0 = clock()
  screenWith(fresh, snapshot, { submitter, nowMs, snapshotDigest: 'snap:bench', unproven: [] })
  const t1 = clock()
  const scene = readScene(fresh, topologicalOrder(fresh.nodes), registry, state, vocabulary)
  const t2 = clock()
  const trace = runWithRules(scene, registry, state, { now_ms: nowMs })
  const t3 = clock()
  judgeByRules({ scene, trace, registry, state, planner })
  const t4 = clock()
  return { checks: t1 - t0, reading: t2 - t1, 'dry run': t3 - t2, rules: t4 - t3 }
}

const total = (spent: Spent): number => parts.reduce((sum, part) => sum + spent[part], 0)

/** All cases of this file. */
export function cases(): Promise<BenchCase[]> {
  const file = path.join(import.meta.dirname, '..', 'eval', 'data', 'dev-40.v2.jsonl')
  const { snapshot, planOf } = benchSite(readFileSync(file, 'utf8'))
  const plans = sizes.map((nodes) => planOf(nodes, nodes * bytesPerNode))
  const spent = plans.map((): Spent[] => [])
  const again: number[] = []
  for (let round = -warmUp; round < rounds; round += 1) {
    plans.forEach((plan, i) => {
      const fresh = renewed(plan, round)
      const one = once(fresh, snapshot)
      const second = once(structuredClone(fresh), snapshot)
      if (round < 0) return
      spent[i]?.push(one)
      if (i === 1) again.push(total(second))
    })
  }
  const [small = [], middle = [], large = []] = spent
  const perNode = (list: readonly Spent[], nodes: number): number[] =>
    list.map((one) => total(one) / nodes)
  return Promise.resolve([
    ...parts.map((part) =>
      benchCase(`deterministic half, 20 nodes, 10 KB: ${part}`, 'ms', {
        own: middle.map((one) => one[part]),
      }),
    ),
    benchCase('deterministic half, 20 nodes, 10 KB: all', 'ms', { own: middle.map(total) }),
    benchCase('the same plan again', 'ms', { own: again, peers: { first: middle.map(total) } }),
    benchCase(`a node of a plan of ${sizes[2]} beside one of ${sizes[0]}`, 'ms', {
      own: perNode(large, sizes[2]),
      peers: { [`${sizes[0]} nodes`]: perNode(small, sizes[0]) },
    }),
    benchCase('the fastest of all rounds, 20 nodes, 10 KB', 'ms', {
      own: [quantile(middle.map(total), 0.01)],
    }),
  ])
}
