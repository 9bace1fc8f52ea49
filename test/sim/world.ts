// One simulated world: the gateway's objects, two cells with their machines, the network between them, and
// chance. What happens in it is decided by a seed and by nothing else.
import { DatabaseSync } from 'node:sqlite'
import { importSigningKey } from '../../contain/keys.ts'
import { signerOf } from '../../robot-agent/signer.ts'
import { agentJwk, gatewayJwk, strangerJwk, t0 } from '../shared/session-fixture.ts'
import { forgetBenches } from './bench.ts'
import { installCrypto } from './crypto.ts'
import { Gateway } from './gateway/gateway.ts'
import { agentOf, cells, type Cell } from './gateway/site.ts'
import { SocketPair } from './gateway/sockets.ts'
import type { WorldPort } from './gateway/world-port.ts'
import { disksOf, installDisks, Machine, type Entry } from './machine.ts'
import { forgetSockets, onNetwork } from './network.ts'
import { Random } from './random.ts'
import {
  asWorld,
  currentProcess,
  inProcess,
  installTime,
  newProcess,
  SimTime,
  type Process,
} from './time.ts'

/** How often things go wrong by themselves; all zero in a calm world. */
export type Rates = {
  frameLost: number
  frameDoubled: number
  frameLate: number
  callLost: number
  flushFails: number
  actFails: number
}
export const calm: Rates = {
  frameLost: 0,
  frameDoubled: 0,
  frameLate: 0,
  callLost: 0,
  flushFails: 0,
  actFails: 0,
}

export class World {
  readonly time = new SimTime(t0)
  readonly random: Random
  readonly gateway: Gateway
  readonly machines: Machine[] = []
  readonly journal: Entry[] = []
  rates: Rates = calm
  d1Down = false
  /** Frames stand in the journal too. */
  verbose = process.env['PORTCULLIS_SEED'] !== undefined
  safeStopRefused = false
  /** Machines that are cut off from the gateway. */
  readonly cutOff = new Set<Process>()
  gatewayDown = false
  readonly restoring = new Set<string>()
  /** Objects that came back as they were before. */
  readonly restores: { kind: 'hub' | 'session'; at_ms: number }[] = []
  readonly #databases: DatabaseSync[] = []
  readonly #undo: (() => void)[]

