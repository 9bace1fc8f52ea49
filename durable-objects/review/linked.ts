// Graph ids by the place of the plan that they were linked at, as grounding found them.
import { z } from 'zod'
import { limits } from '../../protocol/limits.ts'

export const linkedSchema = z.record(
  z.string().max(300),
  z.array(z.string().max(120)).max(limits.nodesMax),
)
