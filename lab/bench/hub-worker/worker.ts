// The thread of one hub in workerd: how long a question before a `go` takes when snapshots of a full
// window were asked for just before it. Two ways over the same rows: as the hub does it, with the window
// and what decides a `go` in memory; and read and checked afresh at every question.
import { DurableObject } from 'cloudflare:workers'
import { answerSnapshot } from '../../../durable-objects/hub/door.ts'
import { Gate } from '../../../durable-objects/hub/gate.ts'
import { begin } from '../../../durable-objects/hub/mark.ts'
import { HubStore } from '../../../durable-objects/hub/store.ts'
import { agentHealthSchema, windowEntrySchema } from '../../../protocol/snapshot.ts'

type Env = { HUB: DurableObjectNamespace<BenchHub> }
type Fill = { entries: object[]; health: object; registry: string; agents: number }

const ask = {
  session: 'sess',
  cell: 'cell-0',
  agent_jkt: 'key',
  planner: 'planner-1',
  tool: 'none',
  epoch: 0,
}

export class BenchHub extends DurableObject<Env> {
  private readonly store = new HubStore(this.ctx.storage.sql)
  private readonly gate = new Gate(this.store)

  async fill(fill: Fill): Promise<void> {
    const { sql } = this.ctx.storage
    await begin(this.store, 'bench')
    this.store.set('registry', fill.registry)
    this.store.set('registry_digest', `reg:${'A'.repeat(43)}`)
    for (const [i, entry] of fill.entries.entries()) {
      const at_ms = Date.now()
      const one = { ...entry, plan: `plan-${i}`, at_ms }
      sql.exec('INSERT INTO recent VALUES (?, ?, ?)', one.plan, at_ms, JSON.stringify(one))
    }
    for (let i = 0; i < fill.agents; i++) {
      const health = { ...fill.health, agent: `agent-${i}`, cell: `cell-${i}` }
      sql.exec(
        `INSERT INTO agents (agent, cell, jkt, jwk, health) VALUES (?, ?, 'key', '{"x":"x"}', ?)`,
        `agent-${i}`,
        `cell-${i}`,
        JSON.stringify(health),
      )
      sql.exec(
        'INSERT INTO cells (cell, session) VALUES (?, ?)',
        `cell-${i}`,
        i === 0 ? 'sess' : null,
      )
    }
    sql.exec(`INSERT INTO bindings (plan, session, cell, agent, agent_jkt, planner, state, received_ms,
      started_ms) VALUES ('plan', 'sess', 'cell-0', 'agent-0', 'key', 'planner-1', 'bound', 0, 0)`)
  }

  /** `reps` times: `behind` snapshots, then one question; as the hub does it, or all read afresh. */
  questions(way: string, { behind, reps }: { behind: number; reps: number }): boolean {
    let answered = true
    for (let i = 0; i < reps; i++) answered = this.question(way, behind) && answered
    return answered
  }

  private question(way: string, behind: number): boolean {
    for (let i = 0; i < behind; i++) {
      if (way === 'kept') answerSnapshot(this.store, null, Date.now())
      else this.readAfresh()
    }
    if (way !== 'kept') this.agentsAfresh()
    return this.gate.mayActuate(ask, Date.now()).ok
  }

  private readAfresh(): void {
    const rows = this.ctx.storage.sql.exec<{ entry: string }>(
      'SELECT entry FROM recent ORDER BY at_ms, plan',
    )
    rows.toArray().map((row) => windowEntrySchema.parse(JSON.parse(row.entry)))
    this.agentsAfresh()
  }

  private agentsAfresh(): void {
    const rows = this.ctx.storage.sql.exec<{ health: string }>('SELECT health FROM agents')
    rows.toArray().map((row) => agentHealthSchema.parse(JSON.parse(row.health)))
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const hub = env.HUB.getByName('bench')
    if (request.method === 'POST') {
      await hub.fill(await request.json())
      return new Response('')
    }
    const url = new URL(request.url)
    const reps = Number(url.searchParams.get('reps') ?? 0)
    const behind = Number(url.searchParams.get('behind') ?? 0)
    const way = url.searchParams.get('way') ?? ''
    return new Response(String(await hub.questions(way, { behind, reps })))
  },
}
