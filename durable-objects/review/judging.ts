// One pass of the pipeline over a stored plan, with the platform behind its ports. Opinions are made
// durable one by one, so that a restart asks only the judges that are missing. Decides nothing.
import { workersAiEmbedder } from '../../adapters/embedder-workers-ai.ts'
import { d1GraphStore } from '../../adapters/knowledge-d1.ts'
import { vectorizeSearch } from '../../adapters/knowledge-vectorize.ts'
import { reserveSpend } from '../../adapters/judge-spend-d1.ts'
import { recall } from '../../adapters/memory-d1.ts'
import { wallClock } from '../../adapters/models/port.ts'
import { estimateSeat, parsePrices } from '../../adapters/models/prices.ts'
import { localEmbedder } from '../../verify/ground/local-embedder.ts'
import { coveredBy } from '../../verify/decide/decide.ts'
import {
  coveredByStanding,
  featuresOf,
  groundPlan,
  judgeRemembered,
  readPlan,
  rememberPlan,
  screenedBefore,
  simulatePlan,
} from '../../verify/pipeline.ts'
import { hidingOf } from '../../verify/hide/index.ts'
import type { Recalled } from '../../verify/remember/match.ts'
import type { ReviewSpec } from '../../verify/review/state.ts'
import { passesScreen } from '../../verify/screen/claims.ts'
import type { Grounded, Judged } from '../../verify/stages.ts'
import type { Env } from '../env.ts'
import { standingUse } from './standing.ts'
import { modelsOf } from './models.ts'
import { inTurn } from '../turns.ts'
import type { ReviewStore } from './store.ts'

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
async function reserve(env: Env, spec: ReviewSpec, cost_usd: number | null): Promise<boolean> {
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

/** What is remembered of plans like this one; null when the store is down. */
async function recallFor(env: Env, spec: ReviewSpec, grounded: Grounded): Promise<Recalled | null> {
  try {
    return await recall(env.DB, spec.submitter.site, {
      plan: spec.plan_id,
      planner: spec.submitter.planner,
      owner: spec.submitter.owner,
      plan_digest: spec.plan_digest,
      features: featuresOf(grounded),
      supersedes: spec.plan.supersedes ?? null,
      now_ms: Date.now(),
    })
  } catch (cause) {
    console.error(`memory: ${String(cause)}`)
    return null
  }
}

/** Runs the pipeline; never rejects for an outage of a store or a vendor, which only raises. */
export async function judgeStored(
  store: ReviewStore,
  spec: ReviewSpec,
  { env, signal }: { env: Env; signal: AbortSignal },
): Promise<Judged> {
  const { policy } = spec.snapshot
  const { site } = spec.submitter
  const remembered = await inTurn(site, async () => {
    const simulated = simulatePlan(readPlan(screenedBefore(spec)))
    const grounded = await groundPlan(simulated, {
      store: d1GraphStore(env.DB),
      vectors: vectorizeSearch(env.VECTORIZE),
      embedder:
        env.AI === undefined
          ? localEmbedder
          : workersAiEmbedder(env.AI, hidingOf(policy.hide, spec.plan, spec.snapshot.registry)),
    })
    if (grounded.failure !== null) console.error(grounded.failure)
    return rememberPlan(grounded, await recallFor(env, spec, grounded))
  })
  const standing = await standingUse(env, spec, remembered)
  if (standing !== null && coveredBy(standing)) return coveredByStanding(remembered, standing)
  const prices = parsePrices(env.MODEL_PRICES)
  const models = await modelsOf(env, spec, { store, prices })
  const judge = () =>
    judgeRemembered(remembered, {
      ports: {
        model: models.port,
        clock: wallClock,
        nonce,
        screen: (text) => passesScreen(text, policy),
        estimate: (seat, chars) => estimateSeat(seat, chars, prices),
        reserve: (cost_usd) => reserve(env, spec, cost_usd),
      },
      bench: models.bench,
      standing,
      done: store.opinions(),
      signal,
      replayed: models.replayed,
      askAll: env.JUDGES_ASK_ALL === '1',
      checkpoint: (opinion) => store.putOpinion(opinion),
    })
  // Models are waited for, and whoever waits takes no turn from the others.
  const judged = await (models.bench.panel === 'rules' ? inTurn(site, judge) : judge())
  await models.port.settled(lastCallMs)
  return judged
}
