// A deployment from an empty account and from every half-done state, twice, looked at, and away again;
// against the stand-in of the platform's API. The whole command, with the platform's real tool, once.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configText, root } from '../../../deploy/config.ts'
import { drain } from '../../../deploy/drain.ts'
import { diagnose } from '../../../deploy/doctor.ts'
import { openPlatform, type Platform } from '../../../deploy/platform.ts'
import type { World } from '../../../deploy/port.ts'
import { setUp, stepsOf, tearDown } from '../../../deploy/steps.ts'
import { openVault } from '../../../deploy/vault.ts'
import { versions } from '../../../protocol/versions.ts'
import { StandIn } from './stand-in.ts'

let standIn: StandIn
let base: string
let folder: string

beforeEach(async () => {
  standIn = new StandIn()
  base = await standIn.start()
  folder = mkdtempSync(path.join(tmpdir(), 'setup-'))
})
afterEach(async () => {
  await standIn.close()
  rmSync(folder, { recursive: true, force: true })
})

const migrations = ['0001_core.sql']
const allMigrations = readdirSync(path.join(root, 'migrations'))

/** The world over the stand-in; the platform's tool is played by what it would change. */
function worldOf(over: Partial<World> = {}): World {
  const platform = openPlatform({ base: `${base}/client/v4`, token: 'right', account: 'acc' })
  return {
    platform,
    vault: openVault(folder),
    name: 'portcullis',
    site: 'bench',
    owner: 'ada',
    address: base,
    graph: true,
    fetch,
    bundle: () => Promise.resolve('bundle 1'),
    whileMoving: false,
    migrations: () => allMigrations,
    wrangler(names, args) {
      if (args[0] === 'deploy') standIn.upload(names.name)
      else {
        const { db } = standIn.databases.get(names.database) ?? {}
        db?.exec('CREATE TABLE IF NOT EXISTS d1_migrations (name TEXT PRIMARY KEY)')
        for (const name of migrations) {
          db?.prepare('INSERT OR IGNORE INTO d1_migrations VALUES (?)').run(name)
        }
      }
      return Promise.resolve()
    },
    loadGraph: () => Promise.resolve(),
    wait: () => Promise.resolve(),
    ...over,
  }
}

const whole = [
  'database portcullis',
  'index portcullis-kg kind',
  'script portcullis METRICS_TOKEN_SHA256,OPERATOR_TOKEN_SHA256,SIGNING_KEYS,SITE_KEY_SECRET',
  'site bench',
]
const run = (world: World, dry = false) => setUp(world, dry, () => {})

class Killed extends Error {}

/** Dies at the n-th change, either before or after the platform made it. */
function dying(world: World, n: number, after: boolean): World {
  let count = 0
  const mortal =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      count += 1
      if (count === n && !after) throw new Killed()
      const result = await work(...args)
      if (count === n) throw new Killed()
      return result
    }
  const changing = ['createDatabase', 'createIndex', 'createMetadataIndex', 'putSecret'] as const
  const platform = { ...world.platform } as Platform
  for (const name of changing) {
    Object.assign(platform, { [name]: mortal(world.platform[name] as () => Promise<unknown>) })
  }
  return {
    ...world,
    platform,
    wrangler: mortal(world.wrangler),
    loadGraph: mortal(world.loadGraph),
    fetch: mortal(async (input: string | URL | Request, init?: RequestInit) => fetch(input, init)),
  }
}

