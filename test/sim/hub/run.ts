// One random day at a hub: its own core over its own rows, and the model beside it. After every event both tell
// how everything stands, row by row.
import { HubCore, type HubParts } from '../gateway/hub-core.ts'
import { agentOf, cells, type Cell } from '../gateway/site.ts'
import type { Database } from '../gateway/database.ts'
import type { Command } from './commands.ts'
import { HubModel } from './model.ts'
import type { Act, End } from './words.ts'

const begin = 1_000_000

export class Day {
  readonly #hub: HubCore
  readonly #model = new HubModel(cells)
  readonly seen = { bound: 0, allowed: 0, ended: 0 }
  #now = begin

  constructor(database: Database, parts: HubParts) {
    this.#hub = new HubCore(database, parts)
  }

  run(commands: readonly Command[]): this {
    for (const one of commands) {
      const [hub, model] = this.#play(one)
      const is = sorted(this.#hub.view(this.#now))
      const shall = sorted(this.#model.view(this.#now))
      if (hub === model && is === shall) continue
      const when = `${JSON.stringify(one)} at ${this.#now - begin}`
      throw new Error(`${when}: ${hub}\n${is}\nthe model: ${model}\n${shall}`)
    }
    return this
  }

  #act({
    cell,
    by,
    credential,
    seen,
  }: {
    cell: Cell
    by: string
    credential: string
    seen: string
  }): Act {
    const { changes } = this.#model.cells.get(cell) ?? { changes: 0 }
    return { by, credential, seen: seen === 'none' ? null : seen === 'now' ? changes : changes - 1 }
  }

  #session(pick: number): string {
    const all = [...this.#model.bindings.keys()].slice(-4)
    return all[pick % Math.max(1, all.length)] ?? 'sess_unknown'
  }

  /** What the hub and the model answer. */
  #play(one: Command): [string, string] {
    const [hub, model] = [this.#hub, this.#model]
    const now = this.#now
    const done: [string, string] = ['', '']
    switch (one.do) {
      case 'right':
        return this.#right(one)
      case 'arm': {
        const act = this.#act(one)
        const until = now + one.for_ms
        return [hub.arm(one.cell, until, act, now), model.arm(one.cell, until, act, now)]
      }
      case 'clear':
      case 'force':
      case 'release': {
        const act = this.#act(one)
        return [hub[one.do](one.cell, act, now), model[one.do](one.cell, act, now)]
      }
      case 'disarm':
      case 'stopCell':
        hub[one.do](one.cell, one.by, now)
        model[one.do](one.cell, one.by, now)
        return done
      case 'stopSite':
        hub.stopSite(one.by, now)
        model.stopSite(one.by, now)
        return done
      case 'revoke':
        hub.revoke(one.credential, one.by, now)
        model.revoke(one.credential, one.by, now)
        return done
      case 'health': {
        const servers = { bench: one.bench as 'up' }
        hub.health(one.cell, servers, now)
        model.health(one.cell, servers, now)
        return done
      }
      case 'enqueue':
        return this.#enqueue(one)
      case 'reserve':
        return this.#reserve(one.online)
      case 'settle':
        return this.#settle(this.#session(one.pick), one.how)
      case 'ended':
        this.#end(this.#session(one.pick), one)
        return done
      case 'answered': {
        const stops = model.stopsWanted().slice(-4)
        const session = stops[one.pick % Math.max(1, stops.length)] ?? 'sess_unknown'
        hub.answered(session, one.how, now)
        model.answered(session, one.how, now)
        return done
      }
      case 'readEnds':
        hub.readEnds(now)
        model.readEnds()
        return done
      case 'may':
        return this.#asks(this.#session(one.pick), one)
      case 'time':
        this.#now += one.ms
        return done
      case 'restart':
        hub.restart()
        return done
    }
  }

