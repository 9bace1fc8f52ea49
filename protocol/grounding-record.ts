// What the knowledge graph gave for a plan, as records keep it.
import { z } from 'zod'
import { findingSchema } from './finding.ts'

/** What the knowledge graph gave: ids only; the text is in the graph at `graph_version`. */
export const groundingRecordSchema = z.strictObject({
  degraded: z.enum(['vectors']).nullable(),
  nodes: z.array(z.string().max(120)).max(500),
  findings: z.array(findingSchema).max(100),
})
