// Who judges a plan of this site: the policy's `panel` with `auto` resolved. What is asked is whether
// models were configured at all (named seats, a binding, an endpoint), never whether they have a key or
// answer just now: neither a missing key nor an outage may turn a panel of models into rules alone
// (invariant 4).
import type { ModelSeat, Policy } from '../../protocol/policy.ts'
import { noBench, type Bench } from '../../verify/judge.ts'
import { bindingPanel, vendorPanel } from './default-seats.ts'
import { reachOf, resolveEndpoint, type EndpointSource } from './endpoints.ts'

export type BenchPolicy = Pick<Policy, 'panel' | 'judges' | 'chief'>

/** A default seat is taken where its endpoint is configured and its vendor is not forbidden. */
async function isOffered(seat: ModelSeat, source: EndpointSource): Promise<boolean> {
  if (reachOf(seat.endpoint, seat.model, source) === null) return false
  const endpoint = await resolveEndpoint(seat.endpoint, seat.model, source)
  return endpoint.ok || endpoint.error !== 'vendor_forbidden'
}

/** The seats and chief for one plan; rules alone only where nothing was configured. */
export async function benchFor(policy: BenchPolicy, source: EndpointSource): Promise<Bench> {
  const { panel, judges, chief } = policy
  if (panel === 'offline') return noBench
  // What a site names is expected, whether or not it can be reached.
  if (judges.length > 0) return { panel: 'models', seats: judges, chief }
  const offered = source.binding ? bindingPanel : vendorPanel
  const configured = offered.judges.some((seat) => reachOf(seat.endpoint, seat.model, source))
  if (panel === 'auto' && !configured) return noBench
  const taken = await Promise.all(offered.judges.map((seat) => isOffered(seat, source)))
  const seats = offered.judges.filter((_, i) => taken[i])
  return { panel: 'models', seats, chief: chief ?? offered.chief }
}
