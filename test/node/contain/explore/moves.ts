// Everything that can happen next in a world, each with the world that it leads to.
import {
  hasEnded,
  openedState,
  type Effect,
  type SessionEvent,
} from '../../../../contain/session-state.ts'
import { limits } from '../../../../protocol/limits.ts'
import { err, ok } from '../../../../protocol/result.ts'
import type { Outcome, StartClaims } from '../../../../protocol/tokens.ts'
import { deadlineAfter, msOf, processes } from './world.ts'
import type { Asked, Graph, Parts, Process, World } from './world.ts'

/** One thing that happened: the event that was played, what it did, and where it led. */
export type Move = {
  readonly name: string
  readonly event: SessionEvent | null
  readonly effects: readonly Effect[]
  readonly to: World
}

/** The world in which a session is opened; `faults` may happen from then on. */
export function opening({ binding }: Graph, parts: Parts, faults: number): World {
  const state = openedState(binding, limits.reportGraceMs)
  return {
    state,
    time: 0,
    alarm: parts.nextTimer(binding, state),
    open: new Set(),
    frames: new Map(),
    moved: new Map(),
    asked: null,
    site: { epoch: binding.epoch, armed: true },
    faults,
  }
}

export class Mover {
  readonly #graph: Graph
  readonly #parts: Parts

  constructor(graph: Graph, parts: Parts) {
    this.#graph = graph
    this.#parts = parts
  }

  /** Every move that is possible in `world`. */
  all(world: World): Move[] {
    const moves = [...this.#faults(world), this.#stop(world)]
    if (world.time <= deadlineAfter) moves.push(this.#later(world))
    if (world.asked !== null) moves.push(...this.#answers(world, world.asked))
    // Nobody can tell two processes apart before one has spoken: the first to speak is called `a`.
    const known = world.state.boot_id !== null || world.open.size > 0 || hasEnded(world.state)
    for (const by of known ? processes : processes.slice(0, 1)) {
      moves.push(...this.#ofProcess(world, by))
    }
    return moves
  }

  /** Plays one event as the object does: step, write, arm the alarm. */
  #play(world: World, name: string, event: SessionEvent, change: Partial<World> = {}): Move {
    const before = { ...world, ...change }
    const { binding } = this.#graph
    const { state, effects } = this.#parts.step(binding, before.state, event, msOf(before.time))
    const frames = new Map(before.frames)
    for (const effect of effects) if (effect.do === 'record') frames.set(effect.fid, effect.record)
    return { name, event, effects, to: this.#armed({ ...before, state, frames }) }
  }

  /** The alarm is only ever moved forward. */
  #armed(world: World): World {
    const at = this.#parts.nextTimer(this.#graph.binding, world.state)
    if (at === null || (world.alarm !== null && world.alarm <= at)) return world
    return { ...world, alarm: at }
  }

  #later(world: World): Move {
    const time = world.time + 1
    const due = world.alarm !== null && world.alarm <= msOf(time)
    if (!due) return { name: 'later', event: null, effects: [], to: { ...world, time } }
    return this.#play(world, 'later', { type: 'tick' }, { time, alarm: null })
  }

  #stop(world: World): Move {
    return this.#play(world, 'stop', { type: 'stop', reason: 'stopped_by_person', by: 'p' })
  }

  #faults(world: World): Move[] {
    const { faults, site } = world
    if (faults === 0) return []
    const moves = [this.#crash(world)]
    for (const by of world.open) moves.push(this.#cut(world, by))
    const change = (name: string, changed: World['site']): Move => {
      const to = { ...world, site: changed, faults: faults - 1 }
      return { name, event: null, effects: [], to }
    }
    moves.push(change('restored', { ...site, epoch: site.epoch - 1 }))
    moves.push(change('revoked', { ...site, epoch: site.epoch + 1 }))
    if (site.armed) moves.push(change('disarmed', { ...site, armed: false }))
    return moves
  }

  /** A reset: the rows remain, the connections and the question do not. */
  #crash(world: World): Move {
    const state = this.#parts.stored(world.state)
    const faults = world.faults - 1
    const woken = this.#armed({ ...world, state, faults, open: new Set(), asked: null })
    const lost = this.#parts.lostAtWake(state, 0)
    if (lost !== null) return this.#play(woken, 'crash', lost)
    return { name: 'crash', event: null, effects: [], to: woken }
  }

  #cut(world: World, by: Process): Move {
    const lost = this.#parts.lostAtClose([...world.open], by)
    const asked = world.asked?.by === by ? { ...world.asked, connected: false } : world.asked
    const faults = world.faults - 1
    const open = new Set([...world.open].filter((other) => other !== by))
    return this.#play(world, `cut ${by}`, lost, { asked, faults, open })
  }