  private constructor(seed: number, migrations: readonly string[]) {
    this.random = new Random(seed)
    this.#undo = [
      installTime(this.time),
      installCrypto(this.random),
      installDisks(),
      installGlobals(() => this.gatewayDown),
      this.#installConsole(),
    ]
    disksOf(currentProcess)
    onNetwork(this.#network())
    this.gateway = new Gateway(this.#port(), {
      keys: { gateway: gatewayJwk, agents: {} },
      migrations,
      d1: async () => {
        await this.time.sleep(1)
        if (this.d1Down) throw new Error('D1 is down')
      },
    })
  }

  static async open(seed: number, migrations: readonly string[]): Promise<World> {
    const world = new World(seed, migrations)
    const keys = { 'cell-1': agentJwk, 'cell-2': strangerJwk } as const
    for (const cell of cells) world.addMachine(cell, cell, await signer(cell, keys[cell]))
    const set = world.gateway.setUp({
      [agentOf('cell-1')]: agentJwk.x,
      [agentOf('cell-2')]: strangerJwk.x,
    })
    await world.until(set)
    for (const machine of world.machines) machine.start()
    return world
  }

  addMachine(name: string, cell: Cell, own: Awaited<ReturnType<typeof signer>>): Machine {
    const machine = new Machine(name, cell, {
      time: this.time,
      random: this.random,
      signer: own,
      bench: {
        now: () => this.time.now_ms,
        after: (ms, run) => void this.time.after(ms, run),
        fate: () => ({
          there_ms: this.random.between(1, 20),
          act_ms: this.random.between(200, 6_000),
          back_ms: this.random.between(1, 20),
          fails: this.random.chance(this.rates.actFails),
        }),
        refuses: () => this.safeStopRefused,
      },
      log: (who, what) => this.log(who, what),
    })
    this.machines.push(machine)
    return machine
  }

  log(who: string, what: string): void {
    this.journal.push({ at_ms: this.time.now_ms - t0, who, what })
  }

  /** Lets time pass until the answer is there. */
  async until<T>(answer: Promise<T>, limit_ms = 60_000): Promise<T> {
    const limit = this.time.now_ms + limit_ms
    const state: { over: boolean } = { over: false }
    const done = () => {
      state.over = true
    }
    answer
      .catch(() => undefined)
      .finally(done)
      .catch(() => undefined)
    for (let at = this.time.now_ms; !state.over && at <= limit; at += 5) await this.time.runTo(at)
    if (!state.over) throw new Error(`no answer within ${limit_ms} ms of simulated time`)
    return answer
  }

  close(): void {
    for (const machine of this.machines) machine.close()
    for (const database of this.#databases) database.close()
    onNetwork(null)
    forgetSockets()
    forgetBenches()
    for (const undo of this.#undo) undo()
  }

  /** What the objects say of what breaks belongs to the journal. */
  #installConsole(): () => void {
    const { error, warn } = console
    const say = (...words: unknown[]) => this.log('gateway', words.map(String).join(' '))
    Object.assign(console, { error: say, warn: say })
    return () => void Object.assign(console, { error, warn })
  }

  #port(): WorldPort {
    const { time, random } = this
    return {
      nowMs: () => time.now_ms,
      later: (ms, run) => asWorld(() => void time.after(ms, run)),
      openDatabase: () => {
        const database = new DatabaseSync(':memory:')
        this.#databases.push(database)
        return database
      },
      newLife: (name) => newProcess(name),
      within: (life, work) => inProcess(life as Process, work),
      current: () => currentProcess(),
      flush: () => ({ ms: random.between(0, 3), fails: random.chance(this.rates.flushFails) }),
      call: () => ({
        there_ms: random.between(0.2, 3),
        back_ms: random.between(0.2, 3),
        lost: random.chance(this.rates.callLost) ? random.pick(['there', 'back'] as const) : 'no',
      }),
    }
  }

  #network(): Parameters<typeof onNetwork>[0] {
    const { time, random } = this
    return {
      after: (ms, run) => void time.after(ms, run),
      seen: (process, what) => {
        if (this.verbose && !/^. p[io]ng$/.test(what)) this.log(process.name, what)
      },
      latency: () => random.between(1, 10),
      isDown: (process) => this.gatewayDown || this.cutOff.has(process),
      fate: (text) => {
        const near = () => random.between(1, 8)
        if (text === 'ping' || text === 'pong') return { copies: [near()] }
        const { frameLost, frameDoubled, frameLate } = this.rates
        if (random.chance(frameLost)) return { copies: [] }
        const first = random.chance(frameLate) ? random.between(20, 2_500) : near()
        return { copies: random.chance(frameDoubled) ? [first, random.between(1, 900)] : [first] }
      },
      dial: async (_process, url, headers) => {
        const bearer = (headers['authorization'] ?? '').replace('Bearer ', '')
        const features = headers['portcullis-features'] ?? null
        const answer = await this.gateway.dial(url.pathname, bearer, features)
        if (typeof answer === 'number') return answer
        return {
          server: answer,
          host: {
            frame: (socket, text) => socket.host?.frame(socket, text),
            peerClosed: (socket) => socket.host?.peerClosed(socket),
          },
        }
      },
    }
  }
}

export async function signer(cell: Cell, jwk: object) {
  const key = await importSigningKey(jwk)
  if (!key.ok) throw new Error(key.error)
  return signerOf(key.value, { agent: agentOf(cell), site: 'site-1' })
}

/** The gateway's words for sockets, and its published keys. */
function installGlobals(isDown: () => boolean): () => void {
  const globals = globalThis as unknown as Record<string, unknown>
  const names = ['Response', 'WebSocketPair', 'WebSocketRequestResponsePair', 'fetch'] as const
  const kept = names.map((name) => [name, globals[name]] as const)
  const { kty, crv, x, kid } = gatewayJwk as typeof gatewayJwk & { kid?: string }
  const jwks = new TextEncoder().encode(
    JSON.stringify({ keys: [{ kty, crv, x, ...(kid === undefined ? {} : { kid }) }] }),
  )
  globals['Response'] = new Proxy(Response, {
    construct: (target, [body, init]: [string | null, { status: number } | undefined]) =>
      init?.status === 101 ? { ...init } : new target(body, init),
  })
  globals['WebSocketPair'] = SocketPair
  globals['WebSocketRequestResponsePair'] = Object
  globals['fetch'] = () =>
    isDown()
      ? Promise.reject(new Error('ECONNREFUSED'))
      : Promise.resolve({ ok: true, body: [jwks] })
  return () => {
    for (const [name, value] of kept) globals[name] = value
  }
}
