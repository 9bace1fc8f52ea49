// Objects with storage as the platform runs them: one instance at a time under a name, an output gate in
// front of everything that leaves, an alarm that is asked until it has been answered, and a reset that
// takes memory, connections and unflushed writes with it and nothing else.
import { ObjectStorage } from './database.ts'
import { ServerSocket } from './sockets.ts'
import type { Life, WorldPort } from './world-port.ts'

type Instance = {
  readonly life: Life
  object: Record<string, (...args: unknown[]) => unknown>
  /** While it stands, nothing else of the object runs. */
  blocked: Promise<unknown> | null
  /** Rejects when the instance is reset. */
  readonly reset: Promise<never>
  readonly die: (cause: Error) => void
}

/** How often an alarm that failed is asked again, and after what time. */
const alarmAgainMs = 2_000

/** What waits for a flush. `lost` hears that the writes before it are gone, and that it never leaves. */
type Leaving = { readonly leave: () => void; readonly lost: (cause: Error) => void }

export class ObjectHost {
  readonly sockets = new Set<ServerSocket>()
  readonly storage: ObjectStorage
  readonly name: string
  readonly #world: WorldPort
  readonly #make: (ctx: DurableObjectState) => object
  #instance: Instance | null = null
  #alarm: number | null = null
  #flushedAlarm: number | null = null
  #ringing = false
  /** Counts resets: writes belong to the life in which they were made. */
  #lives = 0
  #waiting: Leaving[] = []

  constructor(name: string, world: WorldPort, make: (ctx: DurableObjectState) => object) {
    this.name = name
    this.#world = world
    this.#make = make
    this.storage = new ObjectStorage(world.openDatabase(), () => this.#flushSoon())
  }

  get alarm(): number | null {
    return this.#alarm
  }

  owns(life: Life): boolean {
    return this.#instance?.life === life
  }

  // ---------- what is asked of it ----------

  /** Runs one event of the object to its end. Rejects when the object is reset meanwhile. */
  async event<T>(method: string, ...args: unknown[]): Promise<T> {
    const instance = await this.#awake()
    const answer = this.#world.within(instance.life, async () => {
      const run = instance.object[method]
      if (run === undefined) throw new TypeError(`${this.name} has no ${method}`)
      return (await run.apply(instance.object, args)) as T
    })
    return Promise.race([answer, instance.reset])
  }

  async #awake(): Promise<Instance> {
    for (;;) {
      const instance = (this.#instance ??= this.#start())
      if (instance.blocked === null) return instance
      await Promise.race([instance.blocked, instance.reset]).catch(() => undefined)
    }
  }

  #start(): Instance {
    const life = this.#world.newLife(this.name)
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => undefined)
    const instance: Instance = { life, object: {}, blocked: null, reset: promise, die: reject }
    const block = (work: () => Promise<unknown>): Promise<unknown> => {
      const running = work()
      const over = running.then(
        () => {
          if (instance.blocked === over) instance.blocked = null
        },
        (cause: unknown) => {
          if (this.#instance === instance) this.reset(String(cause))
        },
      )
      instance.blocked = over
      return running
    }
    const object: unknown = this.#world.within(life, () => this.#make(this.#ctx(block)))
    instance.object = object as Instance['object']
    return instance
  }

  #ctx(block: (work: () => Promise<unknown>) => Promise<unknown>): DurableObjectState {
    const { storage } = this
    const ctx = {
      id: { name: this.name.slice(this.name.indexOf(':') + 1) },
      storage: {
        sql: storage,
        transactionSync: (work: () => unknown) => storage.transactionSync(work),
        getAlarm: () => Promise.resolve(this.#alarm),
        setAlarm: (at: number) => this.#setAlarm(at),
        deleteAlarm: () => this.#setAlarm(null),
      },
      blockConcurrencyWhile: block,
      waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
      acceptWebSocket: (socket: ServerSocket, tags: string[] = []) => {
        socket.host = this
        socket.tags = tags
        this.sockets.add(socket)
      },
      getWebSockets: (tag?: string) =>
        [...this.sockets].filter((socket) => tag === undefined || socket.tags.includes(tag)),
      setWebSocketAutoResponse: () => undefined,
      getWebSocketAutoResponseTimestamp: ({ pinged_ms }: ServerSocket) =>
        pinged_ms === null ? null : new Date(pinged_ms),
    }
    return ctx as unknown as DurableObjectState
  }

  // ---------- frames ----------

  /** One frame of a peer. A ping is answered without waking anybody. */
  frame(socket: ServerSocket, text: string): void {
    if (!this.sockets.has(socket)) return
    if (text === 'ping') {
      socket.pinged_ms = this.#world.nowMs()
      return socket.send('pong')
    }
    this.event('webSocketMessage', socket, text).catch(() => undefined)
  }

  peerClosed(socket: ServerSocket): void {
    if (!this.sockets.has(socket)) return
    socket.gone()
    this.event('webSocketClose', socket).catch(() => undefined)
  }

  // ---------- time and storage ----------

  #setAlarm(at: number | null): Promise<void> {
    this.storage.touch()
    this.#alarm = at
    if (at !== null) this.#ringAt(at)
    return Promise.resolve()
  }

  #ringAt(at: number): void {
    this.#world.later(at - this.#world.nowMs(), () => this.ringIfDue())
  }

  /** The platform's own timer; also after a reset, when an alarm is still to be answered. */
  ringIfDue(): void {
    if (this.#alarm === null || this.#ringing || this.#alarm > this.#world.nowMs()) return
    this.#ringing = true
    this.#alarm = null
    this.#flushedAlarm = null
    const again = () => {
      this.#ringing = false
      const at = Math.min(this.#alarm ?? Infinity, this.#world.nowMs() + alarmAgainMs)
      this.#alarm = at
      this.#flushedAlarm = at
      this.#ringAt(at)
    }
    this.event('alarm').then(() => {
      this.#ringing = false
      this.ringIfDue()
    }, again)
  }

  #flushSoon(): void {
    const life = this.#lives
    const { ms, fails } = this.#world.flush()
    this.#world.later(ms, () => {
      // The writes of an instance that was reset went with it.
      if (!this.storage.dirty || this.#lives !== life) return
      if (fails) return this.reset('the storage failed')
      this.flush()
    })
  }

  flush(): void {
    this.storage.flush()
    this.#flushedAlarm = this.#alarm
    const leaving = this.#waiting
    this.#waiting = []
    for (const { leave } of leaving) leave()
  }

  whenFlushed(leave: () => void, lost: Leaving['lost'] = () => undefined): void {
    if (this.storage.dirty) this.#waiting.push({ leave, lost })
    else leave()
  }

  flushed(): Promise<void> {
    return new Promise((resolve, reject) => this.whenFlushed(resolve, reject))
  }

  /** Memory, connections and what was not flushed are gone; the next event finds a new instance. */
  reset(why: string): void {
    const instance = this.#instance
    this.#instance = null
    this.#lives++
    const waiting = this.#waiting
    this.#waiting = []
    this.storage.lose()
    this.#alarm = this.#flushedAlarm
    if (this.#alarm !== null) this.#ringAt(this.#alarm)
    for (const socket of this.sockets) socket.cut()
    const cause = new Error(`reset: ${why}`)
    // Whoever waits for an answer hears that there is none.
    for (const { lost } of waiting) lost(cause)
    if (instance === null) return
    instance.life.alive = false
    instance.die(cause)
  }

  /** Asleep: memory is gone, connections and writes stay. */
  evict(): void {
    this.flush()
    const instance = this.#instance
    this.#instance = null
    if (instance === null) return
    instance.life.alive = false
    instance.die(new Error('evicted'))
  }
}

