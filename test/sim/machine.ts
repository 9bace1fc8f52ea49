// The machine beside one cell: its disk, its bench, and the agent's process on it. The agent is the
// product's own, with the ports that `Agent` takes; what it stands on belongs to the world.
import { statesOf } from './folders.ts'
import path from 'node:path'
import { configSchema, type AgentConfig } from '../../robot-agent/config.ts'
import { Agent } from '../../robot-agent/agent.ts'
import type { AgentSigner } from '../../robot-agent/signer.ts'
import { Bench, besides, type BenchPort } from './bench.ts'
import { Disk } from './disk.ts'
import { agentOf, site, type Cell } from './gateway/site.ts'
import { openSockets } from './network.ts'
import type { Random } from './random.ts'
import { inProcess, newProcess, type Process, type SimTime } from './time.ts'

export type Entry = { readonly at_ms: number; readonly who: string; readonly what: string }

export type MachineIo = {
  readonly time: SimTime
  readonly random: Random
  readonly bench: BenchPort
  readonly signer: AgentSigner
  readonly log: (who: string, what: string) => void
}

const disks = new Map<Process, Disk>()
const getBuiltinModule = process.getBuiltinModule.bind(process)

/** `node:sqlite` is the disk of whoever asks, until the answer is called. */
export function installDisks(): () => void {
  const mine = (id: string): unknown => {
    const asking = currentDisk()
    return id === 'node:sqlite' && asking !== null ? asking.module() : getBuiltinModule(id)
  }
  Object.assign(process, { getBuiltinModule: mine })
  return () => {
    disks.clear()
    Object.assign(process, { getBuiltinModule })
  }
}
let asked: () => Process = () => newProcess('nobody')
export const disksOf = (current: () => Process): void => {
  asked = current
}
const currentDisk = (): Disk | null => disks.get(asked()) ?? null

export class Machine {
  readonly cell: Cell
  readonly name: string
  readonly disk = new Disk()
  readonly bench: Bench
  process: Process
  /** When each process of it began. */
  readonly starts: { process: Process; at_ms: number }[] = []
  readonly #io: MachineIo
  readonly #config: AgentConfig
  #agent: Agent | null = null

  constructor(name: string, cell: Cell, io: MachineIo) {
    this.name = name
    this.cell = cell
    this.#io = io
    this.bench = new Bench(name, io.bench)
    this.process = newProcess(`${name} off`)
    this.process.alive = false
    const parsed = configSchema.parse({
      gateway: 'http://gw.test',
      site,
      agent: agentOf(cell),
      cell,
      key_file: 'key',
      state_dir: path.join(statesOf(process.pid), name),
      mcpServers: { bench: { command: 'bench' } },
      shutdown_ms: 20_000,
    })
    this.#config = { ...parsed, gateway_name: 'gw.test' }
  }

  get runs(): boolean {
    return this.process.alive
  }

  start(): void {
    if (this.process.alive) return
    const { time, random, signer, log } = this.#io
    const born = newProcess(`${this.name} ${this.starts.length}`)
    born.skew_ms = this.process.skew_ms
    this.process = born
    this.starts.push({ process: born, at_ms: time.now_ms })
    disks.set(born, this.disk)
    besides(born, this.bench)
    inProcess(born, () => {
      try {
        this.#agent = new Agent(this.#config, signer, {
          log: (level, event, facts) =>
            log(born.name, `${level} ${event} ${JSON.stringify(facts)}`),
          nowMs: () => Math.floor(time.now_ms + born.skew_ms),
          monotonicMs: () => performance.now(),
          random: () => random.next(),
          randomBytes: () => random.into(new Uint8Array(26)),
        })
        this.#agent.start(new Set()).catch((cause: unknown) => this.#gone(born, String(cause)))
      } catch (cause) {
        this.#gone(born, String(cause))
      }
    })
  }

  /** It could not start, or has ended: its service manager starts it again. */
  #gone(born: Process, why: string): void {
    this.#io.log(born.name, `exits: ${why}`)
    if (this.process === born) this.kill()
  }

  /** The process is gone between two instructions. */
  kill(): void {
    this.process.alive = false
    this.disk.released()
    for (const socket of openSockets()) if (socket.process === this.process) socket.cut()
  }

  powerCut(): void {
    this.kill()
    this.disk.powerCut()
    this.bench.down()
  }

  /** SIGTERM, as a service manager sends it. */
  leave(): void {
    const leaving = this.process
    const agent = this.#agent
    if (!leaving.alive || agent === null) return
    inProcess(leaving, () => {
      agent.stop('shutdown').then(
        () => this.#gone(leaving, 'left'),
        () => this.#gone(leaving, 'left badly'),
      )
    })
  }

  haltSessions(): void {
    if (this.process.alive) inProcess(this.process, () => this.#agent?.haltSessions())
  }

  /** Nothing of it runs for `ms`; `asleep`: the machine, and its monotonic clock, sleeps with it. */
  stopFor(ms: number, asleep: boolean): void {
    this.process.stopped_until_ms = this.#io.time.now_ms + ms
    if (asleep) this.process.slept_ms += ms
  }

  close(): void {
    this.process.alive = false
    this.disk.close()
  }
}
