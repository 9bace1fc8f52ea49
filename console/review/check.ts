// Whether what is displayed is what the digests name. The page computes them itself: if they differ from
// the ones that the gateway names, nothing can be decided here (invariant 7).
import { digest } from '../../protocol/digest.ts'
import type { ReviewRecord } from '../api.ts'

/** Null when everything displayed is what the digest names; otherwise what is wrong. */
export async function mismatch(record: ReviewRecord): Promise<string | null> {
  const { packet, plan, status } = record
  if (packet === null) return null
  if ((await digest('packet', packet)) !== status.packet_digest) {
    return 'The packet does not match its digest. Do not decide here; tell the administrator.'
  }
  if ((await digest('plan', plan)) !== packet.plan_digest) {
    return 'The plan does not match its digest. Do not decide here; tell the administrator.'
  }
  return null
}
