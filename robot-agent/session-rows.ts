// What one session has done, in memory and in the ledger. Memory is what a stop goes by: which devices
// were moved must be known when the disk has failed. Only what leads to motion waits for the disk.
import { err, ok, type Result } from '../protocol/result.ts'
import type { KeptLedger, LedgerFailed } from './kept-ledger.ts'
import type { NodeRow } from './ledger.ts'
import type { NodeEnd } from './machine-types.ts'

const nothingTold = { report: null, acked: false, result: null } as const

export class SessionRows {
  readonly #session: string
  readonly #ledger: KeptLedger
  readonly #rows: Map<string, NodeRow>

  constructor(session: string, ledger: KeptLedger, rows: readonly NodeRow[]) {
    this.#session = session
    this.#ledger = ledger
    this.#rows = new Map(rows.map((row) => [row.nid, row]))
  }

  nodes(): NodeRow[] {
    return [...this.#rows.values()]
  }

  node(nid: string): NodeRow | null {
    return this.#rows.get(nid) ?? null
  }

  /** True when a call was ever made on the strength of this token, by any process of this agent. */
  isUsed(jti: string): Result<boolean, LedgerFailed> {
    return this.#ledger.before((ledger) => ledger.isUsed(jti))
  }

  received(
    row: Pick<NodeRow, 'nid' | 'jti' | 'ctx' | 'tool' | 'started_ms'>,
  ): Result<void, LedgerFailed | 'already_executed'> {
    const session = this.#session
    const written = this.#ledger.before((ledger) => ledger.received({ ...row, session }))
    if (!written.ok) return written
    if (!written.value) return err('already_executed')
    if (!this.#rows.has(row.nid)) {
      const fresh = { state: 'received', outcome: null, reason: null, actuated: false } as const
      this.#rows.set(row.nid, { ...row, session, ...fresh, ...nothingTold })
    }
    return ok(undefined)
  }

  started(nid: string, nowMs: number): Result<void, LedgerFailed> {
    const written = this.#ledger.before((ledger) => ledger.started(this.#session, nid, nowMs))
    const row = this.#rows.get(nid)
    if (written.ok && (row?.state === 'received' || row?.state === 'started')) {
      this.#change(nid, { state: 'started', started_ms: nowMs })
    }
    return written
  }

  /** The last durable word before the call; anything but `true` means that there must be no call. */
  actuated(
    nid: string,
    at: { readonly boot_id: string; readonly now_ms: number },
  ): Result<boolean, LedgerFailed> {
    const fresh = this.#ledger.before((ledger) => ledger.actuated(this.#session, nid, at))
    if (fresh.ok && fresh.value) this.#change(nid, { state: 'actuated', actuated: true })
    return fresh
  }

  /** In memory now, on disk as soon as the disk takes it: no report and no stop waits for this. */
  ended(end: NodeEnd, told: { report: string; result: string | null }, nowMs: number): void {
    const { nid, outcome, reason } = end
    this.#change(nid, { state: 'ended', outcome, reason, ...told })
    const row = { outcome, reason, ...told, now_ms: nowMs }
    this.#ledger.after((ledger) => ledger.ended(this.#session, nid, row))
  }

  acked(nid: string): void {
    this.#change(nid, { acked: true })
    this.#ledger.after((ledger) => ledger.acked(this.#session, nid))
  }

  /** A start that never reached the gateway and never moved anything may be made again. */
  forget(nid: string): void {
    if (this.#rows.get(nid)?.actuated === false) this.#rows.delete(nid)
    this.#ledger.after((ledger) => ledger.forget(this.#session, nid))
  }

  #change(nid: string, change: Partial<NodeRow>): void {
    const row = this.#rows.get(nid)
    if (row !== undefined) this.#rows.set(nid, { ...row, ...change })
  }
}
