// The node in flight: its token, its start, its `go`, its call. One object per session; everything here
// belongs to the node that the machine names and is replaced with the next.
import { setTimeout as sleep } from 'node:timers/promises'
import { goIsLate, verifyGo, type Elapsed } from '../contain/go.ts'
import type { VerifyKeys } from '../contain/keys.ts'
import type { AcceptedWelcome } from '../contain/receipt.ts'
import { canonicalForm, digestCanonical } from '../protocol/digest.ts'
import type { Feature } from '../protocol/features.ts'
import type { NodeProgress } from '../protocol/frames.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { MissedRead, Outcome } from '../protocol/tokens.ts'
import type { ToolRow } from '../protocol/tool-row.ts'
import { parseTraceparent, spanIdOf, traceparentOf, type TraceContext } from '../protocol/trace.ts'
import type { CallOutcome } from './answer.ts'
import type { MachineEvent, NodeEnd } from './machine-types.ts'
import { skippedEnd, storedResults } from './node-decide.ts'
import { checkReleased, type NodeRefusal, type ReadyNode, type Released } from './node-checks.ts'
import type { PartStore } from './part-store.ts'
import {
  claimsOf,
  oldReading,
  readSensors,
  type Sensors,
  type TakenRead,
} from './precondition-reads.ts'
import type { ProgressTeller } from './progress.ts'
import type { SessionRest } from './rest.ts'
import { resultOf } from './result-of.ts'
import type { SessionDeps } from './session-deps.ts'
import type { SessionRows } from './session-rows.ts'

/** Before a start nothing is urgent: a server or the pins may need this long after a restart. */
const readyWaitMs = 10_000
/** A held tool that does not end by its safe-stop is cancelled so long after it was written. */
const holdCancelMs = 2_000

/** The start that is out: what a `go` must repeat, since when, and the list that is being read. */
type Started = {
  readonly reads: readonly TakenRead[]
  readonly nonce: string
  readonly sentMs: number
  readonly sentWallMs: number
}

type NotActuated = Extract<MachineEvent, { type: 'not_actuated' }>

/** What the session knows when a node is checked. */
export type NodeContext = {
  readonly bound: AcceptedWelcome
  readonly keys: VerifyKeys
  readonly welcomed: ReadonlyMap<string, NodeProgress>
  readonly outcomes: ReadonlyMap<string, Outcome>
}

type Checked = Extract<MachineEvent, { type: 'token_good' | 'token_skipped' }>

export class NodeRun {
  readonly #session: string
  readonly #deps: SessionDeps
  #released: Released | null = null
  #ready: ReadyNode | null = null
  #started: Started | null = null
  #reads: readonly TakenRead[] = []
  #goText: string | null = null
  #trace: TraceContext | null = null
  #call: AbortController | null = null
  readonly #rows: SessionRows
  /** The signed rows of the session. */
  #all: readonly ToolRow[] = []
  /** Server → the connection on which this session has moved it. */
  readonly #movedOn = new Map<string, number>()

  constructor(session: string, rows: SessionRows, deps: SessionDeps) {
    this.#session = session
    this.#rows = rows
    this.#deps = deps
  }

  release(frame: Released): void {
    this.#released = frame
  }

  /** To which trace the calls belong; a gateway of before says nothing of it. */
  traced(traceparent: string | undefined): void {
    this.#trace = parseTraceparent(traceparent)
  }

  go(text: string): void {
    this.#goText = text
  }

