// Who judges a plan of this site: the policy's `panel` with `auto` resolved. What is asked is whether a
// seat can be reached at all (a binding, an endpoint with a key), never whether it answers just now: an
// outage must not turn a panel of models into rules alone.
import type { Policy } from '../../protocol/policy.ts'
import { noBench, type Bench } from '../../verify/judge.ts'
import { bindingPanel, vendorPanel } from './default-seats.ts'
import { resolveEndpoint, type EndpointSource } from './endpoints.ts'

export type BenchPolicy = Pick<Policy, 'panel' | 'judges' | 'chief'>

/** The seats and chief for one plan. Seats that a site named stay even where one has no key: an outage. */
export async function benchFor(policy: BenchPolicy, source: EndpointSource): Promise<Bench> {
  if (policy.panel === 'offline') return noBench
  const named = policy.judges.length > 0
  const panel = source.binding ? bindingPanel : vendorPanel
  const wanted = named ? policy.judges : panel.judges
  const usable = await Promise.all(
    wanted.map(async (seat) => (await resolveEndpoint(seat.endpoint, seat.model, source)).ok),
  )
  if (policy.panel === 'auto' && !usable.includes(true)) return noBench
  // Of the default seats only those are expected that can be reached; a site's own are all expected.
  const seats = named ? wanted : wanted.filter((_, i) => usable[i])
  return { panel: 'models', seats, chief: policy.chief ?? (named ? null : panel.chief) }
}
