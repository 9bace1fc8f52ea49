// Admission: bytes → a plan that may be judged, or every reason why it is malformed (answered 422,
// nothing stored). Whether the plan should run is not asked here.
import { canonicalForm, digestCanonical } from '../../protocol/digest.ts'
import { topologicalOrder, validateGraph } from '../../protocol/graph.ts'
import { limits } from '../../protocol/limits.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { parseJson } from '../../protocol/parse.ts'
import { planOf } from '../../protocol/plan-parse.ts'
import type { Plan, PlanNode } from '../../protocol/plan.ts'
import type { Violation } from '../../protocol/reasons.ts'
import type { Registry } from '../../protocol/registry.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { capViolations } from '../../protocol/violations.ts'
import { conditionCount, conditionViolations } from './conditions.ts'
import { referenceCount, referenceViolations, templateFaults, trialWork } from './references.ts'
import { sourcesOf } from './result-source.ts'
import { knownTools, type KnownTool } from './tools.ts'

declare const parsed: unique symbol
declare const admitted: unique symbol

/** A body that the lossless parser took: well-formed JSON, nothing more. Only `parse` makes one. */
export type Parsed = { readonly value: JsonValue; readonly [parsed]: true }

/** Reads the exact bytes of a body without loss, or says why they are no JSON of ours. */
export function parse(bytes: Uint8Array): Result<Parsed, Violation[]> {
  const json = parseJson(bytes)
  return json.ok ? ok({ value: json.value } as Parsed) : json
}

/** A plan that passed admission. Only `admit` makes one, so no later stage can be reached without it. */
export type AdmittedPlan = {
  readonly plan: Plan
  readonly plan_digest: string
  /** The canonical form (RFC 8785) that the digest covers. */
  readonly canonical: string
  /** Node ids in the one order in which they may run. */
  readonly order: readonly string[]
  readonly [admitted]: true
}

const encoder = new TextEncoder()

function nodeViolations(
  node: PlanNode,
  i: number,
  tools: ReadonlyMap<string, KnownTool>,
): Violation[] {
  const tool = tools.get(node.tool)
  if (tool === undefined) {
    const message = `the registry has no tool ${node.tool}`
    return [{ code: 'tool_unknown', at: `/nodes/${i}/tool`, message }]
  }
  return templateFaults(node, tool).map(({ at, message }) => ({
    code: 'args_invalid',
    at: `/nodes/${i}/args${at}`,
    message,
  }))
}

/**
 * More values of the run than one context carries, more than are tried, or more cases than a dry run keeps
 * apart. Asked before any of them is looked at: a small body must not bring much work.
 */
function countViolations(plan: Plan): Violation[] {
  const out: Violation[] = []
  const references = referenceCount(plan)
  if (references > limits.referencesMax) {
    const message = `${references} references and closed values; at most ${limits.referencesMax}`
    out.push({ code: 'reference_invalid', at: '/nodes', message })
  }
  const work = plan.nodes.reduce((sum, node) => sum + trialWork(node), 0)
  if (work > limits.referenceTrialValuesMax) {
    const message =
      `trying every closed value of the references takes ${work} values of arguments; at most ` +
      `${limits.referenceTrialValuesMax}: list fewer values, or put them into nodes with fewer arguments`
    out.push({ code: 'reference_invalid', at: '/nodes', message })
  }
  const conditions = conditionCount(plan)
  if (conditions > limits.conditionsMax) {
    const message = `${conditions} conditions; at most ${limits.conditionsMax} in a plan`
    out.push({ code: 'condition_invalid', at: '/nodes', message })
  }
  return out
}

/** Arguments past the limit. A plan that fits the limit as a whole needs no look at its nodes. */
function sizeViolations(plan: Plan, canonical: string): Violation[] {
  // A character takes at most 3 bytes for each UTF-16 unit.
  if (canonical.length * 3 <= limits.argsBytesMax) return []
  const message = `more than ${limits.argsBytesMax} bytes in canonical form`
  return plan.nodes.flatMap((node, i) => {
    const tooLarge = encoder.encode(canonicalForm(node.args)).length > limits.argsBytesMax
    return tooLarge ? [{ code: 'args_too_large', at: `/nodes/${i}/args`, message } as const] : []
  })
}

/**
 * Admits a parsed body as a plan against a registry, for the planner that the credential names.
 * @returns the plan with its canonical form, digest and order; or the violations, in document order
 */
export async function admit(
  body: Parsed,
  registry: Registry,
  planner: string,
): Promise<Result<AdmittedPlan, Violation[]>> {
  const read = planOf(body.value)
  if (!read.ok) return read
  const plan = read.value
  const canonical = canonicalForm(plan)
  const tools = knownTools(registry)
  const violations: Violation[] = []
  if (plan.planner.id !== planner) {
    const message = 'planner.id must be the id of the credential that submits'
    violations.push({ code: 'planner_mismatch', at: '/planner/id', message })
  }
  violations.push(...validateGraph(plan.nodes))
  const counts = countViolations(plan)
  if (counts.length > 0) return err(capViolations([...violations, ...counts]))
  for (const [i, node] of plan.nodes.entries()) {
    const sources = sourcesOf(plan, tools, node.id)
    violations.push(
      ...referenceViolations(plan, i, { tools, sources }),
      ...conditionViolations(plan, i, sources),
      ...nodeViolations(node, i, tools),
    )
  }
  violations.push(...sizeViolations(plan, canonical))
  if (violations.length > 0) return err(capViolations(violations))
  const parts: Omit<AdmittedPlan, typeof admitted> = {
    plan,
    plan_digest: await digestCanonical('plan', canonical),
    canonical,
    order: topologicalOrder(plan.nodes),
  }
  return ok(parts as AdmittedPlan)
}
