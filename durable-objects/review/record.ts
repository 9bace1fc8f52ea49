// What a reviewer reads: the packet, the plan, and how it differs from earlier versions of its lineage.
import { precedentOf } from '../../adapters/memory-d1.ts'
import type { Approval } from '../../protocol/records.ts'
import { diffPlans } from '../../verify/lineage/diff.ts'
import type { StoredRecord } from '../../verify/rederive.ts'
import { standingOf } from '../../verify/review/status.ts'
import type { PlanVersion, ReviewRecord } from '../contracts.ts'
import type { Env } from '../env.ts'
import { codesOf } from './messages.ts'
import { reviewOf } from './neighbours.ts'
import { siteMovedOn } from './outdated.ts'
import type { ReviewStore } from './store.ts'

/** This plan as a later version's reviewer sees it; null before `start`. */
export function ownVersion(store: ReviewStore): PlanVersion | null {
  const status = store.status()
  if (status === null) return null
  const spec = store.spec()
  return { plan: spec.plan, status, codes: codesOf(spec, store.packet()) }
}

/** Everything that the decision of this plan rests on, with its whole trail; null before `start`. */
export function evidenceOf(store: ReviewStore): string | null {
  const status = store.status()
  if (status === null) return null
  const { packet_digest, decision, decision_digest } = status
  const evidence: StoredRecord = {
    ...store.spec(),
    packet: store.packet(),
    packet_digest,
    decision,
    decision_digest,
    audit: store.auditPage(-1, Number.MAX_SAFE_INTEGER),
  }
  return JSON.stringify(evidence)
}

/** Versions shown; an older one is reachable through its own record. */
const versionsMax = 5

/** Composes the record of one plan; earlier versions are read from their own objects. */
export async function recordOf(
  store: ReviewStore,
  env: Env,
  own: PlanVersion,
): Promise<ReviewRecord> {
  const spec = store.spec()
  const lineage: ReviewRecord['lineage'] = []
  let next = own.plan.supersedes
  while (next !== undefined && lineage.length < versionsMax) {
    const text = await reviewOf(env, own.status.site, next).version()
    if (text === null) break
    // Our own object's answer, written by `ownVersion` below.
    const earlier = JSON.parse(text) as PlanVersion
    lineage.push({
      plan: next,
      state: earlier.status.state,
      reasons: earlier.status.reasons,
      codes: earlier.codes,
      approvals: earlier.status.decision?.approvals ?? [],
      differences: diffPlans(earlier.plan, own.plan),
    })
    next = earlier.plan.supersedes
  }
  return {
    plan: own.plan,
    packet: store.packet(),
    status: own.status,
    lineage,
    precedent: await precedent(store, env, own),
    approvals: approvalsOf(store),
    assignee: assigneeOf(store),
    template: spec.standing?.record.template ?? null,
    approvals_required: spec.snapshot.policy.approvals_required,
    outdated: own.status.state === 'escalated' && (await siteMovedOn(store, env)),
  }
}

function assigneeOf(store: ReviewStore): string | null {
  const state = store.state()
  return state?.state === 'escalated' ? (state.assignee?.person ?? null) : null
}

/** Approvals of the packet that waits, or of the decision that stands. */
function approvalsOf(store: ReviewStore): Approval[] {
  const state = store.state()
  if (state === null) return []
  if (state.state === 'escalated') return state.approvals
  return standingOf(state)?.decision.approvals ?? []
}

async function precedent(store: ReviewStore, env: Env, own: PlanVersion): Promise<string | null> {
  const spec = store.spec()
  try {
    const found = await precedentOf(env.DB, own.status.site, {
      plan_digest: spec.plan_digest,
      policy_version: spec.snapshot.policy_version,
      now_ms: Date.now(),
    })
    return found?.plan ?? null
  } catch {
    // A precedent only informs; the record is readable without it.
    return null
  }
}
