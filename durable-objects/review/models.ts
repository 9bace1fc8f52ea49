// The models of one plan: the vendors that its policy names, every call recorded with the plan. A
// deployment on a developer's machine may answer from a recording instead, so that an evaluation is
// run again without cost; no other deployment can.
import { parseEndpoints, parseHosts } from '../../adapters/models/endpoints.ts'
import { benchFor } from '../../adapters/models/bench.ts'
import { createModelPort, wallClock, type Outlets } from '../../adapters/models/port.ts'
import type { Prices } from '../../adapters/models/prices.ts'
import { createRecordingPort, type RecordingPort } from '../../adapters/models/recording-port.ts'
import { createReplayPort, parseReplay } from '../../adapters/models/replay-port.ts'
import type { ModelBinding } from '../../adapters/models/workers-ai.ts'
import { hidingOf } from '../../verify/hide/index.ts'
import { noBench, type Bench } from '../../verify/judge.ts'
import type { ModelPort } from '../../verify/panel/port.ts'
import type { ReviewSpec } from '../../verify/review/state.ts'
import type { Env } from '../env.ts'
import { putCall } from './calls.ts'
import { siteKeyOf } from './site-keys.ts'
import type { ReviewStore } from './store.ts'

export type Models = {
  readonly port: RecordingPort
  /** Who judges this plan: the policy's panel, with `auto` resolved. */
  readonly bench: Bench
  /** True when a recording answers: then no judge is cut off early, since all answers are known. */
  readonly replayed: boolean
}

/** How a recording is asked, or null when vendors are. */
function replayOf(env: Env): ((out: Outlets) => ModelPort) | null {
  if (env.MODEL_REPLAY === undefined) return null
  if (env.DEPLOYMENT !== 'local') {
    console.error('MODEL_REPLAY: only a local deployment replays; vendors are asked')
    return null
  }
  const replay = parseReplay(env.MODEL_REPLAY)
  if (!replay.ok) console.error(replay.error)
  // What cannot be read answers nothing: every model is an outage.
  const at = replay.ok ? replay.value : { url: 'http://127.0.0.1', reaches: {} }
  return ({ fetch }) => createReplayPort(at, fetch)
}

export async function modelsOf(
  env: Env,
  spec: ReviewSpec,
  { store, prices }: { store: ReviewStore; prices: Prices },
): Promise<Models> {
  const endpoints = parseEndpoints(env.MODEL_ENDPOINTS)
  if (!endpoints.ok) console.error(endpoints.error)
  const replay = replayOf(env)
  const { policy } = spec.snapshot
  const ai = (env.AI as ModelBinding | undefined) ?? null
  const source = {
    deployment: endpoints.ok ? endpoints.value : {},
    policy,
    siteKey: (name: string) => siteKeyOf(env, spec.submitter.site, name),
    privateHosts: parseHosts(env.PRIVATE_HOSTS),
  }
  const id = env.AI_GATEWAY ?? ''
  const gateway = id === '' ? null : { id }
  const hiding = hidingOf(policy.hide, spec.plan, spec.snapshot.registry)
  const live = (out: Outlets): ModelPort =>
    createModelPort({ ...source, ...out, prices, clock: wallClock, gateway, hiding })
  const port = createRecordingPort(
    replay ?? live,
    { fetch: (input, init) => fetch(input, init), ai, clock: wallClock },
    (call) => putCall(store, call),
  )
  // A recording stands in for every seat that the policy names: whether a key is here does not matter.
  const bench =
    replay === null
      ? await benchFor(policy, { ...source, binding: ai !== null })
      : policy.panel === 'offline'
        ? noBench
        : { panel: 'models' as const, seats: policy.judges, chief: policy.chief }
  return { port, bench, replayed: replay !== null }
}
