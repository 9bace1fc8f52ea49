// A match between a new plan and something remembered. It holds codes, ids and entities only.
import { z } from 'zod'

export const memoryMatchSchema = z.strictObject({
  /** Id of the failure node in the graph, e.g. `failure:plan_…`. */
  memory: z.string().max(120),
  /** The plan that it came from. */
  plan: z.string().max(64),
  /** `floor`, `person` and `execution` count for the site; `models` only for the same planner. */
  basis: z.enum(['floor', 'person', 'execution', 'models']),
  /** Similarity in [0, 1] by graph traversal. */
  similarity: z.number().min(0).max(1),
  /** The shared nodes of the graph that carried it. */
  via: z.array(z.string().max(120)).max(20),
  codes: z.array(z.string().max(60)).max(20),
  /** `escalates`, or `told` when the lineage has mended what was wrong. */
  effect: z.enum(['escalates', 'told']),
})
export type MemoryMatch = z.infer<typeof memoryMatchSchema>

/** A human approval of exactly this plan digest under exactly this policy version. */
export const precedentSchema = z.strictObject({
  plan: z.string().max(64),
  plan_digest: z.string().max(60),
  policy_version: z.string().max(60),
})
export type Precedent = z.infer<typeof precedentSchema>
