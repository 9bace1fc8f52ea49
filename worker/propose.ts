// From an accepted plan to a standing approval that people can sign: the plan admitted again under the site
// as it is, checked, and run dry over all values of all holes at once. No model is asked: people are.
import { ownersOfPlanners } from '../adapters/credentials.ts'
import { workersAiEmbedder } from '../adapters/embedder-workers-ai.ts'
import { d1GraphStore } from '../adapters/knowledge-d1.ts'
import { vectorizeSearch } from '../adapters/knowledge-vectorize.ts'
import type { ReviewRecord } from '../durable-objects/contracts.ts'
import type { Env } from '../durable-objects/env.ts'
import type { Plan } from '../protocol/plan.ts'
import type { Violation } from '../protocol/reasons.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { limits } from '../protocol/limits.ts'
import {
  lifeMsMax,
  type HoleValues,
  type StandingRecord,
  type StandingTerms,
} from '../protocol/standing.ts'
import { hidingOf } from '../verify/hide/index.ts'
import { localEmbedder } from '../verify/ground/local-embedder.ts'
import { packetTraceOf } from '../verify/packet-trace.ts'
import {
  admitPlan,
  admittedBefore,
  checkPlan,
  groundPlan,
  parse,
  readPlan,
  screenedBefore,
  simulatePlan,
} from '../verify/pipeline.ts'
import { cornersOf, planOver, planWith, valuesIn } from '../verify/standing/holes.ts'
import type { Parsed } from '../verify/stages.ts'
import type { Refusal } from './problems.ts'
import { stateFor } from './site-snapshot.ts'
import { admitHere } from './submit.ts'

export type Proposal = {
  readonly template: string
  readonly site: string
  readonly terms: StandingTerms
  /** The accepted plan. */
  readonly base: ReviewRecord
  readonly by: string
  readonly now_ms: number
}

/** States of a plan that was accepted and has not gone wrong. */
const accepted: readonly string[] = ['accepted', 'queued', 'bound', 'completed']

const say = (at: string, message: string): Violation => ({ code: 'hole_invalid', at, message })

function termsViolations({ terms, base, now_ms }: Proposal): Violation[] {
  const out: Violation[] = []
  const { status, template } = base
  if (!accepted.includes(status.state)) out.push(say('/plan', 'the plan is not an accepted one'))
  // Else a chain of small steps would widen what was approved.
  if (template !== null) {
    out.push(say('/plan', 'a run under a standing approval is no beginning of another one'))
  }
  if (base.plan.nodes.length === 0) out.push(say('/plan', 'a text without steps runs nothing'))
  if (terms.until_ms <= now_ms) {
    out.push({ code: 'time_past', at: '/until_ms', message: 'until_ms is over already' })
  }
  if (terms.until_ms > now_ms + lifeMsMax) {
    const message = `until_ms is more than ${lifeMsMax / 86_400_000} days away`
    out.push({ code: 'time_too_far', at: '/until_ms', message })
  }
  return out
}

/** The graph of the plan with the words of the template, for its first planner. */
function templatePlan({ terms, base }: Proposal): Plan {
  const { supersedes: _old, follows: _earlier, agent: _agent, ...plan } = base.plan
  const [planner] = terms.planners
  return {
    ...plan,
    goal: terms.goal ?? plan.goal,
    instructions: terms.instructions ?? plan.instructions,
    planner: { id: planner ?? plan.planner.id },
    ...(terms.agent === undefined ? {} : { agent: terms.agent }),
  }
}

const violations = (list: readonly Violation[]): Refusal => ({
  code: 'violations',
  violations: list,
})

const bodyOf = (plan: Plan) => parse(new TextEncoder().encode(JSON.stringify(plan)))

