// Bytes → Plan: the lossless parser first, then the closed schema. Every refusal says where.
import { z } from 'zod'
import type { JsonObject, JsonValue } from './json.ts'
import { limits } from './limits.ts'
import { parseJson } from './parse.ts'
import { planNodeSchema, planSchema, type Plan } from './plan.ts'
import { toPointer } from './pointer.ts'
import type { Violation } from './reasons.ts'
import { issueViolations } from './schema-words.ts'
import { err, ok, type Result } from './result.ts'
import { capViolations } from './violations.ts'

/** The parser has shown that everything below is JSON; walking the arguments again would cost most. */
const parsedObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
)
const parsedPlanSchema = planSchema.extend({
  nodes: z.array(planNodeSchema.extend({ args: parsedObject })).max(limits.nodesMax),
})

/** True for the places where an id of a node is expected. */
function isNodeId(path: readonly PropertyKey[]): boolean {
  if (path[0] !== 'nodes') return false
  return path[2] === 'id' || path[2] === 'depends_on'
}

function toViolations(issue: z.core.$ZodIssue, value: unknown): Violation[] {
  if (issue.code !== 'invalid_format' || !isNodeId(issue.path)) {
    return issueViolations(issue, { value, whole: 'a plan' })
  }
  return [{ code: 'id_not_plain', at: toPointer(issue.path), message: issue.message }]
}

/** A plan from JSON that the lossless parser took; violations as `parsePlan` gives them. */
export function planOf(value: JsonValue): Result<Plan, Violation[]> {
  const plan = parsedPlanSchema.safeParse(value)
  if (plan.success) return ok(plan.data)
  return err(capViolations(plan.error.issues.flatMap((issue) => toViolations(issue, value))))
}

/** Parses one plan. At most `limits.violationsMax` violations, each with a JSON pointer. */
export function parsePlan(bytes: Uint8Array): Result<Plan, Violation[]> {
  const json = parseJson(bytes)
  return json.ok ? planOf(json.value) : json
}
