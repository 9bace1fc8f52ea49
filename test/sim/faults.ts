// What can go wrong in a world, by kind: network, process, clock, disk, storage, upgrade, restore. A seed
// picks some kinds and when they happen.
import { cells } from './gateway/site.ts'
import type { Machine } from './machine.ts'
import { openSockets } from './network.ts'
import { signer, type Rates, type World } from './world.ts'
import { strangerJwk, agentJwk } from '../shared/session-fixture.ts'

type Happens = (world: World) => void

const anyMachine = (world: World): Machine => world.random.pick(world.machines.slice(0, 2))
const later = (world: World, least: number, most: number, run: () => void): void =>
  void world.time.after(world.random.between(least, most), run)

/** Rows of an object as a fault finds them; the instance sleeps first, so that it reads them anew. */
function rows(world: World, kind: 'hub' | 'session' | 'review', change: (sql: Sql) => void): void {
  const hosts = world.gateway.hostsOf(kind).filter((one) => one.storage.tables().length > 0)
  if (hosts.length === 0) return
  const host = world.random.pick(hosts)
  host.reset('a release')
  change(host.storage)
  host.flush()
}
type Sql = { exec(query: string): { toArray(): Record<string, unknown>[] }; tables(): string[] }

const newColumn: Happens = (world) =>
  rows(world, world.random.pick(['hub', 'session'] as const), (sql) => {
    const tables = sql.tables().filter((name) => !name.startsWith('audit'))
    for (const table of tables) {
      const has = sql.exec(`PRAGMA table_info(${table})`).toArray()
      if (has.some(({ name }) => name === 'later')) continue
      sql.exec(`ALTER TABLE ${table} ADD COLUMN later TEXT`)
    }
  })

const newFields: Happens = (world) => {
  const fields = {
    hub: [
      ['recent', 'entry'],
      ['agents', 'health'],
      ['queue', 'entry'],
    ],
    session: [['binding', 'json']],
    review: [['review', 'row']],
  } as const
  const kind = world.random.pick(['hub', 'session', 'review'] as const)
  rows(world, kind, (sql) => {
    for (const [table, column] of fields[kind]) {
      if (!sql.tables().includes(table)) continue
      sql.exec(`UPDATE ${table} SET ${column} = json_set(${column}, '$.later', json('{"a":1}'))`)
    }
  })
}

/** The columns and tables that came after the first release, as a rollback and a return leave them. */
const oldRows: Happens = (world) =>
  rows(world, 'hub', (sql) => {
    sql.exec('DROP INDEX IF EXISTS bindings_not_done')
    for (const column of ['change_by', 'change_ms', 'armed_boot']) {
      const has = sql.exec('PRAGMA table_info(cells)').toArray()
      if (has.some(({ name }) => name === column))
        sql.exec(`ALTER TABLE cells DROP COLUMN ${column}`)
    }
  })

/** One object comes back as it was a while ago. */
const restored =
  (kind: 'hub' | 'session'): Happens =>
  (world) => {
    const hosts = world.gateway.hostsOf(kind).filter((one) => one.storage.tables().length > 0)
    if (hosts.length === 0) return
    const host = world.random.pick(hosts)
    // A copy of what a restore has only just brought back is no second fault.
    if (world.restoring.has(host.name)) return
    world.restoring.add(host.name)
    host.flush()
    const copy = host.storage.dump()
    const entries = copy.get('audit')?.length ?? 0
    later(world, 5_000, 40_000, () => {
      later(world, 30_000, 30_000, () => world.restoring.delete(host.name))
      // What D1 was not told of before it was lost, nobody can miss.
      const mark = world.gateway.d1.prepare('SELECT hub_mark AS n FROM sites').all()[0]?.['n']
      const lost = kind === 'hub' ? Number(mark) - entries : 1
      host.reset('restored')
      host.storage.restore(copy)
      host.flush()
      world.log('fault', `${host.name} is as it was, ${lost} entries back`)
      if (lost > 0) world.restores.push({ kind, at_ms: world.time.now_ms })
    })
  }

const stopped =
  (asleep: boolean): Happens =>
  (world) =>
    anyMachine(world).stopFor(world.random.between(300, 70_000), asleep)

const restarts = (machine: Machine, world: World, least = 100, most = 8_000): void =>
  later(world, least, most, () => {
    machine.bench.back()
    machine.start()
  })

/** A second process with the key of a cell, on a machine and a bench of its own. */
const twin: Happens = (world) => {
  const cell = world.random.pick(cells)
  void signer(cell, cell === 'cell-1' ? agentJwk : strangerJwk).then((own) => {
    const machine = world.addMachine(`${cell} twin ${world.machines.length}`, cell, own)
    machine.start()
    later(world, 2_000, 30_000, () => machine.kill())
  })
}