  /** What comes next where all is well. */
  #right({ cell, pick }: Extract<Command, { do: 'right' }>): [string, string] {
    const model = this.#model
    const person = { cell, by: 'olga', credential: 'cred-1', seen: 'now' } as const
    const at = model.cells.get(cell)
    const running = [...model.bindings.values()].filter((one) => one.cell === cell)
    const asked = running.find(({ state }) => state === 'binding')
    if (asked !== undefined) return this.#settle(asked.session, 'bound')
    const bound = running.find(({ state }) => state === 'bound')
    if (bound !== undefined && at?.session === bound.session) {
      if (pick > 3) {
        const end = { status: 'completed', reason: 'node_failed', latch: false } as const
        const devices = [{ name: 'arm' as const, rests: true }]
        this.#end(bound.session, { ...end, untouched: false, devices })
        return ['', '']
      }
      return this.#asks(bound.session, { tool: 'arm.move', told: 0, off: 0 })
    }
    if (!model.isWell(cell, this.#now)) return this.#play({ do: 'health', cell, bench: 'up' })
    if (at?.latch != null) return this.#play({ do: 'clear', ...person })
    if ((at?.armedUntil ?? 0) <= this.#now)
      return this.#play({ do: 'arm', ...person, for_ms: 3_600_000 })
    if (pick > 2) return this.#reserve('both')
    const entry = { planner: 'p-1', credential: 'cred-3', physical: true, told: 0 } as const
    const plan = model.bindings.size + 10
    return this.#enqueue({ do: 'enqueue', plan, cell, valid_ms: 60_000, ...entry })
  }

  #enqueue(one: Extract<Command, { do: 'enqueue' }>): [string, string] {
    const now = this.#now
    const { planner, physical, told, cell, credential } = one
    const plan = `plan-${one.plan}`
    const validUntil = now + one.valid_ms
    const entry = {
      plan,
      planner,
      physical,
      told_ms: told,
      valid_until_ms: validUntil,
      received_ms: now,
      owner: `owner of ${planner}`,
      servers: ['bench'],
      sandboxes: [],
      shared: [],
      agent: cell === null ? null : agentOf(cell),
    }
    return [
      this.#hub.enqueue(entry, credential, now),
      this.#model.enqueue({ plan, planner, cell, physical, told, validUntil }, credential, now),
    ]
  }

  #reserve(which: string): [string, string] {
    const online = which === 'both' ? cells : which === 'first' ? cells.slice(0, 1) : []
    const bound = this.#hub.reserve(online, this.#now)
    const given = this.#model.reserve(online, this.#now)
    const is = bound.map(({ plan, cell }) => `${plan} in ${cell}`)
    const shall = [...given].map(([plan, cell]) => `${plan} in ${cell}`)
    if (is.join() === shall.join()) {
      for (const { plan, session, cell } of bound) this.#model.bound(plan, session, cell as Cell)
    }
    this.seen.bound += bound.length
    return [is.join(), shall.join()]
  }

  #settle(session: string, how: 'bound' | 'state_changed' | 'policy_changed'): [string, string] {
    const is = this.#hub.settle(session, how, this.#now)
    const shall = this.#model.settle(session, how)
    if (shall) this.#model.settled(session, how, this.#now)
    return [String(is), String(shall)]
  }

  #end(session: string, one: Omit<Extract<Command, { do: 'ended' }>, 'do' | 'pick'>): void {
    const binding = this.#model.bindings.get(session)
    if (binding === undefined) return
    const completed = one.status === 'completed'
    const end: End = {
      session,
      plan: binding.plan,
      cell: binding.cell,
      devices: one.devices,
      status: completed ? 'completed' : 'terminated',
      reason: completed ? null : one.reason,
      latch: !completed && one.latch,
      untouched: !completed && one.untouched,
    }
    const { devices, untouched, ...told } = end
    const rest = {
      devices: devices.map(({ name, rests }) => {
        return {
          server: name,
          state: rests ? ('at_rest' as const) : ('pending' as const),
          detail: null,
        }
      }),
    }
    const said = {
      ...told,
      node: null,
      ended_ms: this.#now,
      rest,
      ...(untouched ? { untouched } : {}),
    }
    this.#hub.ended(said as Parameters<HubCore['ended']>[0], this.#now)
    this.#model.ended(end, this.#now)
    this.seen.ended++
  }

  #asks(session: string, one: { tool: string; told: number; off: number }): [string, string] {
    const cell = this.#model.bindings.get(session)?.cell ?? cells[0]
    const tool = one.tool === 'arm.move' ? 'arm.move' : 'camera.read'
    const epoch = this.#model.epoch + one.off
    const about = { planner: 'planner-1', tool, epoch, told_ms: one.told }
    const is = this.#hub.may(session, cell, about, this.#now)
    const shall = this.#model.may({ session, cell, tool, epoch, told: one.told }, this.#now)
    if (is === 'ok') this.seen.allowed++
    return [is, shall]
  }
}

/** One line for a view, whatever order its members were written in. */
function sorted(view: object): string {
  return JSON.stringify(view, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
