// How often one credential, one site and one address may knock: token buckets in the isolate, and behind
// them the platform's own limiter where the deployment has one. They keep one caller from taking the time
// of the others.
import type { Env, PlatformRate } from '../durable-objects/env.ts'
import { limits } from '../protocol/limits.ts'

/** Sustained requests per second, and how many may come at once after a pause. */
export type Rate = { readonly perS: number; readonly burst: number }

/** Callers that a table keeps in mind; past it the one that was seen longest ago starts anew. */
const callersMax = 10_000

type Bucket = { tokens: number; at_ms: number }

export class Buckets {
  readonly #rate: Rate
  readonly #buckets = new Map<string, Bucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Takes one token. 0 when there was one, else how many seconds until there is. */
  take(caller: string, now_ms: number): number {
    const bucket = this.#refilled(caller, now_ms)
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / this.#rate.perS))
    bucket.tokens -= 1
    return 0
  }

  /** Whether a token is there, without taking it. */
  empty(caller: string, now_ms: number): boolean {
    return this.#refilled(caller, now_ms).tokens < 1
  }

  #refilled(caller: string, now_ms: number): Bucket {
    const { perS, burst } = this.#rate
    const known = this.#buckets.get(caller)
    // A clock that goes back must not lock anybody out.
    const pastS = known === undefined ? 0 : Math.max(0, now_ms - known.at_ms) / 1_000
    const tokens = known === undefined ? burst : Math.min(burst, known.tokens + pastS * perS)
    const bucket = { tokens, at_ms: now_ms }
    // Last in the order of the map: the first is the one that was seen longest ago.
    this.#buckets.delete(caller)
    this.#buckets.set(caller, bucket)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > callersMax && oldest !== undefined) this.#buckets.delete(oldest)
    return bucket
  }
}

const requestsOfOne = new Buckets(limits.requestsPerCredential)
const requestsOfSite = new Buckets(limits.requestsPerSite)
const plansOfOne = new Buckets(limits.plansPerCredential)
const plansOfSite = new Buckets(limits.plansPerSite)
const heavyOfSite = new Buckets(limits.heavyRequestsPerSite)
const failuresOf = new Buckets(limits.failedSignInsPerAddress)

type Caller = { id: string; site: string }

/** The deployment's own part of what the platform counts by: two deployments may share an account. */
type Counting = Pick<Env, PlatformRate | 'DEPLOYMENT'>

/** Counted by the platform over all isolates of one of its locations; false once the rate is passed. */
async function platformLets(env: Counting, rate: PlatformRate, key: string): Promise<boolean> {
  const limiter = env[rate]
  if (limiter === undefined) return true
  try {
    return (await limiter.limit({ key: `${env.DEPLOYMENT}/${key}` })).success
  } catch (cause) {
    // A platform that fails refuses nobody: the isolate's own buckets have let the caller pass.
    console.error(`rate limit ${rate}: ${String(cause)}`)
    return true
  }
}

/** After how many seconds the platform may be asked again: its windows are ten seconds. */
const platformWaitS = 5

/** 0, or the seconds to wait once the credential or its site has passed what the platform counts. */
async function platformWait(
  caller: Caller,
  env: Counting,
  [ofOne, ofSite]: readonly [PlatformRate, PlatformRate],
): Promise<number> {
  const lets = await Promise.all([
    platformLets(env, ofOne, caller.id),
    platformLets(env, ofSite, caller.site),
  ])
  return lets.every(Boolean) ? 0 : platformWaitS
}

/** Whether a credential may ask now; 0 or the seconds to wait. */
export async function mayAsk(caller: Caller, env: Counting, now_ms: number): Promise<number> {
  const wait = requestsOfOne.take(caller.id, now_ms) || requestsOfSite.take(caller.site, now_ms)
  return wait > 0 ? wait : platformWait(caller, env, ['REQUEST_RATE', 'SITE_REQUEST_RATE'])
}

/** Whether a site may send something whose body takes long to check; 0 or the seconds to wait. */
export const mayAskHeavy = ({ site }: Caller, now_ms: number): number =>
  heavyOfSite.take(site, now_ms)

/** Whether a credential may submit a plan now; 0 or the seconds to wait. */
export async function maySubmit(caller: Caller, env: Counting, now_ms: number): Promise<number> {
  const wait = plansOfOne.take(caller.id, now_ms) || plansOfSite.take(caller.site, now_ms)
  return wait > 0 ? wait : platformWait(caller, env, ['PLAN_RATE', 'SITE_PLAN_RATE'])
}

/** Whether an address has failed so often that it has to wait; asks, and takes nothing. */
export const hasFailedTooOften = (address: string, now_ms: number): boolean =>
  failuresOf.empty(address, now_ms)

/** A sign-in from an address has failed. */
export const noteFailure = (address: string, now_ms: number): void => {
  failuresOf.take(address, now_ms)
}