const disk =
  (state: 'full' | 'no_sync'): Happens =>
  (world) => {
    const machine = anyMachine(world)
    machine.disk.state = state
    later(world, 500, 20_000, () => {
      machine.disk.state = 'well'
    })
  }

const folder: Happens = (world) => {
  const machine = anyMachine(world)
  const copy = machine.disk.copy()
  later(world, 3_000, 40_000, () => {
    machine.kill()
    machine.disk.restore(copy)
    restarts(machine, world)
  })
}

export const faults: Readonly<Record<string, Happens>> = {
  cut: (world) => {
    const open = openSockets()
    if (open.length > 0) world.random.pick(open).cut()
  },
  cut_off: (world) => {
    const { process } = anyMachine(world)
    world.cutOff.add(process)
    later(world, 200, 90_000, () => world.cutOff.delete(process))
  },
  object_reset: (world) => world.random.pick(world.gateway.hosts()).reset('a crash'),
  object_sleeps: (world) => world.random.pick(world.gateway.hosts()).evict(),
  gateway_killed: (world) => {
    world.gateway.die('the gateway is killed')
    world.gatewayDown = true
    later(world, 50, 10_000, () => {
      world.gatewayDown = false
    })
  },
  d1_down: (world) => {
    world.d1Down = true
    later(world, 500, 20_000, () => {
      world.d1Down = false
    })
  },
  agent_killed: (world) => {
    const machine = anyMachine(world)
    machine.kill()
    restarts(machine, world)
  },
  agent_leaves: (world) => {
    const machine = anyMachine(world)
    machine.leave()
    restarts(machine, world, 21_000, 30_000)
  },
  agent_stopped: stopped(false),
  machine_asleep: stopped(true),
  power_cut: (world) => {
    const machine = anyMachine(world)
    machine.powerCut()
    restarts(machine, world)
  },
  local_stop: (world) => anyMachine(world).haltSessions(),
  clock: (world) => {
    const machine = anyMachine(world)
    machine.process.skew_ms = world.random.between(-9_000, 9_000)
    later(world, 2_000, 40_000, () => {
      // Of the machine: a process that starts anew meanwhile has the same clock.
      machine.process.skew_ms = 0
    })
  },
  twin,
  disk_full: disk('full'),
  disk_no_sync: disk('no_sync'),
  state_folder_restored: folder,
  server_restarts: (world) => {
    const { bench } = anyMachine(world)
    bench.down()
    later(world, 100, 8_000, () => bench.back())
  },
  safe_stop_refused: (world) => {
    world.safeStopRefused = true
    later(world, 1_000, 30_000, () => {
      world.safeStopRefused = false
    })
  },
  new_columns: newColumn,
  new_fields: newFields,
  old_rows: oldRows,
  hub_restored: restored('hub'),
  session_restored: restored('session'),
}

/** What goes wrong all the time while a seed has it. */
const rates: Readonly<Record<string, Partial<Rates>>> = {
  frames_lost: { frameLost: 0.04 },
  frames_doubled: { frameDoubled: 0.2 },
  frames_late: { frameLate: 0.1 },
  calls_lost: { callLost: 0.02 },
  flushes_fail: { flushFails: 0.005 },
  acts_fail: { actFails: 0.1 },
}

/** Asked for by name alone: a machine so busy that every frame comes twice, and many late. */
const byName: Readonly<Record<string, Partial<Rates>>> = {
  every_frame_twice: { frameDoubled: 1, frameLate: 0.3 },
}

export const kinds: readonly string[] = [...Object.keys(faults), ...Object.keys(rates)]

/** A few kinds, by the world's chance; each happens some times until `until_ms`. */
export function breakThings(world: World, chosen: readonly string[], until_ms: number): void {
  for (const kind of chosen) {
    const happens = faults[kind]
    if (happens === undefined) {
      world.rates = { ...world.rates, ...rates[kind], ...byName[kind] }
    } else {
      const again = (): void =>
        later(world, 1_000, 40_000, () => {
          if (world.time.now_ms >= until_ms) return
          world.log('fault', kind)
          happens(world)
          again()
        })
      again()
    }
  }
}

export function chooseKinds(world: World): string[] {
  const left = [...kinds]
  const n = 1 + world.random.below(5)
  return Array.from(
    { length: n },
    () => left.splice(world.random.below(left.length), 1)[0] as string,
  )
}
