// V_det: a plan and one snapshot of the site → pass, advisory, flag or block, in milliseconds, before any
// model is called. One straight pipeline of pure checks; every check sees the same scene, none sees
// another's findings, and the floor is the worst of all (docs/deterministic-checks.md).
import type { Finding, Floor } from '../../protocol/finding.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { SiteSnapshot, Submitter } from '../../protocol/snapshot.ts'
import { checkFlow } from './flow/check.ts'
import { floorOf } from './floor.ts'
import { checkAdmin } from './provenance/admin.ts'
import { checkApprovals } from './provenance/approvals.ts'
import { checkArtefacts } from './provenance/artefacts.ts'
import { checkCapability } from './provenance/capability.ts'
import { checkCode } from './provenance/code.ts'
import { checkIdentity } from './provenance/identity.ts'
import { checkInterlock } from './provenance/interlock.ts'
import { checkPins } from './provenance/pins.ts'
import { provenFindings, unprovenRows, type UnprovenRow } from './provenance/proven.ts'
import { checkReach } from './provenance/reach.ts'
import { checkSandbox } from './provenance/sandbox.ts'
import { checkSpelling } from './provenance/spelling.ts'
import { buildScene, type Scene } from './scene.ts'
import { snapshotDigest } from './snapshot-digest.ts'
import { checkInjection } from './sigma.ts'
import { checkWindow } from './window/check.ts'

/** The checks in their order; the order does not change the floor. */
const checks: readonly ((scene: Scene) => Finding[])[] = [
  checkCapability,
  checkSpelling,
  checkPins,
  checkSandbox,
  checkCode,
  checkReach,
  checkInterlock,
  checkIdentity,
  checkApprovals,
  checkAdmin,
  checkArtefacts,
  checkFlow,
]

/**
 * The floor of an admitted plan. Pure: the same plan, snapshot, submitter and time give the same floor,
 * whatever the order of the nodes array. Asynchronous only because digests are.
 */
export async function screen(
  plan: Plan,
  snapshot: SiteSnapshot,
  submitter: Submitter,
  nowMs: number,
): Promise<Floor> {
  const [digest, unproven] = await Promise.all([
    snapshotDigest(snapshot),
    unprovenRows(plan, snapshot),
  ])
  return screenWith(plan, snapshot, { submitter, nowMs, snapshotDigest: digest, unproven })
}

/** The same for a caller that already has what takes digests. */
export function screenWith(
  plan: Plan,
  snapshot: SiteSnapshot,
  given: {
    readonly submitter: Submitter
    readonly nowMs: number
    readonly snapshotDigest: string
    readonly unproven: readonly UnprovenRow[]
  },
): Floor {
  const scene = buildScene(plan, snapshot, given)
  const { sigma, thresholds, findings: injected } = checkInjection(scene)
  const found = [
    ...checks.flatMap((check) => check(scene)),
    ...provenFindings(plan, given.unproven),
  ]
  const findings = [...found, ...injected]
  const history = checkWindow(scene, { findings, sigma, thresholds })
  return floorOf([...findings, ...history], {
    sigma,
    tau_advisory: thresholds.advisory,
    tau_warning: thresholds.warning,
    snapshot_digest: given.snapshotDigest,
  })
}
