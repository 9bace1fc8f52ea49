// Reading a plan that the first version of this object stored: its state as loose facts, one key each. The
// next change writes it anew in the present form; until then nothing is rewritten.

export type FirstVersion = {
  readonly head: unknown
  readonly row: unknown
  readonly linked: unknown
}

/** The facts of the first version in the present form, unchecked; null when there are none. */
export function firstVersion(sql: SqlStorage): FirstVersion | null {
  const has = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'facts'"
  if (sql.exec(has).toArray().length === 0) return null
  const facts = new Map(
    sql
      .exec<{ key: string; value: string }>('SELECT key, value FROM facts')
      .toArray()
      .map(({ key, value }) => [key, value]),
  )
  if (!facts.has('state')) return null
  return {
    head: headOf(facts),
    row: {
      state: stateOf(facts, approvalsIn(sql)),
      decision_digest: facts.get('decision_digest') ?? null,
      told: number(facts, 'version') ?? 0,
    },
    linked: json(facts, 'linked') ?? {},
  }
}

type FactsOf = ReadonlyMap<string, string>

const number = (facts: FactsOf, key: string): number | null => {
  const text = facts.get(key)
  return text === undefined ? null : Number(text)
}

const json = (facts: FactsOf, key: string): unknown => {
  const text = facts.get(key)
  return text === undefined ? null : (JSON.parse(text) as unknown)
}

function approvalsIn(sql: SqlStorage): unknown[] {
  return sql
    .exec<{ approval: string }>('SELECT approval FROM approvals ORDER BY at_ms')
    .toArray()
    .map((row) => JSON.parse(row.approval) as unknown)
}

function headOf(facts: FactsOf): unknown {
  const supersedes = facts.get('supersedes') ?? ''
  return {
    plan_id: facts.get('plan_id'),
    plan_digest: facts.get('plan_digest'),
    submitter: json(facts, 'submitter'),
    supersedes: supersedes === '' ? null : supersedes,
    received_ms: number(facts, 'received_ms'),
  }
}

function stateOf(facts: FactsOf, approvals: unknown[]): unknown {
  const state = facts.get('state') ?? ''
  const session = facts.get('session')
  const run = session === undefined ? null : { session, bound_ms: number(facts, 'bound_ms') }
  const decision = json(facts, 'decision')
  const concern = facts.get('classification') ?? 'none'
  const decided_ms = number(facts, 'decided_ms')
  const standing = decision === null ? null : { decision, concern, decided_ms }
  switch (state) {
    case 'judging':
      // A pass that failed was counted only when it came back; the next is due at once.
      return { state, passes: number(facts, 'failures') ?? 0, next_ms: 0 }
    case 'escalated':
      return { state, standing, approvals, remind_ms: number(facts, 'next_reminder_ms') }
    case 'bound':
      return { state, standing, run }
    case 'completed':
      return { state, standing, run, ended_ms: number(facts, 'ended_ms') }
    case 'terminated': {
      const reason = facts.get('session_reason') ?? null
      const node = facts.get('failed_node') ?? null
      return { state, standing, run, ended_ms: number(facts, 'ended_ms'), reason, node }
    }
    case 'expired':
      return { state, standing, refusal: facts.get('bind_refusal') ?? null, run }
    default:
      return { state, standing }
  }
}