  /**
   * The eight checks and everything beside them; on success the row is in the ledger, and the node is to be
   * started or to be skipped.
   */
  async check(context: NodeContext): Promise<Result<Checked, NodeRefusal>> {
    const { config, signer, devices, nowMs, log } = this.#deps
    const released = this.#released
    if (released === null) throw new TypeError('a check without a token')
    const { bound } = context
    const ready = await checkReleased(released, {
      ...context,
      jkt: signer.jkt,
      nowMs: nowMs(),
      sandboxes: config.sandboxes,
      isUsed: (jti) => this.#rows.isUsed(jti),
      results: storedResults(this.#rows, bound.context.plan),
      note: (failure, facts) =>
        log('error', 'check_failed', {
          session: this.#session,
          failure,
          facts: JSON.stringify(facts),
        }),
    })
    if (!ready.ok) return ready
    const { pinned, claims, node } = ready.value
    this.#all = [...bound.rows.values()]
    const { decision } = ready.value
    if (decision.do === 'run') {
      const problem = await devices.ready(pinned, this.#all, readyWaitMs)
      if (problem !== null) return err({ reason: problem, detail: pinned.tool })
      if (!this.#sameInstance(pinned.server)) return err(restarted(pinned.server))
    }
    this.#ready = ready.value
    this.#reads = []
    const kept = this.#rows.received({
      nid: node.id,
      jti: claims.jti,
      ctx: bound.ctx,
      tool: pinned,
      started_ms: nowMs(),
    })
    if (kept.ok) {
      return ok(
        decision.do === 'run'
          ? { type: 'token_good', nid: node.id }
          : { type: 'token_skipped', end: skippedEnd(node.id, decision.values) },
      )
    }
    const reason = kept.error === 'ledger_failed' ? 'ledger_failed' : 'token_invalid'
    return err({ reason, detail: kept.error })
  }

  /** True when sensors must be read before the call. */
  get hasSensors(): boolean {
    return (this.#ready?.pinned.preconditions ?? []).length > 0
  }

  /**
   * Reads the sensors of the node's row, if it has any. Only after every check of its token; `wanted` turns
   * false once nobody waits for the node.
   */
  async readSensors(wanted: () => boolean): Promise<Result<void, MissedRead>> {
    const { devices, nowMs, monotonicMs } = this.#deps
    const ready = this.#ready
    if (ready === null) throw new TypeError('a reading without a token')
    const { pinned, node } = ready
    const preconditions = pinned.preconditions ?? []
    const rows = new Map(this.#all.map((row) => [row.tool, row]))
    for (const name of new Set(preconditions.map(({ tool }) => tool))) {
      const reader = rows.get(name)
      // What is wrong with it is said by the reading, which then cannot be taken.
      if (reader !== undefined) await devices.ready(reader, this.#all, readyWaitMs)
    }
    const read: Sensors['read'] = (reader, { args }, ms) => {
      if (devices.problem(reader, this.#all) !== null) return Promise.resolve(null)
      const { signal } = new AbortController()
      const about = { session: this.#session, nid: node.id, signal, checked: true }
      return devices.call({ pinned: reader, args, ...about, reading: { ms } })
    }
    const taken = await readSensors(preconditions, rows, { nowMs, monotonicMs, read, wanted })
    if (!taken.ok) return taken
    this.#reads = taken.value
    return ok(undefined)
  }

  /** Signs the start for the connection with nonce `cn`; null when its moment has passed. */
  async start(
    cn: string,
    stillWanted: () => boolean,
  ): Promise<{ token: string; start: string; tool: string } | null> {
    const { config, signer, nowMs, monotonicMs, newId } = this.#deps
    const ready = this.#ready
    const released = this.#released
    if (ready === null || released === null) throw new TypeError('a start without a token')
    const { claims, node } = ready
    const nonce = newId('nonce')
    const reads = this.#reads
    const told = reads.length === 0 ? {} : { reads: claimsOf(reads, this.#deps) }
    const start = await signer.start({
      sub: config.agent,
      sid: this.#session,
      nid: node.id,
      jti: claims.jti,
      ctx: claims.ctx,
      nonce,
      cn,
      iat_ms: nowMs(),
      ...told,
    })
    // A start that cannot be written down is not sent: the ledger's failure ends the session.
    if (!stillWanted() || !this.#rows.started(node.id, nowMs()).ok) return null
    this.#started = { nonce, reads, sentMs: monotonicMs(), sentWallMs: nowMs() }
    return { token: released.token, start, tool: node.tool }
  }

  /** Verifies the `go` that came. */
  async checkGo(nid: string, keys: VerifyKeys): Promise<MachineEvent> {
    const ready = this.#ready
    const started = this.#started
    const text = this.#goText
    this.#goText = null
    if (ready === null || started === null || text === null) {
      return { type: 'go_refused', nid, reason: 'go_mismatch' }
    }
    const now_ms = this.#deps.nowMs()
    const elapsed = this.#elapsed(started)
    const { claims: token, args_digest: args } = ready
    const expected = { token, args, nonce: started.nonce, elapsed, now_ms }
    const go = await verifyGo(text, expected, keys)
    return go.ok
      ? { type: 'go_good', nid, policy: ready.pinned.orphan_policy }
      : { type: 'go_refused', nid, reason: go.error }
  }

  /**
   * One tick: age of the `go`, pin, ledger, call. Nothing can come between them; the caller has looked
   * at its halt flag in the same tick.
   */
  actuate(
    nid: string,
    features: readonly Feature[],
    teller: ProgressTeller,
  ): Result<Promise<CallOutcome>, NotActuated> {
    const { devices, bootId, nowMs } = this.#deps
    const ready = this.#ready
    const started = this.#started
    if (ready === null || started === null) throw new TypeError('a go without a start')
    const { pinned, decision } = ready
    // Invariant: a start is only signed for a node that runs.
    if (decision.do !== 'run') throw new TypeError('a go for a node that is skipped')
    const { args } = decision
    const no = (reason: string) => err({ type: 'not_actuated', nid, reason, abort: null } as const)
    const late = () => goIsLate(this.#elapsed(started))
    if (late()) return no('go_late')
    const old = this.#oldReading(nid, started)
    if (old !== null) return err(old)
    const problem = this.#sameInstance(pinned.server)
      ? devices.problem(pinned, this.#all)
      : 'server_restarted'
    if (problem !== null) return err({ type: 'not_actuated', nid, reason: problem, abort: problem })
    const at = { boot_id: bootId, now_ms: nowMs() }
    const fresh = this.#rows.actuated(nid, at)
    if (!fresh.ok) return no(fresh.error)
    if (!fresh.value) return no('already_executed')
    // The disk may have been slow: the half second counts to this very line.
    if (late()) return no('go_late')
    const older = this.#oldReading(nid, started)
    if (older !== null) return err(older)
    this.#movedOn.set(pinned.server, devices.instance(pinned.server))
    const call = new AbortController()
    this.#call = call
    const session = this.#session
    const checked = features.includes('result-checks')
    const { signal } = call
    const ears = teller.of(nid)
    const trace = this.#trace
    const traceparent = trace && traceparentOf(trace, spanIdOf(trace, 'step', session, nid))
    return ok(devices.call({ pinned, args, session, nid, signal, checked, ears, traceparent }))
  }

  /** A reading that has grown too old since it was asked for; null when none has. */
  #oldReading(nid: string, { reads }: Started): NotActuated | null {
    const missed = oldReading(reads, this.#deps)
    if (missed === null) return null
    return { type: 'not_actuated', nid, reason: 'precondition_unmet', abort: null, missed }
  }

  #elapsed({ sentMs, sentWallMs }: Started): Elapsed {
    const { nowMs, monotonicMs } = this.#deps
    return { monotonic_ms: monotonicMs() - sentMs, wall_ms: nowMs() - sentWallMs }
  }

  /** A server that this session has moved is gone, or is another process now; null when none is. */
  lostServer(): string | null {
    for (const server of this.#movedOn.keys()) if (!this.#sameInstance(server)) return server
    return null
  }

  /** What was done on one process of a server is not continued on another. */
  #sameInstance(server: string): boolean {
    const before = this.#movedOn.get(server)
    return before === undefined || before === this.#deps.devices.instance(server)
  }

  cancel(): void {
    this.#call?.abort()
  }

  /** The safe-stop of a held tool, at once; a call that does not end by it is cancelled. */
  async stopHeld(rest: SessionRest, stillRuns: () => boolean): Promise<void> {
    const pinned = this.#ready?.pinned
    const listed = pinned?.safe_stop ?? null
    if (pinned !== undefined && listed !== null) {
      rest.want({ server: pinned.server, ...listed }, 'hold_over')
      await sleep(holdCancelMs, undefined, { ref: false })
    }
    if (stillRuns()) this.cancel()
  }
}

const restarted = (server: string): NodeRefusal => ({ reason: 'server_restarted', detail: server })

/** How a call ended, as a node's end, and what the device answered, canonical. */
export async function endOf(
  nid: string,
  call: Promise<CallOutcome>,
  parts: PartStore,
): Promise<{ end: NodeEnd; answer: string | null }> {
  const { outcome, reason, result } = await call
  const base = { nid, outcome, reason, actuated: true }
  if (result === null) return { end: { ...base, result_digest: null }, answer: null }
  const taken = resultOf(result)
  // The report does not wait for a disk that writes an image.
  parts.keep(taken.parts)
  const answer = canonicalForm(taken.result)
  return { end: { ...base, result_digest: await digestCanonical('result', answer) }, answer }
}