describe('a set-up', () => {
  it('from an empty account makes one of each, and again changes nothing', async () => {
    const told: string[] = []
    await setUp(worldOf(), false, (step, outcome) => told.push(`${step}: ${outcome}`))
    expect(standIn.resources()).toEqual(whole)
    expect(told.filter((line) => line.endsWith(': done'))).toHaveLength(stepsOf(worldOf()).length)
    const before = [...standIn.changes]
    const uploads = standIn.scripts.get('portcullis')?.uploads
    const operator = openVault(folder).read('operator-token')
    await run(worldOf())
    expect(standIn.changes).toEqual(before)
    expect(standIn.scripts.get('portcullis')?.uploads).toBe(uploads)
    expect(openVault(folder).read('operator-token')).toBe(operator)
  })

  it('killed before or after each change, is finished by the next run: one of each', async () => {
    for (const after of [false, true]) {
      let deaths = 0
      for (let n = 1; n < 40; n++) {
        await standIn.close()
        rmSync(folder, { recursive: true, force: true })
        standIn = new StandIn()
        base = await standIn.start()
        const died = await run(dying(worldOf(), n, after)).then(
          () => false,
          (cause: unknown) => {
            if (!(cause instanceof Killed)) throw cause
            return true
          },
        )
        if (!died) break
        deaths += 1
        await run(worldOf())
        expect(standIn.resources(), `killed ${after ? 'after' : 'before'} change ${n}`).toEqual(
          whole,
        )
        await run(worldOf())
        expect(standIn.resources()).toEqual(whole)
      }
      expect(deaths).toBeGreaterThanOrEqual(9)
    }
  }, 60_000)

  it('deploys again when the code changed, and only then', async () => {
    await run(worldOf())
    await run(worldOf({ bundle: () => Promise.resolve('bundle 2') }))
    expect(standIn.scripts.get('portcullis')?.uploads).toBe(2)
  })

  it('does not deploy while a cell moves or may move, unless it is told to', async () => {
    await run(worldOf())
    const next = { bundle: () => Promise.resolve('bundle 2') }
    standIn.moving.running.push({ site: 'bench', cell: 'cell-1', session: 's' })
    await expect(run(worldOf(next))).rejects.toThrow('In cell-1 of bench a plan runs')
    // The same code again deploys nothing, and is not held up.
    await run(worldOf())
    standIn.moving.running.splice(0)
    standIn.moving.silent.push('bench')
    await expect(run(worldOf(next))).rejects.toThrow('do not say whether they move: bench')
    standIn.moving.silent.splice(0)
    const stranger = { ...next, vault: { ...openVault(folder), read: () => null } }
    await expect(run(worldOf(stranger))).rejects.toThrow('--while-moving')
    expect(standIn.scripts.get('portcullis')?.uploads).toBe(1)
    await run(worldOf(next))
    standIn.moving.running.push({ site: 'bench', cell: 'cell-1', session: 's' })
    const told = { bundle: () => Promise.resolve('bundle 3'), whileMoving: true }
    await run(worldOf(told))
    expect(standIn.scripts.get('portcullis')?.uploads).toBe(3)
  })

  it('does not deploy over rows or a database that it does not read, whatever it is told', async () => {
    await run(worldOf())
    const next = { bundle: () => Promise.resolve('bundle 2'), whileMoving: true }
    standIn.versions = { ...versions, session: versions.session + 2 }
    await expect(run(worldOf(next))).rejects.toThrow('session:')
    standIn.versions = { ...versions, session: versions.session + 1 }
    const [{ db } = { db: undefined }] = standIn.databases.values()
    db?.prepare('INSERT INTO d1_migrations VALUES (?)').run('9999_later.sql')
    await expect(run(worldOf(next))).rejects.toThrow('9999_later.sql')
    expect(standIn.scripts.get('portcullis')?.uploads).toBe(1)
    db?.exec(`DELETE FROM d1_migrations WHERE name = '9999_later.sql'`)
    await run(worldOf(next))
    expect(standIn.scripts.get('portcullis')?.uploads).toBe(2)
  })

  it('is drained, and says what runs until nothing does', async () => {
    await run(worldOf())
    standIn.moving.running.push({ site: 'bench', cell: 'cell-1', session: 's' })
    const lines: string[] = []
    const wait = () => Promise.resolve(void standIn.moving.running.splice(0))
    const asked = { on: true, reason: 'A release.', waits: true }
    await drain(worldOf({ wait }), asked, (line) => lines.push(line))
    expect(lines).toEqual([
      '1 of 1 sites bind no plan; running: cell-1 of bench',
      '1 of 1 sites bind no plan; nothing runs',
    ])
    await drain(worldOf(), { ...asked, on: false }, (line) => lines.push(line))
    expect(lines.at(-1)).toBe('0 of 1 sites bind no plan; nothing runs')
  })

  it('said dry, changes nothing and tells every step', async () => {
    const told: string[] = []
    await setUp(worldOf(), true, (step, outcome) => told.push(`${step}: ${outcome}`))
    expect(standIn.resources()).toEqual([])
    expect(told).toHaveLength(stepsOf(worldOf()).length)
    expect(told).toContain('first site: would')
  })

  it('is taken away: what it made and nothing else', async () => {
    const foreign = standIn.addDatabase('somebody-elses')
    standIn.indexes.set('other', { config: { dimensions: 3, metric: 'cosine' }, metadata: [] })
    await run(worldOf())
    await tearDown(worldOf())
    expect(standIn.resources()).toEqual(['database somebody-elses', 'index other ', 'site bench'])
    expect(standIn.databases.has(foreign)).toBe(true)
    expect(await tearDown(worldOf())).toEqual([])
  })

  it('killed after any change, leaves nothing that a teardown does not find', async () => {
    for (let n = 1; n < 10; n++) {
      await standIn.close()
      rmSync(folder, { recursive: true, force: true })
      standIn = new StandIn()
      base = await standIn.start()
      await run(dying(worldOf(), n, true)).catch((cause: unknown) => {
        if (!(cause instanceof Killed)) throw cause
      })
      await tearDown(worldOf())
      const left = standIn.resources().filter((one) => !one.startsWith('site '))
      expect(left, `killed after change ${n}`).toEqual([])
    }
  })

  it('does not take away what was there before it', async () => {
    standIn.addDatabase('portcullis')
    await run(worldOf())
    await tearDown(worldOf())
    expect(standIn.resources()).toContain('database portcullis')
  })
})

