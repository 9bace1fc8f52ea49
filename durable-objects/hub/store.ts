// The tables of one SiteHub and typed access to them. Everything here is synchronous SQLite: no
// other event gets in between a read and the write that rests on it.
import { agentHealthSchema, type AgentHealth } from '../../protocol/snapshot.ts'
import { policySchema, type Policy } from '../../protocol/policy.ts'
import {
  haltReasonSchema,
  type HaltReason,
  type TerminationReason,
} from '../../protocol/reasons.ts'
import { registrySchema, type Registry } from '../../protocol/registry.ts'
import type { AgentRecord } from '../contracts.ts'

const schema = `
CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS epochs (epoch INTEGER PRIMARY KEY, reason TEXT NOT NULL, by TEXT NOT NULL,
  at_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS agents (agent TEXT PRIMARY KEY, cell TEXT NOT NULL, jkt TEXT NOT NULL,
  jwk TEXT NOT NULL, revoked INTEGER NOT NULL DEFAULT 0, last_seen_ms REAL, boot_id TEXT,
  health TEXT);
CREATE TABLE IF NOT EXISTS cells (cell TEXT PRIMARY KEY, armed_until_ms REAL, armed_by TEXT,
  needs_clearance INTEGER NOT NULL DEFAULT 0, latch_reason TEXT, note TEXT, session TEXT);
CREATE TABLE IF NOT EXISTS queue (plan TEXT PRIMARY KEY, entry TEXT NOT NULL,
  enqueued_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS bindings (plan TEXT PRIMARY KEY, session TEXT NOT NULL UNIQUE,
  cell TEXT NOT NULL, agent TEXT NOT NULL, agent_jkt TEXT NOT NULL, planner TEXT NOT NULL,
  state TEXT NOT NULL, received_ms REAL NOT NULL, started_ms REAL NOT NULL,
  stop_reason TEXT, attempts INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS revoked_planners (planner TEXT PRIMARY KEY, by TEXT NOT NULL,
  at_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS keys (credential TEXT NOT NULL, key TEXT NOT NULL,
  body_digest TEXT NOT NULL, plan TEXT NOT NULL, at_ms REAL NOT NULL,
  PRIMARY KEY (credential, key));
CREATE TABLE IF NOT EXISTS recent (plan TEXT PRIMARY KEY, at_ms REAL NOT NULL, entry TEXT NOT NULL);
`

export type AgentRow = AgentRecord & {
  revoked: boolean
  last_seen_ms: number | null
  boot_id: string | null
  health: AgentHealth | null
}

export type CellRow = {
  cell: string
  armed_until_ms: number | null
  armed_by: string | null
  needs_clearance: boolean
  latch_reason: TerminationReason | null
  session: string | null
}

/** `binding`: the review was asked and has not answered; `refused` and `ended` never come back. */
export type BindingState = 'binding' | 'bound' | 'refused' | 'ended'
export type BindingRow = {
  plan: string
  session: string
  cell: string
  agent: string
  agent_jkt: string
  planner: string
  state: BindingState
  /** When the plan was submitted. */
  received_ms: number
  started_ms: number
  attempts: number
  /** Why the session must end as soon as it exists; null when it may run. */
  stop_reason: HaltReason | null
}

const jwkOf = (text: string): AgentRecord['jwk'] => {
  const value = JSON.parse(text) as { x: string }
  return { kty: 'OKP', crv: 'Ed25519', x: value.x }
}

function bindingOfRow(row: Record<string, SqlStorageValue>): BindingRow {
  return {
    plan: String(row['plan']),
    session: String(row['session']),
    cell: String(row['cell']),
    agent: String(row['agent']),
    agent_jkt: String(row['agent_jkt']),
    planner: String(row['planner']),
    state: String(row['state']) as BindingState,
    received_ms: Number(row['received_ms']),
    started_ms: Number(row['started_ms']),
    attempts: Number(row['attempts']),
    stop_reason:
      row['stop_reason'] === null ? null : haltReasonSchema.parse(String(row['stop_reason'])),
  }
}

/** Typed access to the hub's tables. */
export class HubStore {
  readonly sql: SqlStorage
  private registryCache: { digest: string; registry: Registry } | null = null

  constructor(sql: SqlStorage) {
    this.sql = sql
    sql.exec(schema)
  }

