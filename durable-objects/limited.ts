// Every call from one object to another, and from the door to an object, has a limit: one that hangs holds up
// nobody but itself. What a limit does not do is take the call back: it may still be carried out, so every
// receiver takes the same call twice.

import { limits } from '../protocol/limits.ts'

/**
 * Milliseconds by who asks and what for. The table in docs/failures.md says what happens after each.
 */
export const callMs = {
  /** Session → hub, before every `go`: no answer is no authority. */
  'session: authority': limits.authorityTimeoutMs,
  /** Session → hub and review: that it has ended; told again until somebody has heard it. */
  'session: end told': 10_000,
  /** Hub → session, a person waits: what has not answered is reported as not reached, and asked again. */
  'hub: stop': 1_500,
  /** Hub → review: bind; asked again with the same session. */
  'hub: bind': 8_000,
  /** Hub → review or session: how it stands; a plan to withdraw. */
  'hub: ask': 5_000,
  /** Hub → state and totals of a cell: what a clearance or a loss means for them. */
  'hub: cell': 5_000,
  /** Hub → D1: whether its storage was set back. */
  'hub: storage mark': 5_000,
  /** Review → hub, window, cell, totals, session, D1, webhook: one message of its outbox. */
  'review: message': 15_000,
  /** Review → hub, window, cell, totals, session, other plans, while it judges, binds or answers. */
  'review: ask': 5_000,
  /** Window → hub: rows of the release before. */
  'window: old rows': 5_000,
  /** Keeper → hub, window, plans and sessions: what is deleted; found again at the next look. */
  'keeper: ask': 15_000,
  /** Session → keeper: whether a hold keeps its results; kept until it answers. */
  'session: hold': 5_000,
  /** Door → any object: the caller is answered 503 and may ask again. */
  'door: ask': 20_000,
} as const
export type CallKind = keyof typeof callMs

/** An object that did not answer within its limit. `retryable`, as the platform names its own outages. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly retryable = true

  constructor(what: string, limit_ms: number) {
    super(`${what}: no answer in ${limit_ms} ms`)
  }
}

/** The answer, or a throw once `limit_ms` are over. A late answer is dropped. */
export async function inTime<T>(
  answer: PromiseLike<T>,
  limit_ms: number,
  what = 'call',
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | null = null
  // Nobody waits for a late failure any more.
  const asked = Promise.resolve(answer)
  asked.catch(() => undefined)
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(what, limit_ms)), limit_ms)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}

type Methods = Record<string, (...args: unknown[]) => PromiseLike<unknown>>

/**
 * The same stub, every call of which has the limit of `kind`; the caller says what it promises. An upgrade (`fetch`) is passed on as it is:
 * what it answers lives as long as its connection.
 */
export function limited(stub: unknown, kind: CallKind): object {
  // A stub has every name; which of them are methods only the other side knows.
  const methods = stub as Methods
  const calls = new Proxy(Object.create(null) as object, {
    get: (_, name) => {
      if (typeof name === 'symbol' || name === 'then') return undefined
      return (...args: unknown[]) => {
        const asked = (): PromiseLike<unknown> => methods[name]?.(...args) as PromiseLike<unknown>
        return name === 'fetch' ? asked() : inTime(asked(), callMs[kind], `${kind} (${name})`)
      }
    },
  })
  return calls
}
