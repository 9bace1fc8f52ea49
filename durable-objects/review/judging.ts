// One pass of the pipeline over a stored plan: ground → memory → judges → chief. Opinions are made
// durable one by one, so that a restart asks only the judges that are missing. Decides nothing.
import { wallClock } from '../../adapters/models/port.ts'
import { estimateSeat, parsePrices, type Prices } from '../../adapters/models/prices.ts'
import { recall } from '../../adapters/memory-d1.ts'
import { floorVerdict } from '../../protocol/verdict.ts'
import type { MemoryMatch } from '../../protocol/memory.ts'
import type { Opinion } from '../../protocol/opinion.ts'
import type { Packet } from '../../protocol/records.ts'
import { reserveSpend } from '../../adapters/judge-spend-d1.ts'
import type { Evidence } from '../../protocol/evidence.ts'
import { judgePlan, type JudgePorts } from '../../verify/judge.ts'
import type { Knowledge } from '../../verify/panel/context.ts'
import { offlineRules } from '../../verify/panel/offline/index.ts'
import { planFeatures, type Linked } from '../../verify/remember/features.ts'
import { matchAll, type Recalled } from '../../verify/remember/match.ts'
import { passesScreen } from '../../verify/screen/claims.ts'
import type { StartSpec } from '../contracts.ts'
import type { Env } from '../env.ts'
import { groundStored } from './grounding.ts'
import { modelsOf, type Models } from './models.ts'
import type { ReviewStore } from './store.ts'

/** What the packet gets from the probabilistic half. */
export type Judged = Pick<
  Packet,
  | 'grounding'
  | 'evidence'
  | 'opinions'
  | 'chief'
  | 'memory'
  | 'citations'
  | 'graph_version'
  | 'depth'
>

/** Random bytes for a label, a-z 0-9: unguessable to whoever wrote the plan. */
function nonce(label: string): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz012345'
  const bytes = crypto.getRandomValues(new Uint8Array(28))
  const text = Array.from(bytes, (byte) => alphabet[byte & 31] ?? 'a').join('')
  return `${label.replaceAll(/[^a-z]/g, '').slice(0, 4)}${text}`
}

/** How long a call that was cut off may take to be written down; the plan does not wait for more. */
const lastCallMs = 1_000

/** Money for the judges of one site; a store that does not answer has none to give. */
async function reserve(env: Env, spec: StartSpec, cost_usd: number | null): Promise<boolean> {
  const max_usd = spec.snapshot.policy.budget.day_usd
  if (max_usd === null) return true
  try {
    const { site } = spec.submitter
    return await reserveSpend(env.DB, { site, cost_usd, max_usd, now_ms: Date.now() })
  } catch (cause) {
    console.error(`spend: ${String(cause)}`)
    return false
  }
}

function portsOf(
  spec: StartSpec,
  { env, models, prices }: { env: Env; models: Models; prices: Prices },
): JudgePorts {
  const { policy } = spec.snapshot
  return {
    model: models.port,
    clock: wallClock,
    nonce,
    screen: (text) => passesScreen(text, policy),
    estimate: (seat, chars) => estimateSeat(seat, chars, prices),
    reserve: (cost_usd) => reserve(env, spec, cost_usd),
  }
}

/** What is remembered of plans like this one; null when the store is down. */
async function recallFor(env: Env, spec: StartSpec, linked: Linked): Promise<Recalled | null> {
  try {
    return await recall(env.DB, spec.submitter.site, {
      plan: spec.plan_id,
      planner: spec.submitter.planner,
      owner: spec.submitter.owner,
      plan_digest: spec.plan_digest,
      features: planFeatures(spec.plan, { registry: spec.snapshot.registry, linked }),
      supersedes: spec.plan.supersedes ?? null,
      now_ms: Date.now(),
    })
  } catch (cause) {
    console.error(`memory: ${String(cause)}`)
    return null
  }
}

/** Codes of what rules found, whatever its kind. */
const codesOfEvidence = ({ breaches, unknowns, doubts }: Evidence): string[] =>
  codesIn([...breaches, ...unknowns, ...doubts])

const codesIn = (found: readonly { readonly code: string }[]): string[] =>
  found.map(({ code }) => code)

/** Runs the pipeline; never rejects for an outage of a store or a vendor, which only raises. */
export async function judgeStored(
  store: ReviewStore,
  spec: StartSpec,
  { env, signal }: { env: Env; signal: AbortSignal },
): Promise<Judged> {
  const grounded = await groundStored(spec, env)
  const linked: Linked = grounded?.linked ?? {}
  store.set('linked', JSON.stringify(linked))
  const { registry, policy, window } = spec.snapshot
  const recalled = await recallFor(env, spec, linked)
  // Rules are pure: what they find tells memory whose failures may speak here.
  const evidence = offlineRules(spec.plan, {
    registry,
    floor: spec.floor,
    grounding: grounded?.record ?? null,
  })
  const checked = [...spec.floor.findings, ...(grounded?.record.findings ?? [])]
  const raised = codesIn(checked.filter((found) => floorVerdict(found.effect) !== 'accept'))
  const ruled = [...codesIn(checked), ...codesOfEvidence(evidence)]
  const matched = (opinions: readonly Opinion[]): MemoryMatch[] => {
    const codes = [...ruled, ...opinions.flatMap((opinion) => codesIn(opinion.findings))]
    return recalled === null ? [] : matchAll(recalled.memories, { ...recalled.plan, codes, raised })
  }
  // Without memory nobody knows what was refused before: the same as a store that is down.
  const record = recalled === null ? null : (grounded?.record ?? null)
  const knowledge: Knowledge | null = grounded?.knowledge ?? null
  const prices = parsePrices(env.MODEL_PRICES)
  const models = await modelsOf(env, spec, { store, prices })
  const judged = await judgePlan(
    portsOf(spec, { env, models, prices }),
    {
      plan: spec.plan,
      registry,
      policy,
      bench: models.bench,
      floor: spec.floor,
      evidence,
      // Until the dry run speaks here, the judges have the plan's own steps alone.
      steps: [],
      memory: matched([]),
      window,
      grounding: record,
      knowledge,
      done: store.opinions(),
      signal,
      // A replay waits for all that was recorded: who came first is not in the recording.
      earlyStop: !models.replayed,
      askAll: env.JUDGES_ASK_ALL === '1',
    },
    (opinion) => store.putOpinion(opinion),
  )
  await models.port.settled(lastCallMs)
  return {
    ...judged,
    grounding: record,
    evidence,
    // Once more with what the models found: a fault that only they see is not mended by not asking.
    memory: matched(judged.opinions),
    graph_version: grounded?.graph_version ?? null,
  }
}
