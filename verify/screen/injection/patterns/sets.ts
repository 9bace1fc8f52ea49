// All shipped pattern sets.
import type { PatternSet } from '../types.ts'
import { enAgent } from './en-agent.ts'
import { enLeak } from './en-leak.ts'
import { enOverride } from './en-override.ts'
import { enRole } from './en-role.ts'
import { markers } from './markers.ts'
import { latinSets } from './other-latin.ts'
import { scriptSets } from './other-scripts.ts'

export const shippedSets: readonly PatternSet[] = [
  enOverride,
  enRole,
  enLeak,
  enAgent,
  markers,
  ...latinSets,
  ...scriptSets,
]
