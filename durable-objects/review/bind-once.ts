// One plan, one session, ever (invariant 2): the session that binds first is written down before it
// exists, so a retry opens the very same context and nobody else opens another.
import type { BindRefusal } from '../../protocol/reasons.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { toolRowDigests, toolRowOf } from '../../protocol/tool-row.ts'
import { screen } from '../../verify/screen/index.ts'
import type { BindRequest, OpenSpec } from '../contracts.ts'
import { announce } from './announce.ts'
import { compareAndBind, toolsOf } from './binding.ts'
import { refuseBinding } from './decided.ts'
import type { ReviewStore } from './store.ts'

/**
 * The first session that asks gets the plan, if the decision still covers it; the same session may ask
 * again and finds what was bound; any other is refused. Writes, and opens nothing.
 */
export async function bindOnce(
  store: ReviewStore,
  request: BindRequest,
  now_ms: number,
): Promise<Result<void, { reason: BindRefusal }>> {
  const no = (reason: BindRefusal) => err({ reason })
  const session = store.get('session')
  if (session !== null) {
    if (session !== request.session) return no('already_bound')
    // Bound once and then refused by the session itself: that stands.
    const refused = store.status()?.bind_refusal ?? null
    return refused === null ? ok(undefined) : no(refused)
  }
  const ready = (): boolean => store.state() === 'queued'
  const spec = store.spec()
  const packet = store.packet()
  const decision = store.decision()
  const decision_digest = store.get('decision_digest')
  if (store.state() === 'withdrawn') return no('withdrawn')
  if (spec === null || packet === null || decision === null || decision_digest === null) {
    return no('not_accepted')
  }
  if (!ready()) return no(store.status()?.bind_refusal ?? 'not_accepted')
  const window = request.snapshot.window.filter((entry) => entry.plan !== spec.plan_id)
  const floor = await screen(spec.plan, { ...request.snapshot, window }, spec.submitter, now_ms)
  const rows = await toolRowDigests(Object.values(toolsOf(spec)).map((tool) => toolRowOf(tool)))
  // Compare and set rest on this state, whatever the await above let in.
  if (!ready() || store.get('session') !== null) return no('already_bound')
  const facts = { spec, packet, decision, decision_digest, floor, rows }
  const context = compareAndBind(facts, request, now_ms)
  if (!context.ok) {
    await refuseBinding(store, context.error.reason, now_ms)
    return context
  }
  // Durable before the session exists: a retry opens the very same context.
  store.putJson('context', context.value)
  store.set('session', request.session)
  store.set('bound_ms', String(now_ms))
  store.setState('bound')
  const bound = { session: request.session, cell: request.cell, agent: request.agent }
  await store.trail({ at_ms: now_ms, actor: 'gateway', event: 'bound', facts: bound })
  announce(store, now_ms)
  return ok(undefined)
}

/** What the session of a bound plan is opened with; the same at every asking. */
export function openSpecOf(store: ReviewStore): OpenSpec {
  const spec = store.spec()
  const decision = store.decision()
  const context = store.context()
  const bound_ms = store.number('bound_ms')
  if (spec === null || decision === null || context === null || bound_ms === null) {
    throw new TypeError('a bound plan has a context')
  }
  return {
    context,
    plan_id: spec.plan_id,
    plan_digest: spec.plan_digest,
    decision,
    tools: toolsOf(spec),
    planner: spec.submitter.planner,
    epoch: spec.snapshot.epoch,
    now_ms: bound_ms,
  }
}
