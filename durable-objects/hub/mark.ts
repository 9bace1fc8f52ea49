// How a hub notices that its storage, or D1, was set back to an earlier moment: the number of its last trail entry
// only rises, and D1 keeps a copy of it. A hub that wakes with a lower one has forgotten what happened
// since – latches, stops, revocations – so every cell comes back latched, and what D1 knows is taken over.
import type { JsonObject } from '../../protocol/json.ts'
import { policySchema } from '../../protocol/policy.ts'
import { digest } from '../../protocol/digest.ts'
import { auditHead } from '../audit-log.ts'
import type { Env } from '../env.ts'
import { setLatched } from './cells.ts'
import { repairDatabase } from './database-restored.ts'
import { disarmArmedBy, noteRevoked } from './credentials.ts'
import { enrol } from './enrol.ts'
import { callMs, inTime } from '../limited.ts'
import { forgetDue, unforgotten, wishForgotten } from './forgetting.ts'
import { forgetProven } from './proven.ts'
import type { HubStore } from './store.ts'

const by = 'gateway'
/** The copy may lag by so much: a few entries lost make no difference to an hour lost. */
const tellAfterMs = 1_000
/** D1 that is down is asked again. */
const askAgainMs = 5_000

/** D1 that hangs is asked again, as one that is down. */
const toD1 = <T>(asked: Promise<T>): Promise<T> =>
  inTime(asked, callMs['hub: storage mark'], 'hub: storage mark')

const markOf = (store: HubStore): number => (auditHead(store.sql)?.seq ?? -1) + 1

/** The number that D1 has; null where it does not know the site. Throws when D1 is down. */
async function markInDatabase(env: Env, site: string): Promise<number | null> {
  const db = env.DB.withSession('first-primary')
  const sql = 'SELECT hub_mark FROM sites WHERE site = ?'
  return db.prepare(sql).bind(site).first<number>('hub_mark')
}

/**
 * Whether D1 has forgotten a number that it once took: then it was set back, and is told again what the hub
 * knows. Answers with what was found, for the trail; null when nothing was lost.
 */
async function mendDatabase(
  env: Env,
  store: HubStore,
  { site, known }: { site: string; known: number | null },
): Promise<{ told: number; known: number } | null> {
  const told = Number(store.get('mark_told') ?? '0')
  if (known === null || known >= told) return null
  await toD1(repairDatabase(env, store, site, Date.now()))
  return { told, known }
}

/** Tells D1 the present number, when it has risen. Throws when D1 is down. */
async function tellMark(env: Env, store: HubStore, site: string): Promise<void> {
  const mark = markOf(store)
  await env.DB.prepare('UPDATE sites SET hub_mark = ?1 WHERE site = ?2 AND hub_mark < ?1')
    .bind(mark, site)
    .run()
  store.sql.exec(
    `INSERT OR REPLACE INTO settings (key, value) VALUES ('mark_told', ?)`,
    String(mark),
  )
}

/** True while D1 does not know the present number. */
const markUntold = (store: HubStore): boolean =>
  Number(store.get('mark_told') ?? '0') < markOf(store)

type Known = { agent: string; cell: string; jkt: string; jwk: string; revoked_ms: number | null }
type Revoked = { id: string; role: string; subject: string; owner: string; revoked_ms: number }

/**
 * Compares with D1 and, when storage was set back, takes the careful state. Answers with what was found,
 * for the trail; null when nothing was lost. Throws when D1 is down: then it is asked again.
 */
async function compareMark(
  env: Env,
  store: HubStore,
  { site, had, known }: { site: string; had: number; known: number | null },
): Promise<{ had: number; known: number } | null> {
  if (known === null || known <= had) return null
  const db = env.DB.withSession('first-primary')
  const agents = await db
    .prepare('SELECT agent, cell, jkt, jwk, revoked_ms FROM agents WHERE site = ?')
    .bind(site)
    .all<Known>()
  const revoked = await db
    .prepare(
      `SELECT id, role, subject, owner, revoked_ms FROM credentials
         WHERE site = ? AND revoked_ms IS NOT NULL`,
    )
    .bind(site)
    .all<Revoked>()
  const now_ms = Date.now()
  if (store.get('site') === null) await begin(store, site)
  // Above every epoch of the time that is lost: each rise of it had an entry of its own.
  store.raiseEpoch('epoch_revoked', by, now_ms, known)
  for (const { agent, cell, jkt, jwk, revoked_ms } of agents.results) {
    const { x } = JSON.parse(jwk) as { x: string }
    if (revoked_ms !== null) store.write('UPDATE agents SET revoked = 1 WHERE agent = ?', agent)
    else enrol(store, { agent, cell, jkt, jwk: { kty: 'OKP', crv: 'Ed25519', x } })
  }
  for (const { id: credential, ...rest } of revoked.results) {
    noteRevoked(store, { credential, ...rest }, by)
    disarmArmedBy(store, credential, { by, now_ms })
  }
  forgetProven(store, by, now_ms)
  for (const { cell } of store.cells()) {
    setLatched(store, cell, { reason: 'site_restored', what: 'site_restored', by, now_ms })
    store.write('UPDATE cells SET held = ? WHERE cell = ?', by, cell)
  }
  return { had, known }
}

