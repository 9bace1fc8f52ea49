// The window over a site's recent plans, in an object of its own: bounded, read by what came after, restarted,
// and taken over from a hub that kept it before, once and without loss.
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { readWindow } from '../../durable-objects/window/reader.ts'
import type { WindowEntry } from '../../protocol/snapshot.ts'
import { windowRules } from '../../verify/screen/window/index.ts'
import { freshSite } from './support/door.ts'
import { ready } from './support/hub.ts'
import {
  decided,
  hubOf,
  idOf,
  loadTinyGraph,
  readPlan,
  reviewOf,
  until,
  windowOf,
} from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^\{"event":"window_row_unreadable"\}$/)

beforeAll(loadTinyGraph)

const entry = (plan: string, more: Partial<WindowEntry> = {}): WindowEntry => ({
  plan,
  planner: 'p',
  owner: 'p',
  at_ms: Date.now() - 1_000,
  verdict: 'reject',
  supersedes: null,
  sketch: [1],
  capabilities: [],
  tools: [],
  codes: [],
  sigma: 0,
  marks: [],
  ...more,
})
const plansOf = async (site: string) =>
  (await readWindow(env, site, Date.now())).map(({ plan }) => plan)

/** Writes rows as a hub of the release before did. */
const writeOld = (site: string, rows: readonly (readonly [WindowEntry, string?])[]) =>
  runInDurableObject(hubOf(site), (_, state) => {
    for (const [one, text] of rows) {
      state.storage.sql.exec(
        'INSERT OR REPLACE INTO recent (plan, at_ms, entry) VALUES (?, ?, ?)',
        one.plan,
        one.at_ms,
        text ?? JSON.stringify(one),
      )
    }
  })

describe('bounds', () => {
  it('hold a flood by one planner, and leave what is known of another', async () => {
    const { site } = await freshSite()
    const remember = (planner: string, i: number) =>
      windowOf(site).remember(
        site,
        entry(`${planner}-${i}`, { planner, owner: planner, at_ms: Date.now() - 100_000 + i }),
      )
    await remember('quiet', 0)
    for (let i = 0; i < windowRules.entriesPerPlannerMax + 200; i++) await remember('loud', i)
    const window = await readWindow(env, site, Date.now())
    expect(window.filter((one) => one.planner === 'quiet')).toHaveLength(1)
    expect(window.length).toBeLessThanOrEqual(windowRules.entriesPerPlannerMax + 65)
  })

  it('say on an entry that stays which halves of risks had to go', async () => {
    const { site } = await freshSite()
    const remember = (i: number, marks: string[]) =>
      windowOf(site).remember(
        site,
        entry(`p-${i}`, { at_ms: Date.now() - 100_000 + i, verdict: 'accept', sketch: [i], marks }),
      )
    await remember(0, ['read:identifiers:RL-901'])
    const most = windowRules.entriesPerPlannerMax + 65
    for (let i = 1; i <= most; i++) await remember(i, [`put:acid:s:w${i}`])
    const said = async () =>
      (await readWindow(env, site, Date.now())).filter((x) => x.marks.includes('more:read'))
    const [one] = await said()
    expect(one?.marks).toContain('more:put')
    // The same plan remembered again, as with a late verdict, still says it.
    if (one !== undefined) await windowOf(site).remember(site, { ...one, marks: ['send:outside'] })
    expect((await said()).map(({ plan }) => plan)).toEqual([one?.plan])
  })

  it('forget an entry that no longer counts, also for a reader who knew it', async () => {
    const { site } = await freshSite()
    const old = entry('old', { at_ms: Date.now() - windowRules.keptMs + 400 })
    await windowOf(site).remember(site, old)
    expect(await plansOf(site)).toEqual(['old'])
    await scheduler.wait(450)
    expect(await plansOf(site)).toEqual([])
    await windowOf(site).remember(site, entry('new'))
    expect(await plansOf(site)).toEqual(['new'])
  })
})

