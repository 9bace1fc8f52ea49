// The stop of the whole cell, and its drill: everything of it is brought to rest, what a finished session left on
// too. Every call comes out of an order that the gateway has signed for this connection. What a session is
// about to stop by itself is left to it, so that a gripper that must hold is not told to let go.
import { verifySigned } from '../contain/verify.ts'
import { drillMs, type StopAnswerClaims, type StopOrderClaims } from '../protocol/stop-order.ts'
import type { DeviceRest } from '../protocol/tokens.ts'
import { movedKeys, stopKey } from './recovery.ts'
import { SessionRest } from './rest.ts'
import type { Session } from './session.ts'
import type { SessionDeps } from './session-deps.ts'
import type { SessionRows } from './session-rows.ts'

/** As many words of a device as fit when every device has some to say. */
const detailCharsMax = 80

type Answer = StopAnswerClaims['calls'][number]
type Running = { readonly session: Session; readonly rows: SessionRows }

type CellStopDeps = Omit<SessionDeps, 'onRest' | 'onClosed' | 'atRest'> & {
  /** The sessions that this agent has not closed. */
  readonly running: () => Iterable<Running>
  /** Sends a signed answer, if there is a connection that takes it. */
  readonly tell: (report: string) => void
  readonly onChange: () => void
}

type Order = {
  readonly claims: StopOrderClaims
  readonly rest: SessionRest
  /** Safe-stops that an unfinished session makes, by their key. */
  readonly left: ReadonlyMap<string, Session>
  /** A drill beside a session is not begun, and stays so: whoever wants one drills again. */
  readonly busy: boolean
}

/** Ids that one connection remembers; of what is older the time of the order alone decides. */
const rememberedMax = 64

/** What came on one connection: who recorded it can send it again for as long as the connection lives. */
type Seen = { readonly nonce: string; readonly begun: Set<string>; newest_ms: number }

const none: Omit<Answer, 'state'> = { detail: null, asked_ms: null, rested_ms: null }

export class CellStop {
  readonly #deps: CellStopDeps
  #order: Order | null = null
  #seen: Seen = { nonce: '', begun: new Set(), newest_ms: -Infinity }
  #deadline: ReturnType<typeof setTimeout> | undefined
  #seq = 0

  constructor(deps: CellStopDeps) {
    this.#deps = deps
  }

  /** One order, on the connection with this nonce. What is not good is logged and changes nothing. */
  async take(text: string, nonce: string): Promise<void> {
    const { config, log } = this.#deps
    const claims = await this.#verified(text)
    if (claims === null) return log('error', 'stop_order_refused', { why: 'signature' })
    const { aud, sub, cell, cn, iss } = claims
    const mine =
      aud === config.site &&
      sub === config.agent &&
      cell === config.cell &&
      cn === nonce &&
      (config.issuer === undefined || iss === config.issuer)
    if (!mine) return log('error', 'stop_order_refused', { why: 'not for this connection' })
    if (this.#seen.nonce !== nonce) {
      this.#seen = { nonce, begun: new Set(), newest_ms: -Infinity }
    }
    if (this.#order?.claims.stop !== claims.stop) {
      const why = this.#refusal(claims)
      if (why !== null) return log('error', 'stop_order_refused', { why, stop: claims.stop })
      this.#begin(claims)
    }
    this.#remember(claims)
    this.answer()
  }