/** D1 takes the number of the restored trail as it is now: it goes on from there. */
async function acceptMark(env: Env, store: HubStore, site: string): Promise<void> {
  await env.DB.prepare('UPDATE sites SET hub_mark = ? WHERE site = ?')
    .bind(markOf(store), site)
    .run()
}

/** A hub without any state: it is given what every site begins with, and no registry. */
export async function begin(store: HubStore, site: string): Promise<void> {
  const policy = policySchema.parse({})
  const version = await digest('policy', policy)
  store.set('site', site)
  store.set('policy', JSON.stringify(policy))
  store.set('policy_version', version)
}

export type ContinuityDeps = {
  env: Env
  store: HubStore
  /** The object's own name; null where the platform does not tell it. */
  name: string | null
  trail: (event: string, facts: JsonObject) => Promise<void>
  /** Tells the people of the site. */
  tell: (event: 'database_restored', facts: JsonObject) => void
  dispatch: () => void
}

/** How long a question before a `go` waits for the comparison with D1. */
const compareMs = 1_000

/** Whether the storage of this hub is the one that it had, compared once in the life of the object. */
export class Continuity {
  /** True once D1 was asked: nothing is handed out before. */
  known = false
  /** The number with which this storage was found: what is written before D1 answers does not count. */
  private readonly had: number
  private readonly deps: ContinuityDeps
  private comparing: Promise<void> | null = null

  constructor(deps: ContinuityDeps) {
    this.deps = deps
    const { store } = deps
    this.had = Math.min(markOf(store), Number(store.get('mark_found') ?? Infinity))
  }

  compare(): Promise<void> {
    this.comparing ??= this.ask().finally(() => (this.comparing = null))
    return this.comparing
  }

  /** Waits for the comparison, but not longer than that: a question before a `go` cannot wait long. */
  async settled(): Promise<void> {
    if (!this.known) await inTime(this.compare(), compareMs).catch(() => undefined)
  }

  async onTime(): Promise<void> {
    if (!this.known) return this.compare()
    const { env, store, dispatch } = this.deps
    if (await forgetDue(env, store)) dispatch()
    const site = store.get('site')
    if (site === null || !markUntold(store)) return
    await this.mend(site, await toD1(markInDatabase(env, site)))
    await toD1(tellMark(env, store, site))
  }

  nextDue(): number | null {
    if (!this.known) return Date.now() + askAgainMs
    if (unforgotten(this.deps.store).size > 0) return Date.now() + askAgainMs
    return markUntold(this.deps.store) ? Date.now() + tellAfterMs : null
  }

  private async ask(): Promise<void> {
    const { env, store, name, trail, dispatch } = this.deps
    const site = store.get('site') ?? name
    // A hub that nobody has set up yet has nothing that could be lost.
    if (site !== null) {
      // Before anything is awaited: a next life of this object, after a crash too, must not take for its
      // own what this one writes meanwhile.
      store.sql.exec(
        `INSERT OR IGNORE INTO settings (key, value) VALUES ('mark_found', ?)`,
        String(this.had),
      )
      const known = await toD1(markInDatabase(env, site))
      const lost = await toD1(compareMark(env, store, { site, had: this.had, known }))
      if (lost !== null) {
        await trail('site_restored', lost)
        for (const { cell } of store.cells()) wishForgotten(store, cell, 'site_restored')
        await toD1(acceptMark(env, store, site))
        await forgetDue(env, store)
      } else await this.mend(site, known)
      store.sql.exec(`DELETE FROM settings WHERE key = 'mark_found'`)
    }
    this.known = true
    dispatch()
  }

  /** D1 as it was at an earlier moment must not bring back what was withdrawn since. */
  private async mend(site: string, known: number | null): Promise<void> {
    const { env, store, trail } = this.deps
    const lost = await mendDatabase(env, store, { site, known })
    if (lost === null) return
    await trail('database_restored', lost)
    this.deps.tell('database_restored', lost)
    // From here on D1 is not behind any more: it is said once.
    await toD1(tellMark(env, store, site))
  }

  /** What is known of the things in a cell is not known any more. */
  async forget(cell: string, why: string): Promise<void> {
    const { env, store, dispatch } = this.deps
    wishForgotten(store, cell, why)
    await forgetDue(env, store)
    dispatch()
  }
}
