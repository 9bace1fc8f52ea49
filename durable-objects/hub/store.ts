// Typed access to the tables of one SiteHub. Everything here is synchronous SQLite: no other event gets
// in between a read and the write that rests on it.
import type { AgentHealth } from '../../protocol/snapshot.ts'
import { policySchema, type Policy } from '../../protocol/policy.ts'
import type { HaltReason, TerminationReason } from '../../protocol/reasons.ts'
import { registrySchema, type Registry } from '../../protocol/registry.ts'
import type { CellChange, LatchReason } from '../../protocol/status.ts'
import type { AgentRecord } from '../contracts.ts'
import { readHealth, readTexts } from './lenient.ts'
import { prepareSchema } from './schema.ts'

export type AgentRow = AgentRecord & {
  revoked: boolean
  last_seen_ms: number | null
  boot_id: string | null
  health: AgentHealth | null
}

/** An agent without what it said of its devices: nothing has to be parsed to find it. */
export type AgentKey = Pick<AgentRow, 'agent' | 'cell' | 'jkt' | 'revoked' | 'boot_id'>

export type CellRow = {
  cell: string
  armed_until_ms: number | null
  armed_by: string | null
  armed_boot: string | null
  needs_clearance: boolean
  latch_reason: LatchReason | null
  session: string | null
  /** Rises with everything that a person may have to acknowledge. */
  change: number
  change_what: CellChange | null
  change_by: string | null
  change_ms: number | null
  /** Who stopped the cell: nothing starts in it before a person lets it. */
  held: string | null
  /** Devices that have not been reported at rest since the last abnormal end. */
  not_at_rest: string[]
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
  owner: string
  state: BindingState
  /** When the plan was submitted. */
  received_ms: number
  started_ms: number
  attempts: number
  /** Why the session must end as soon as it exists; null when it may run. */
  stop_reason: HaltReason | null
  /** Credentials that submitted or approved the plan: it falls with any of them. */
  rests_on: string[]
  physical: boolean
  /** When an unanswered binding is asked again. */
  next_ms: number | null
}

const text = (value: SqlStorageValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value)
const number = (value: SqlStorageValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

const jwkOf = (json: string): AgentRecord['jwk'] => {
  const value = JSON.parse(json) as { x: string }
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
    owner: text(row['owner']) ?? '',
    state: String(row['state']) as BindingState,
    received_ms: Number(row['received_ms']),
    started_ms: Number(row['started_ms']),
    attempts: Number(row['attempts']),
    // A word of a later release is still a wish to stop.
    stop_reason: text(row['stop_reason']) as HaltReason | null,
    rests_on: readTexts(row['rests_on']),
    physical: row['physical'] !== 0,
    next_ms: number(row['next_ms']),
  }
}

const keyOfRow = (row: Record<string, SqlStorageValue>): AgentKey => ({
  agent: String(row['agent']),
  cell: String(row['cell']),
  jkt: String(row['jkt']),
  revoked: row['revoked'] === 1,
  boot_id: text(row['boot_id']),
})

function cellOfRow(row: Record<string, SqlStorageValue>): CellRow {
  return {
    cell: String(row['cell']),
    armed_until_ms: number(row['armed_until_ms']),
    armed_by: text(row['armed_by']),
    armed_boot: text(row['armed_boot']),
    needs_clearance: row['needs_clearance'] === 1,
    latch_reason: text(row['latch_reason']) as LatchReason | null,
    session: text(row['session']),
    change: Number(row['change'] ?? 0),
    change_what: text(row['change_what']) as CellChange | null,
    change_by: text(row['change_by']),
    change_ms: number(row['change_ms']),
    held: text(row['held']),
    not_at_rest: readTexts(row['not_at_rest']),
  }
}

/** Typed access to the hub's tables. */
export class HubStore {
  readonly sql: SqlStorage
  /** Rises with every write through `write`: what is kept in memory is read again after one. */
  writes = 0
  private registryCache: { digest: string; registry: Registry | null } | null = null
  private policyCache: { version: string; policy: Policy | null } | null = null
  private readonly healthCache = new Map<string, { text: string; health: AgentHealth | null }>()

  constructor(sql: SqlStorage) {
    this.sql = sql
    prepareSchema(sql)
  }