  #ofProcess(world: World, by: Process): Move[] {
    if (!world.open.has(by)) return [this.#hello(world, by)]
    const moves = [this.#pull(world, by), this.#abort(world, by)]
    for (const { id: nid } of this.#graph.nodes) {
      if (world.asked === null) moves.push(this.#start(world, by, nid))
      const node = world.state.nodes.get(nid)?.state
      if (world.moved.get(nid) === by) {
        for (const outcome of ['succeeded', 'failed', 'unknown'] as const) {
          moves.push(this.#report(world, by, { nid, outcome, actuated: true }))
        }
      } else if (node === 'released') {
        moves.push(this.#report(world, by, { nid, outcome: 'failed', actuated: false }))
      }
    }
    return moves
  }

  #hello(world: World, by: Process): Move {
    const older_lives = world.open.size > 0
    const ledger = [...world.moved.keys()].map((nid) => ({ nid, state: 'actuated' }))
    const event = { type: 'hello', fid: `${by}h`, boot_id: by, older_lives, ledger } as const
    const open = older_lives ? world.open : new Set([by])
    return this.#play(world, `hello ${by}`, event, { open })
  }

  #framed(world: World, by: Process, what: string) {
    const fid = `${by} ${what.split(' ', 2).join(' ')}`
    return { fid, body: what, seen: world.frames.get(fid) ?? null, boot_id: by }
  }

  #pull(world: World, by: Process): Move {
    const done = [...world.state.nodes.values()].filter((node) => node.state === 'succeeded')
    const framed = this.#framed(world, by, `pull ${done.length}`)
    return this.#play(world, `pull ${by}`, { type: 'pull', ...framed })
  }

  #abort(world: World, by: Process): Move {
    const framed = this.#framed(world, by, 'abort')
    const event = { type: 'abort', reason: 'local_stop', detail: '', ...framed } as const
    return this.#play(world, `abort ${by}`, event)
  }

  #presented(nid: string) {
    const { claims, binding } = this.#graph
    const own = claims.get(nid) ?? null
    const jti = own?.jti ?? ''
    const said = { sub: 'agent-1', sid: 'sess_a', nid, jti, ctx: binding.ctx }
    const start: StartClaims = { ...said, nonce: 'n', cn: 'c', iat_ms: 0 }
    return { nid, opened: { text: `token ${nid}`, jti, claims: own }, start: ok(start) }
  }

  /** Any token of the plan may be presented: also one that was never handed out. */
  #start(world: World, by: Process, nid: string): Move {
    const framed = this.#framed(world, by, `start ${nid}`)
    const event = { type: 'start', ...framed, ...this.#presented(nid) } as const
    const move = this.#play(world, `start ${by} ${nid}`, event)
    const ask = move.effects.find((effect) => effect.do === 'ask')
    if (ask === undefined) return move
    const answer = this.#siteSays(world, ask.tool)
    return { ...move, to: { ...move.to, asked: { by, nid, answer, connected: true } } }
  }

  #siteSays({ site, time }: World, tool: string): Asked['answer'] {
    const { context, planner, epoch } = this.#graph.binding
    const { session, cell, agent_jkt } = context
    const read = { name: tool, description: tool, capability: 'c', risk_class: 'actuate' }
    return this.#parts.mayActuate(
      { session, cell, agent_jkt, planner, tool, epoch },
      {
        epoch: site.epoch,
        epoch_reason: 'epoch_revoked',
        cell: {
          cell,
          session,
          needs_clearance: false,
          armed_until_ms: site.armed ? msOf(time + 100) : null,
        },
        agent: { revoked: false, jkt: agent_jkt, cell },
        planner_revoked: false,
        registry: { tools: [read], planners: { [planner]: { capabilities: ['c'] } } } as never,
      },
      msOf(time),
    )
  }

  /** The site has answered. A go arrives and the device moves, or the connection is cut under it. */
  #answers(world: World, asked: Asked): Move[] {
    const { by, nid, answer, connected } = asked
    const framed = this.#framed(world, by, `start ${nid}`)
    const said = { authority: answer.ok ? answer : err(answer.error), connected }
    const event = { type: 'authorized', ...framed, ...this.#presented(nid), ...said } as const
    const move = this.#play(world, `answer ${by} ${nid}`, event, { asked: null })
    const goes = move.effects.some((effect) => effect.do === 'go')
    if (!goes || !connected) return [move]
    const moved = new Map(move.to.moved).set(nid, by)
    const arrived = { ...move, to: { ...move.to, moved } }
    return world.faults === 0 ? [arrived] : [arrived, this.#lostGo(move, by)]
  }

  #lostGo(move: Move, by: Process): Move {
    const { to, effects } = this.#cut(move.to, by)
    return { ...move, name: `${move.name}, cut`, effects: [...move.effects, ...effects], to }
  }

  #report(
    world: World,
    by: Process,
    { nid, outcome, actuated }: { nid: string; outcome: Outcome; actuated: boolean },
  ): Move {
    const text = `report ${nid} ${outcome} ${actuated}`
    const { claims, binding } = this.#graph
    const at = msOf(world.time)
    const started_ms = world.state.nodes.get(nid)?.started_ms ?? at
    const report = ok({
      sub: 'agent-1',
      sid: 'sess_a',
      nid,
      jti: claims.get(nid)?.jti ?? '',
      ctx: binding.ctx,
      outcome,
      result_digest: null,
      reason: null,
      actuated,
      started_ms,
      ended_ms: at,
    })
    const event = { type: 'report', ...this.#framed(world, by, text), nid, text, report } as const
    return this.#play(world, `${text} ${by}`, event)
  }
}