const broken: [string, string, () => void][] = [
  ['no database', 'database', () => standIn.databases.clear()],
  ['a migration missing', 'migrations', () => {}],
  [
    'an index of another size',
    'index',
    () => {
      standIn.indexes.set('portcullis-kg', {
        config: { dimensions: 768, metric: 'cosine' },
        metadata: [],
      })
    },
  ],
  ['no index', 'index', () => standIn.indexes.clear()],
  [
    'no metadata index',
    'metadata index',
    () => standIn.indexes.get('portcullis-kg')?.metadata.splice(0),
  ],
  ['no worker', 'worker', () => standIn.scripts.clear()],
  [
    'a secret missing',
    'secrets',
    () => standIn.scripts.get('portcullis')?.secrets.delete('SITE_KEY_SECRET'),
  ],
  [
    'no signing key',
    'signer',
    () => standIn.scripts.get('portcullis')?.secrets.delete('SIGNING_KEYS'),
  ],
  ['storage down', 'storage', () => (standIn.health['storage'] = 'down')],
  ['objects down', 'objects', () => (standIn.health['objects'] = 'down')],
  ['no graph', 'knowledge', () => (standIn.health['knowledge'] = 'none')],
  ['a clock ten seconds off', 'address', () => (standIn.dateOffsetMs = 10_000)],
  ['no such site', 'administrator', () => standIn.sites.clear()],
]

describe('the doctor of a deployment', () => {
  it.each(broken)('names %s and says what to do', async (name, check, breakIt) => {
    await run(worldOf())
    if (name !== 'a migration missing') {
      const [{ db } = { db: undefined }] = standIn.databases.values()
      for (const file of readdirSync(path.join(root, 'migrations'))) {
        db?.prepare('INSERT OR IGNORE INTO d1_migrations VALUES (?)').run(file)
      }
      expect((await diagnose(worldOf(), Date.now())).filter(({ ok }) => !ok)).toEqual([])
    }
    breakIt()
    const found = (await diagnose(worldOf(), Date.now())).filter(({ ok }) => !ok)
    const named = found.find((one) => one.check === check)
    expect(named, JSON.stringify(found)).toBeDefined()
    expect(named?.what.length).toBeGreaterThan(5)
    expect(named?.remedy.length).toBeGreaterThan(10)
  })
})

/** The whole command as people run it. */
function command(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [path.join(root, 'deploy/cli.ts'), ...args], {
    env: {
      ...process.env,
      CLOUDFLARE_API_BASE_URL: `${base}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'right',
      CLOUDFLARE_ACCOUNT_ID: '',
      ...env,
    },
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return new Promise<{ code: number | null; text: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, text }))
  })
}

describe('the command', () => {
  const name = `test-${process.pid}`

  it('sets up with the platform’s own tool, migrations on a real database, and tears down', async () => {
    const args = [
      '--name',
      name,
      '--site',
      'bench',
      '--owner',
      'ada',
      '--address',
      base,
      '--no-graph',
    ]
    try {
      const made = await command(['setup', ...args])
      expect(made.code, made.text).toBe(0)
      expect(made.text).toContain(`${base}/console`)
      expect(made.text).toMatch(/^https:\/\/door\.example\/console\/#\/sign-in\/abc$/m)
      expect(made.text).not.toMatch(/pcop_|pc_/)
      const [{ db } = { db: undefined }] = standIn.databases.values()
      expect(db?.prepare('SELECT count(*) AS n FROM sites').get()).toEqual({ n: 0 })
      const doctor = await command(['doctor', ...args])
      expect(doctor.code, doctor.text).toBe(0)
    } finally {
      const gone = await command(['teardown', '--name', name, '--address', base, '--yes', name])
      expect(gone.code, gone.text).toBe(0)
    }
    expect(standIn.resources()).toEqual(['site bench'])
  }, 120_000)

  it.each([
    [['setup', '--name', 'Wrong Name'], {}, 2, '--name'],
    [['setup', '--what'], {}, 2, 'usage'],
    [['fly'], {}, 2, 'no command fly'],
    [['teardown'], {}, 2, '--yes portcullis'],
    [['doctor'], { CLOUDFLARE_API_TOKEN: 'wrong' }, 1, 'Authentication'],
    [['doctor'], { CLOUDFLARE_ACCOUNT_ID: 'other' }, 1, 'may not use the account other'],
  ] as const)('%j says in a line what is wrong', async (args, env, code, said) => {
    const answer = await command([...args], env)
    expect(answer.code, answer.text).toBe(code)
    expect(answer.text).toContain(said)
  })
})

it('the configuration is the repository’s with names filled in, or an error', () => {
  const template =
    'name = "a"\nDEPLOYMENT = "b"\ndatabase_name = "c"\ndatabase_id = "d"\nindex_name = "e"\n'
  expect(configText(template, { name: 'x', database: 'id', deployment: 'h' })).toBe(
    'name = "x"\nDEPLOYMENT = "h"\ndatabase_name = "x"\ndatabase_id = "id"\nindex_name = "x-kg"\n',
  )
  expect(() => configText('name = "a"\n', { name: 'x', database: 'i', deployment: 'h' })).toThrow(
    'DEPLOYMENT',
  )
})