  /** Why an order that is not the current one does not take its place; null when it does. */
  #refusal({ stop, kind, iat_ms }: StopOrderClaims): string | null {
    if (this.#seen.begun.has(stop)) return 'carried out before'
    if (iat_ms < this.#seen.newest_ms) return 'older than the newest'
    const left = [...(this.#order?.left.values() ?? [])].some((session) => !session.atRest)
    const unconfirmed = this.#order?.claims.kind === 'stop' && (left || !this.confirmed)
    return kind === 'drill' && unconfirmed ? 'a stop is not confirmed' : null
  }

  #remember({ stop, iat_ms }: StopOrderClaims): void {
    const { begun } = this.#seen
    begun.add(stop)
    for (const oldest of begun) {
      if (begun.size <= rememberedMax) break
      begun.delete(oldest)
    }
    this.#seen.newest_ms = Math.max(this.#seen.newest_ms, iat_ms)
  }

  /** False while anything of the cell has not confirmed its rest: no session begins meanwhile. */
  get confirmed(): boolean {
    return this.#order === null || this.#order.rest.confirmed
  }

  /** How the devices that were asked stand. */
  get devices(): readonly DeviceRest[] {
    return this.#order?.rest.devices ?? []
  }

  leave(): void {
    clearTimeout(this.#deadline)
    this.#order?.rest.leave()
  }

  /** A session has come to rest: what was left to it is known now. */
  sessionRested(): void {
    if (this.#order !== null && this.#order.left.size > 0) this.answer()
  }

  /** Tells how the newest order stands; nothing when there is none. */
  answer(): void {
    const order = this.#order
    if (order === null) return
    this.#signed(order, ++this.#seq).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'unknown'
      this.#deps.log('error', 'internal', { error: why })
    })
  }

  async #verified(text: string): Promise<StopOrderClaims | null> {
    // The keys as last seen; asked for again only when they do not know the signature.
    for (const refresh of [false, true]) {
      const keys = await this.#deps.keys.get(refresh)
      if (!keys.ok) continue
      const claims = await verifySigned('stop', text, keys.value)
      if (claims.ok) return claims.value
    }
    return null
  }

  /** Everything of the first group is written in this tick; what runs is halted before it. */
  #begin(claims: StopOrderClaims): void {
    const { stop, kind, calls } = claims
    const unfinished = [...this.#deps.running()].filter(({ session }) => !session.atRest)
    const busy = kind === 'drill' && unfinished.length > 0
    if (kind === 'stop') for (const { session } of unfinished) session.halt('stopped_by_person')
    this.leave()
    const changed = (): void => {
      this.answer()
      this.#deps.onChange()
    }
    const rest = new SessionRest(stop, this.#deps, changed)
    const left = new Map<string, Session>()
    for (const { session, rows } of unfinished) {
      for (const key of movedKeys(rows.nodes())) left.set(key, session)
    }
    this.#order = { claims, rest, left, busy }
    if (busy) return
    for (const call of calls) {
      const here = this.#deps.devices.has(call.server)
      if (here && !left.has(stopKey(call))) rest.want(call, kind)
    }
    // A drill is nobody's danger: what it calls may be another cell's by then.
    if (kind === 'drill') this.#deadline = setTimeout(() => this.#giveUp(rest), drillMs(calls))
    this.#deps.log('warn', 'stop_order', { stop, kind, calls: calls.length })
    this.#deps.onChange()
  }

  /** The drill has had its time: nothing of it is called any more; what has not confirmed is told as it stands. */
  #giveUp(rest: SessionRest): void {
    if (rest.confirmed) return
    rest.leave()
    const devices = rest.devices.filter(({ state }) => state !== 'at_rest')
    const servers = devices.map(({ server }) => server).join(' ')
    this.#deps.log('error', 'drill_given_up', { servers })
    this.answer()
  }

  async #signed(order: Order, seq: number): Promise<void> {
    const { config, signer, bootId, nowMs, tell } = this.#deps
    const { claims } = order
    const report = await signer.stopped({
      sub: config.agent,
      cell: config.cell,
      stop: claims.stop,
      boot_id: bootId,
      seq,
      calls: claims.calls.map((call) => this.#answerOf(order, call)),
      at_ms: nowMs(),
    })
    // A newer word is on its way.
    if (seq === this.#seq) tell(report)
  }

  #answerOf({ rest, left, busy }: Order, call: StopOrderClaims['calls'][number]): Answer {
    if (!this.#deps.devices.has(call.server)) return { ...none, state: 'absent' }
    if (busy) return { ...none, state: 'pending', detail: 'session_running' }
    const key = stopKey(call)
    const session = left.get(key)
    const asked = (session?.rest ?? rest).of(key)
    if (asked !== null) {
      const { state, detail, asked_ms, rested_ms } = asked
      return { state, detail: detail?.slice(0, detailCharsMax) ?? null, asked_ms, rested_ms }
    }
    // The session has come to its end without asking it: it is finishing by itself.
    const finishing = session?.atRest === true
    return finishing
      ? { ...none, state: 'unreachable', detail: 'left_to_finish' }
      : { ...none, state: 'pending' }
  }
}