describe('a reader', () => {
  it('is sent what came after what it knows, and what went', async () => {
    const { site } = await freshSite()
    const window = windowOf(site)
    await window.remember(site, entry('a'))
    await window.remember(site, entry('b'))
    const first = await window.changes(site, null)
    expect(first).toMatchObject({ whole: true, entries: [{ plan: 'a' }, { plan: 'b' }] })
    await window.remember(site, entry('a', { verdict: 'accept' }))
    const next = await window.changes(site, first.mark)
    expect(next).toMatchObject({ whole: false, gone: [] })
    expect(next.entries.map(({ plan, verdict }) => [plan, verdict])).toEqual([['a', 'accept']])
    expect(await window.changes(site, next.mark)).toMatchObject({ whole: false, entries: [] })
  })

  it('gets all of it from an object that was restarted, and what was remembered is still there', async () => {
    const { site } = await freshSite()
    await windowOf(site).remember(site, entry('a'))
    const { mark } = await windowOf(site).changes(site, null)
    expect(await plansOf(site)).toEqual(['a'])
    await evictDurableObject(windowOf(site))
    expect(await windowOf(site).changes(site, mark)).toMatchObject({ whole: true })
    await windowOf(site).remember(site, entry('b'))
    expect((await plansOf(site)).toSorted()).toEqual(['a', 'b'])
  })

  it('knows the newest of many answers that cross each other', async () => {
    const { site } = await freshSite()
    const plans = Array.from({ length: 30 }, (_, i) => `p${String(i).padStart(2, '0')}`)
    await Promise.all(
      plans.flatMap((plan) => [windowOf(site).remember(site, entry(plan)), plansOf(site)]),
    )
    expect((await plansOf(site)).toSorted()).toEqual(plans)
  })
})

describe('the window that a hub of the release before kept', () => {
  it('is taken over, a row of it that cannot be read costs only itself', async () => {
    const { site } = await freshSite()
    await writeOld(site, [
      [entry('one')],
      [entry('two'), '{"plan":'],
      [entry('three'), JSON.stringify({ ...entry('three'), later: true, verdict: 'later_word' })],
    ])
    const taken = await readWindow(env, site, Date.now())
    expect(taken.map(({ plan, verdict }) => [plan, verdict])).toEqual([
      ['one', 'reject'],
      ['three', 'reject'],
    ])
  })

  it('is taken once: what is known since stands, and what a release rolled back adds is taken too', async () => {
    const { site } = await freshSite()
    await writeOld(site, [[entry('one')]])
    await windowOf(site).remember(site, entry('one', { verdict: 'accept' }))
    await evictDurableObject(windowOf(site))
    await writeOld(site, [[entry('two')]])
    const window = await readWindow(env, site, Date.now())
    expect(Object.fromEntries(window.map(({ plan, verdict }) => [plan, verdict]))).toEqual({
      one: 'accept',
      two: 'reject',
    })
  })

  it('is taken page by page', async () => {
    const { site } = await freshSite()
    const plans = Array.from({ length: 1_200 }, (_, i) => entry(`p-${i}`, { planner: `of-${i}` }))
    await writeOld(
      site,
      plans.map((one) => [one] as const),
    )
    expect(await plansOf(site)).toHaveLength(1_200)
  })
})

describe('a plan that was judged', () => {
  it('is in the window before its verdict is told, and counts no longer as being judged', async () => {
    const { site } = await ready()
    const id = idOf(await decided(site, readPlan(site.plannerId)))
    expect(await plansOf(site.site)).toContain(id)
    await until('judged', () =>
      runInDurableObject(hubOf(site.site), (_, state) => {
        const sql = 'SELECT judged_ms AS at FROM submitted WHERE plan = ?'
        return state.storage.sql.exec<{ at: number | null }>(sql, id).one().at !== null
      }),
    )
  })

  it('is held against the next one: a copy of what was refused is flagged', async () => {
    const { site } = await ready()
    const plan = readPlan(site.plannerId)
    const id = idOf(await decided(site, plan))
    const known = (await readWindow(env, site.site, Date.now())).find((one) => one.plan === id)
    if (known === undefined) throw new Error('not remembered')
    await windowOf(site.site).remember(site.site, { ...known, verdict: 'reject' })
    const again = idOf(await decided(site, plan))
    expect(await reviewOf(site.site, again).evidence()).toContain('WINDOW_PROBING')
  })
})