  get(key: string): string | null {
    const row = this.sql
      .exec<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)
      .toArray()[0]
    return row?.value ?? null
  }

  set(key: string, value: string): void {
    this.sql.exec('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)', key, value)
  }

  /** The approved registry, parsed once per digest. */
  registry(): { digest: string; registry: Registry } | null {
    const digest = this.get('registry_digest')
    if (digest === null) return null
    if (this.registryCache?.digest !== digest) {
      const registry = registrySchema.parse(JSON.parse(this.get('registry') ?? '{}'))
      this.registryCache = { digest, registry }
    }
    return this.registryCache
  }

  policy(): { version: string; policy: Policy } | null {
    const version = this.get('policy_version')
    const text = this.get('policy')
    if (version === null || text === null) return null
    return { version, policy: policySchema.parse(JSON.parse(text)) }
  }

  quarantined(): string[] {
    return JSON.parse(this.get('quarantined') ?? '[]') as string[]
  }

  epoch(): number {
    return Number(this.get('epoch') ?? '0')
  }

  /** Raises the revocation epoch; sessions bound under a lower one may not go on. */
  raiseEpoch(reason: HaltReason, by: string, now_ms: number): number {
    const epoch = this.epoch() + 1
    this.set('epoch', String(epoch))
    this.sql.exec(
      'INSERT INTO epochs (epoch, reason, by, at_ms) VALUES (?, ?, ?, ?)',
      epoch,
      reason,
      by,
      now_ms,
    )
    return epoch
  }

  /** Why the epoch first rose above `epoch`. */
  epochReason(epoch: number): TerminationReason {
    const row = this.sql
      .exec<{ reason: string }>('SELECT reason FROM epochs WHERE epoch = ?', epoch + 1)
      .toArray()[0]
    return (row?.reason as TerminationReason | undefined) ?? 'epoch_revoked'
  }

  agents(): AgentRow[] {
    return this.sql
      .exec('SELECT * FROM agents ORDER BY agent')
      .toArray()
      .map((row) => ({
        agent: String(row['agent']),
        cell: String(row['cell']),
        jkt: String(row['jkt']),
        jwk: jwkOf(String(row['jwk'])),
        revoked: row['revoked'] === 1,
        last_seen_ms: row['last_seen_ms'] === null ? null : Number(row['last_seen_ms']),
        boot_id: row['boot_id'] === null ? null : String(row['boot_id']),
        health:
          row['health'] === null
            ? null
            : agentHealthSchema.parse(JSON.parse(String(row['health']))),
      }))
  }

  agent(name: string): AgentRow | null {
    return this.agents().find((row) => row.agent === name) ?? null
  }

  cells(): CellRow[] {
    return this.sql
      .exec('SELECT * FROM cells ORDER BY cell')
      .toArray()
      .map((row) => ({
        cell: String(row['cell']),
        armed_until_ms: row['armed_until_ms'] === null ? null : Number(row['armed_until_ms']),
        armed_by: row['armed_by'] === null ? null : String(row['armed_by']),
        needs_clearance: row['needs_clearance'] === 1,
        latch_reason:
          row['latch_reason'] === null ? null : (String(row['latch_reason']) as TerminationReason),
        session: row['session'] === null ? null : String(row['session']),
      }))
  }

  cell(name: string): CellRow | null {
    return this.cells().find((row) => row.cell === name) ?? null
  }

  bindings(state: BindingState): BindingRow[] {
    return this.sql
      .exec('SELECT * FROM bindings WHERE state = ? ORDER BY started_ms', state)
      .toArray()
      .map(bindingOfRow)
  }

  /** The binding of one session, if the hub made it. */
  bindingOf(session: string): BindingRow | null {
    const row = this.sql.exec('SELECT * FROM bindings WHERE session = ?', session).toArray()[0]
    return row === undefined ? null : bindingOfRow(row)
  }

  /** True when the planner's credential was revoked at or after a plan of it was submitted. */
  plannerRevokedSince(planner: string, submitted_ms: number): boolean {
    const rows = this.sql.exec(
      'SELECT 1 FROM revoked_planners WHERE planner = ? AND at_ms >= ?',
      planner,
      submitted_ms,
    )
    return rows.toArray().length > 0
  }
}