/** Every object of one class, by name. */
export class Namespace {
  readonly hosts = new Map<string, ObjectHost>()
  readonly #world: WorldPort
  readonly #kind: string
  readonly #make: (ctx: DurableObjectState) => object
  /** The host of whatever runs now: its writes are on disk before its calls leave. */
  readonly #caller: () => ObjectHost | null

  constructor(
    kind: string,
    world: WorldPort,
    make: (ctx: DurableObjectState) => object,
    caller: () => ObjectHost | null,
  ) {
    this.#kind = kind
    this.#world = world
    this.#make = make
    this.#caller = caller
  }

  host(name: string): ObjectHost {
    let host = this.hosts.get(name)
    if (host === undefined) {
      host = new ObjectHost(`${this.#kind}:${name}`, this.#world, this.#make)
      this.hosts.set(name, host)
    }
    return host
  }

  getByName(name: string): object {
    return new Proxy(
      {},
      {
        get: (_, method) => {
          // A stub is no promise.
          if (typeof method !== 'string' || method === 'then') return undefined
          return (...args: unknown[]) => this.#call(name, method, args)
        },
      },
    )
  }

  async #call(name: string, method: string, args: unknown[]): Promise<unknown> {
    const { there_ms, back_ms, lost } = this.#world.call()
    // `fetch` hands a socket over, which has no copy.
    const copy = <T>(value: T): T => (method === 'fetch' ? value : structuredClone(value))
    const caller = this.#caller()
    // Of a caller that is reset meanwhile nothing goes on.
    if (caller !== null) await new Promise<void>((resolve) => caller.whenFlushed(resolve))
    const sent = copy(args)
    await this.#way(there_ms)
    if (lost === 'there') throw new Error('Network connection lost.')
    const host = this.host(name)
    const answer = await host.event(method, ...sent)
    await host.flushed()
    await this.#way(back_ms)
    if (lost === 'back') throw new Error('Network connection lost.')
    return copy(answer)
  }

  #way(ms: number): Promise<void> {
    return new Promise((resolve) => this.#world.later(ms, resolve))
  }
}
