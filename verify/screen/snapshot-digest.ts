// Digest of the site as V_det saw it, for the record (invariant 8). Registry and policy enter by their own
// digests and the window as rows in a fixed order, so that it costs little beside the checks.
import { canonicalForm, digestCanonical } from '../../protocol/digest.ts'
import type { SiteSnapshot, WindowEntry } from '../../protocol/snapshot.ts'
import { unknownState } from '../../protocol/state.ts'

/** One entry as a row; the order of its members is part of the digest's definition. */
function row(entry: WindowEntry): unknown[] {
  return [
    entry.plan,
    entry.planner,
    entry.owner,
    entry.at_ms,
    entry.verdict,
    entry.supersedes,
    entry.sketch,
    entry.capabilities,
    entry.tools,
    entry.codes,
    entry.sigma,
    entry.marks,
  ]
}

/** Of records from before cells had a state, nothing is known: their digest stays what it was. */
const untold = canonicalForm(unknownState)

/** `snap:<base64url>` over everything in the snapshot; registry, policy and state by digest. */
export async function snapshotDigest(snapshot: SiteSnapshot): Promise<string> {
  const { site, taken_at_ms, registry_digest, policy_version, epoch, quarantined, agents } =
    snapshot
  const state = canonicalForm(snapshot.cell_state)
  const head = {
    site,
    taken_at_ms,
    registry_digest,
    policy_version,
    epoch,
    quarantined,
    agents,
    ...(snapshot.proven === undefined ? {} : { proven: snapshot.proven }),
    ...(state === untold ? {} : { state_digest: await digestCanonical('state', state) }),
  }
  // Rows hold strings, numbers and arrays of them, for which JSON.stringify is as canonical as JCS.
  const window = JSON.stringify(snapshot.window.map(row))
  return digestCanonical('snapshot', `${canonicalForm(head)}\n${window}`)
}
