// Who reads what a device answered. People who watch read all of it, screened; a planner reads its own
// runs, only labels that the approved registry lets it read, and nothing that carries instructions.
import type { z } from 'zod'
import { digest } from '../protocol/digest.ts'
import { nodeResultSchema, storedResultSchema } from '../protocol/node-result.ts'
import type { NodeResult, StoredResult } from '../protocol/node-result.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Registry } from '../protocol/registry.ts'
import { withheldFrom } from '../protocol/may-read.ts'
import { readStored } from '../protocol/lenient.ts'
import { screenResult } from '../verify/screen/result.ts'
import type { nodeResultView } from './result-schema.ts'

type ResultView = z.input<typeof nodeResultView>
type Site = {
  readonly registry: Pick<Registry, 'planners'>
  readonly policy: Pick<Policy, 'injection' | 'alert_level'>
}

/** True when the planner may read a result with these labels; unknown labels it may not. */
const mayRead = (labels: StoredResult['labels'], planner: string, { registry }: Site): boolean =>
  labels !== null && withheldFrom(registry, planner, labels).length === 0

/**
 * The view of one stored result (JSON text) for a planner by its name, or for a person (null). null when
 * it cannot be read, or when what is stored is not what was signed.
 */
export async function resultView(
  text: string,
  planner: string | null,
  site: Site,
): Promise<ResultView | null> {
  const stored = storedResultSchema.safeParse(JSON.parse(text))
  if (!stored.success) return null
  const { nid, tool, labels, digest: signed, at_ms } = stored.data
  const read = readStored('result', nodeResultSchema, stored.data.result)
  if (!read.ok || (await digest('result', read.value)) !== signed) return null
  const { result, sigma, level } = screenResult(read.value, site.policy)
  const head = { nid, tool, labels, digest: signed, at_ms }
  if (planner === null)
    return { ...head, ...told(result), withheld: null, screen: { sigma, level } }
  const withheld = whyWithheld(mayRead(labels, planner, site), level)
  // Planners get no scores: the gateway is no oracle for what passes.
  return { ...head, ...told(withheld === null ? result : nothing), withheld, screen: null }
}

function whyWithheld(allowed: boolean, level: string): ResultView['withheld'] {
  if (!allowed) return 'labels'
  return level === 'warning' ? 'instructions' : null
}

const nothing: NodeResult = { data: null, from: 'none', kept: [], left_out: 0 }

const told = ({ data, from, kept, left_out }: NodeResult) => ({ data, from, kept, left_out })
