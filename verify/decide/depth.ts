// How many judges a plan needs: a pure function of its risk. Money and time never lower it; a
// budget that does not reach it is a reason to ask a person.
import type { Floor } from '../../protocol/finding.ts'
import type { MemoryMatch } from '../../protocol/memory.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Policy } from '../../protocol/policy.ts'
import type { Depth } from '../../protocol/records.ts'
import type { Registry, RiskClass } from '../../protocol/registry.ts'
import type { WindowEntry } from '../../protocol/snapshot.ts'
import { planIsLegible } from './legible.ts'

export type DepthLevel = 1 | 3 | 5 | 7
const ladder: readonly DepthLevel[] = [1, 3, 5, 7]

/**
 * The deepest level that rules alone reach. They are deterministic, so asking more of them says nothing
 * new; what asks for seven independent opinions goes to a person.
 */
export const rulesDepthMax: DepthLevel = 5

const classDepth: Record<RiskClass, DepthLevel> = {
  read: 1,
  benign_actuation: 3,
  network: 5,
  code: 5,
  hazardous_actuation: 5,
  admin: 7,
}

const up = (level: DepthLevel, steps: number): DepthLevel =>
  ladder[Math.min(ladder.indexOf(level) + steps, ladder.length - 1)] ?? 7

export type DepthInput = {
  readonly plan: Plan
  readonly registry: Registry
  readonly floor: Floor
  readonly memory: readonly MemoryMatch[]
  readonly policy: Pick<Policy, 'alert_level' | 'least_depth'>
  /** Recent plans of the site; tells which tools are new to the site. */
  readonly window?: readonly WindowEntry[]
}

/** True when no node does more than read; a plan without nodes runs nothing. */
export function readsOnly(plan: Plan, registry: Registry): boolean {
  const byName = new Map(registry.tools.map((tool) => [tool.name, tool]))
  return plan.nodes.every((node) => byName.get(node.tool)?.risk_class === 'read')
}

function classLevel(plan: Plan, registry: Registry): DepthLevel {
  const byName = new Map(registry.tools.map((tool) => [tool.name, tool]))
  // A text-only plan may describe anything: it is read as an actuation without hazards.
  let level: DepthLevel = plan.nodes.length === 0 ? 3 : 1
  for (const node of plan.nodes) {
    const tool = byName.get(node.tool)
    const own = tool === undefined ? 7 : classDepth[tool.risk_class]
    if (own > level) level = own
  }
  return level
}

/**
 * True when a tool of the plan was in no plan that this site accepted. A site without a history has
 * nothing to be new against: there, the first use of each tool is for its registry to hold.
 */
function isNovel(plan: Plan, window: readonly WindowEntry[]): boolean {
  const known = new Set<string>()
  for (const entry of window) {
    if (entry.verdict === 'accept') for (const tool of entry.tools) known.add(tool)
  }
  return known.size > 0 && plan.nodes.some((node) => !known.has(node.tool))
}

/**
 * The least number of judges for this plan. The tool classes set the base. Novelty, advisory
 * findings and a mended memory add one step, up to five; σ at or above the advisory threshold, a
 * flag, a memory that escalates and an elevated alert level each add one step, up to seven. Text
 * that cannot be plainly read asks for seven at once.
 */
export function leastDepth(input: DepthInput): DepthLevel {
  const { plan, registry, floor, memory, policy } = input
  let level = classLevel(plan, registry)
  const mild =
    isNovel(plan, input.window ?? []) || floor.level !== 'pass' || memory.length > 0 ? 1 : 0
  const raised = up(level, mild)
  if (raised <= 5) level = raised
  let steps = 0
  if (floor.sigma >= floor.tau_advisory) steps += 1
  if (floor.level === 'flag' || floor.level === 'block') steps += 1
  if (memory.some((m) => m.effect === 'escalates')) steps += 1
  if (policy.alert_level === 'elevated') steps += 1
  if (policy.alert_level === 'high') steps += 2
  level = planIsLegible(plan) ? up(level, steps) : 7
  return level < policy.least_depth ? policy.least_depth : level
}

/** What one seat is expected to cost and take; null when it is not known. */
export type SeatEstimate = {
  readonly name: string
  readonly cost_usd: number | null
  readonly ms: number | null
}

/** Requests of one invocation that may wait for headers at the same time. */
export const poolSize = 6

function affordable(
  seats: readonly SeatEstimate[],
  chief: SeatEstimate | null,
  budget: Policy['budget'],
): 'budget_cost' | 'budget_latency' | null {
  const all = chief === null ? seats : [...seats, chief]
  if (budget.cost_usd !== null) {
    let cost = 0
    // A price that is not known cannot be shown to fit.
    for (const seat of all) cost += seat.cost_usd ?? Infinity
    if (cost > budget.cost_usd) return 'budget_cost'
  }
  if (budget.latency_ms !== null) {
    const slowest = Math.max(0, ...seats.map((seat) => seat.ms ?? 0))
    const rounds = Math.max(1, Math.ceil(seats.length / poolSize))
    if (slowest * rounds + (chief?.ms ?? 0) > budget.latency_ms) return 'budget_latency'
  }
  return null
}

/**
 * Fixes, before any judge is asked, how deep the plan is judged: which seats, and why the least depth
 * is not reached. `seats` are the model seats in their order; rules alone (`panel: rules`) have none.
 */
export function planDepth(input: {
  readonly least: DepthLevel
  readonly readsOnly: boolean
  readonly panel: Depth['panel']
  readonly budget: Policy['budget']
  readonly seats: readonly SeatEstimate[]
  readonly chief: SeatEstimate | null
  /** False when the site has spent what it may spend today; nobody is asked then. */
  readonly dayLeft: boolean
}): Depth {
  const { least, panel, seats } = input
  const base = { panel, required: least, reads_only: input.readsOnly }
  if (panel === 'rules') {
    const short = least > rulesDepthMax ? ('too_few_seats' as const) : null
    return { ...base, seats: 0, short, expected: [] }
  }
  if (!input.dayLeft) return { ...base, seats: 0, short: 'budget_day', expected: [] }
  let short: Depth['short'] = seats.length < least ? 'too_few_seats' : null
  let count = Math.min(least, seats.length)
  while (count > 0) {
    const why = affordable(seats.slice(0, count), input.chief, input.budget)
    if (why === null) break
    short ??= why
    count -= 1
  }
  return { ...base, seats: count, short, expected: seats.slice(0, count).map((seat) => seat.name) }
}