  /** A statement that changes something on which authority rests. Returns the rows that it wrote. */
  write(statement: string, ...values: SqlStorageValue[]): number {
    this.writes++
    return this.sql.exec(statement, ...values).rowsWritten
  }

  get(key: string): string | null {
    const row = this.sql
      .exec<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)
      .toArray()[0]
    return row?.value ?? null
  }

  set(key: string, value: string): void {
    this.write('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)', key, value)
  }

  /**
   * The approved registry, parsed once per digest. One that this release cannot read in full is no
   * registry: what it does not know of may be a restriction.
   */
  registry(): { digest: string; registry: Registry } | null {
    const digest = this.get('registry_digest')
    if (digest === null) return null
    if (this.registryCache?.digest !== digest) {
      const read = registrySchema.safeParse(JSON.parse(this.get('registry') ?? '{}'))
      if (!read.success) console.error(JSON.stringify({ event: 'registry_unreadable', digest }))
      this.registryCache = { digest, registry: read.success ? read.data : null }
    }
    const { registry } = this.registryCache
    return registry === null ? null : { digest, registry }
  }

  /** The policy; null when there is none that this release can read in full. */
  policy(): { version: string; policy: Policy } | null {
    const version = this.get('policy_version')
    if (version === null) return null
    if (this.policyCache?.version !== version) {
      const read = policySchema.safeParse(JSON.parse(this.get('policy') ?? 'null'))
      if (!read.success) console.error(JSON.stringify({ event: 'policy_unreadable', version }))
      this.policyCache = { version, policy: read.success ? read.data : null }
    }
    const { policy } = this.policyCache
    return policy === null ? null : { version, policy }
  }

  quarantined(): string[] {
    return readTexts(this.get('quarantined') ?? '[]')
  }

  epoch(): number {
    return Number(this.get('epoch') ?? '0')
  }

  /** Raises the revocation epoch; sessions bound under a lower one may not go on. */
  raiseEpoch(reason: HaltReason, by: string, now_ms: number, least = 0): number {
    const epoch = Math.max(this.epoch(), least) + 1
    this.set('epoch', String(epoch))
    this.write(
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
      .exec<{ reason: string }>(
        'SELECT reason FROM epochs WHERE epoch > ? ORDER BY epoch LIMIT 1',
        epoch,
      )
      .toArray()[0]
    return (row?.reason as TerminationReason | undefined) ?? 'epoch_revoked'
  }

  agents(): AgentRow[] {
    return this.sql
      .exec('SELECT * FROM agents ORDER BY agent')
      .toArray()
      .map((row) => this.agentOfRow(row))
  }

  agent(name: string): AgentRow | null {
    const row = this.sql.exec('SELECT * FROM agents WHERE agent = ?', name).toArray()[0]
    return row === undefined ? null : this.agentOfRow(row)
  }

  /** Every agent by name and key alone. */
  agentKeys(): AgentKey[] {
    return this.sql
      .exec('SELECT agent, cell, jkt, revoked, boot_id FROM agents ORDER BY agent')
      .toArray()
      .map(keyOfRow)
  }

  private agentOfRow(row: Record<string, SqlStorageValue>): AgentRow {
    const key = keyOfRow(row)
    return {
      ...key,
      jwk: jwkOf(String(row['jwk'])),
      last_seen_ms: number(row['last_seen_ms']),
      health: this.healthOf(key.agent, text(row['health'])),
    }
  }

  /** Parsed when it changes, not whenever it is looked at. */
  private healthOf(agent: string, json: string | null): AgentHealth | null {
    if (json === null) return null
    const known = this.healthCache.get(agent)
    if (known?.text === json) return known.health
    const health = readHealth(json)
    this.healthCache.set(agent, { text: json, health })
    return health
  }

  cells(): CellRow[] {
    return this.sql.exec('SELECT * FROM cells ORDER BY cell').toArray().map(cellOfRow)
  }

  cell(name: string): CellRow | null {
    const row = this.sql.exec('SELECT * FROM cells WHERE cell = ?', name).toArray()[0]
    return row === undefined ? null : cellOfRow(row)
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

  /** When a session ended; null while it runs, and for one that the hub does not know. */
  endedOf(session: string): number | null {
    const row = this.sql
      .exec<{ at: number | null }>('SELECT ended_ms AS at FROM bindings WHERE session = ?', session)
      .toArray()[0]
    return row?.at ?? null
  }
}