/** Ends of holes that their tool does not take: the first for each hole. */
async function endsViolations(
  holes: StandingTerms['holes'],
  plan: Plan,
  values: HoleValues,
  admit: (body: Parsed) => ReturnType<typeof admitPlan>,
): Promise<Violation[]> {
  const corners = cornersOf(plan, holes, values)
  if (corners.length > limits.templateEndsMax) {
    const message = `the lists of all holes have ${corners.length} values; at most ${limits.templateEndsMax}`
    return [say('/holes', message)]
  }
  const out = new Map<number, Violation>()
  for (const { hole, value, plan: corner } of corners) {
    if (out.has(hole)) continue
    const body = bodyOf(corner)
    const fits = body.ok ? await admit(body.value) : body
    const first = fits.ok ? undefined : fits.error[0]
    if (first === undefined) continue
    const what = `with ${String(value)} there: ${first.at} ${first.message}`
    out.set(hole, say(`/holes/${hole}/within`, what))
  }
  return [...out.values()]
}

/** What people are asked to sign; everything that is wrong with it in one answer where that can be. */
export async function standingRecord(
  env: Env,
  proposal: Proposal,
): Promise<Result<StandingRecord, Refusal>> {
  const { terms, site, now_ms, base, template, by } = proposal
  const wrong = termsViolations(proposal)
  if (wrong.length > 0) return err(violations(wrong))
  const people = await ownersOfPlanners(env.DB, { site, planners: terms.planners })
  const unknown = terms.planners.filter((name) => people.every(({ subject }) => subject !== name))
  if (unknown.length > 0) {
    return err(violations([say('/planners', `the site has no planner ${unknown.join(', ')}`)]))
  }
  const plan = templatePlan(proposal)
  const values = valuesIn(plan, terms.holes)
  if (!values.ok) return err(violations(values.error))
  const submitter = {
    site,
    planner: plan.planner.id,
    owner: people.find(({ subject }) => subject === plan.planner.id)?.owner ?? '',
  }
  const exact = planWith(plan, terms.holes, values.value)
  const body = bodyOf(exact)
  if (!body.ok) return err(violations(body.error))
  const here = await admitHere(env, submitter, { body: body.value, now_ms })
  if (!here.ok) return here
  const { snapshot } = here.value.admitted
  const ends = await endsViolations(terms.holes, plan, values.value, (corner) =>
    admitPlan(corner, { submitter, snapshot, received_ms: now_ms }),
  )
  if (ends.length > 0) return err(violations(ends))
  const state = await stateFor(env, snapshot, { agent: plan.agent, owner: submitter.owner })
  const facts = { ...here.value.admitted, snapshot: { ...snapshot, cell_state: state } }
  const { floor } = await checkPlan(admittedBefore(facts))
  // Read and run with every value at once; the checks have seen the plan as it is.
  const open = { ...facts, plan: planOver(plan, terms.holes, values.value), floor }
  const simulated = simulatePlan(readPlan(screenedBefore(open)))
  const grounded = await groundPlan(simulated, {
    store: d1GraphStore(env.DB),
    vectors: vectorizeSearch(env.VECTORIZE),
    embedder:
      env.AI === undefined
        ? localEmbedder
        : workersAiEmbedder(env.AI, hidingOf(snapshot.policy.hide, open.plan, snapshot.registry)),
  })
  const { grounding, evidence, trace, graph_version } = grounded
  if (grounding === null) return err({ code: 'unavailable', retryAfterS: 5 })
  const breaches = evidence.breaches.filter(({ verdict }) => verdict === 'reject')
  if (floor.level === 'block' || breaches.length > 0) {
    const [first] = breaches
    const what = first === undefined ? 'The checks block it.' : `${first.code} at ${first.at}.`
    return err({ code: 'template_refused', detail: what })
  }
  return ok({
    template,
    site,
    terms,
    base: {
      plan: base.status.plan,
      plan_digest: base.packet?.plan_digest ?? here.value.admitted.plan_digest,
      decision_digest: base.status.decision_digest,
    },
    plan,
    values: values.value,
    floor,
    grounding,
    evidence,
    trace: await packetTraceOf(trace, state, []),
    cell_state: state,
    at_ms: now_ms,
    registry_digest: snapshot.registry_digest,
    policy_version: snapshot.policy_version,
    graph_version,
    owners: [...new Set([...people.map(({ owner }) => owner), base.status.owner])],
    approvals_required: snapshot.policy.approvals_required,
    proposed_by: by,
  })
}
