// What a decision costs a reviewer, measured on the five kinds of plans that people were watched with: words
// and screens before the decision, and clicks. With PORTCULLIS_PICTURES=FOLDER also the pictures of the docs, the
// weight of the page, the time to the first inbox on a slow machine and the memory at a thousand rows.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { must, recordCell } from '../../../lab/local/client.ts'
import { cellRecordSchema } from '../../../protocol/state.ts'
import { cell, hasBrowser, startWorld, type World } from './page.ts'

/** Command injection, heat, consent, payload, supply chain: each waits for a person. */
const five = ['owndev-009', 'owndev-017', 'owndev-018', 'owndev-020', 'owndev-031']
const wordsMax = 120
const pictures = process.env['PORTCULLIS_PICTURES'] ?? null
const root = path.join(import.meta.dirname, '../../..')
const built = path.join(root, '.build/console')
const desk = { viewport: { width: 1_280, height: 800 } }

type Row = {
  id: string
  goal: string
  instructions: string[]
  planner: { id: string }
  nodes: object[]
  state: object | null
}

let world: World
let rosa = ''
const plans: { id: string; goal: string; plan: string }[] = []

beforeAll(async () => {
  if (!hasBrowser) return
  world = await startWorld({ graph: true })
  rosa = await world.token('reviewer', 'rosa')
  const operator = await world.token('operator', 'olga')
  const file = await readFile(path.join(root, 'lab/eval/data/dev-40.v2.jsonl'), 'utf8')
  const rows = file.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
  for (const { id, state, ...plan } of rows.filter((row) => five.includes(row.id))) {
    if (state !== null) {
      await recordCell(world.gateway.url, operator, cell, cellRecordSchema.parse(state))
    }
    plans.push({ id, goal: plan.goal, plan: await waiting(plan) })
  }
}, 400_000)
afterAll(() => world?.close())

/** A plan of the labelled data, once it waits for a person. */
async function waiting(row: Omit<Row, 'id' | 'state'>): Promise<string> {
  const { goal, instructions, planner, nodes } = row
  const token = await must<{ token: string }>(world.gateway.url, {
    method: 'POST',
    path: '/v1/credentials',
    token: world.site.admin,
    body: { role: 'planner', subject: planner.id, owner: 'pia' },
  })
  const taken = await must<{ plan: string; state: string }>(world.gateway.url, {
    method: 'POST',
    path: '/v1/plans',
    token: token.token,
    headers: { prefer: 'wait=20' },
    body: { goal, instructions, planner, nodes },
  })
  expect([goal, taken.state]).toEqual([goal, 'escalated'])
  return taken.plan
}

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length

/** Words of what stands above and in the decision, and whether all of it is in the window. */
async function looked(page: Page): Promise<{ words: number; screens: number }> {
  const bar = page.getByRole('region', { name: 'Decision' })
  await bar.waitFor()
  const first = await page.locator('.first').innerText()
  const box = await page.getByRole('button', { name: 'Reject' }).boundingBox()
  const top = await page.locator('.first').boundingBox()
  const low = Math.max(
    (box?.y ?? Infinity) + (box?.height ?? 0),
    (top?.y ?? Infinity) + (top?.height ?? 0),
  )
  const screens = Math.ceil(low / desk.viewport.height)
  return { words: words(first) + words(await bar.innerText()), screens }
}

describe.runIf(hasBrowser)('a decision', () => {
  it('asks for at most 120 words, one screen, two clicks and a reason, for each of the five', async () => {
    const page = await world.open(rosa, '#/inbox', desk)
    const table: object[] = []
    for (const { id, goal, plan } of plans) {
      await page.goto(`${world.gateway.url}/console/#/inbox`)
      await page.getByRole('link', { name: goal }).click()
      const seen = await looked(page)
      table.push({ id, ...seen })
      expect([id, seen.words <= wordsMax, seen.screens]).toEqual([id, true, 1])
      await page.getByLabel('Why').fill('Not like this.')
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByText('Recorded: rejected by you.').waitFor()
      const address = `/v1/reviews/${plan}`
      const kept = await must<{ status: { state: string } }>(world.gateway.url, {
        method: 'GET',
        path: address,
        token: rosa,
      })
      expect(kept.status.state).toBe('rejected')
    }
    await report('decisions', table)
    await page.context().close()
  })
})

/** Kept beside the pictures, where they are asked for. */
async function report(name: string, value: unknown): Promise<void> {
  if (pictures === null) return
  await mkdir(pictures, { recursive: true })
  await writeFile(path.join(pictures, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`)
}

const row = (i: number) => ({
  plan: `plan_${String(i).padStart(26, '0')}`,
  planner: 'planner-1',
  owner: 'pia',
  concern: 'none',
  reasons: ['doubt_open'],
  packet_digest: null,
  received_ms: i,
  expires_ms: 1e15 + i,
  summary: {
    goal: `Goal ${i}`,
    what: 'One step.',
    why: 'A question.',
    risk: i % 4,
    concerned: [],
    approvals: 0,
    approvals_required: 1,
  },
})

describe.runIf(hasBrowser && pictures !== null)('the page', () => {
  it('is weighed and timed', async () => {
    const weight = { bytes: 0, gzip: 0 }
    for (const name of await readdir(built, { recursive: true })) {
      const file = path.join(built, name)
      if (!(await stat(file)).isFile()) continue
      const bytes = await readFile(file)
      weight.bytes += bytes.length
      weight.gzip += gzipSync(bytes).length
    }
    const page = await world.open(rosa, '#/inbox', desk)
    await page.route('**/v1/reviews?*', (route) => {
      const after = Number(new URL(route.request().url()).searchParams.get('after') ?? '0')
      const items = Array.from({ length: 100 }, (_, i) => row(after + i))
      return route.fulfill({ json: { items, next: after < 900 ? String(after + 100) : null } })
    })
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const started = performance.now()
    await page.reload()
    await page.getByText('1000 of 1000.').waitFor()
    const first_inbox_ms = Math.round(performance.now() - started)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    await report('page', {
      ...weight,
      first_inbox_ms,
      slowed: 4,
      heap_mb_at_1000_rows: Math.round(usedSize / 1e5) / 10,
    })
    await page.context().close()
  })

  it('is pictured', async () => {
    const folder = pictures ?? ''
    const view = { viewport: { width: 900, height: 620 } }
    const plan = await world.escalated({
      goal: 'Warm the block for the lysis',
      nodes: [
        {
          id: 'n1',
          tool: 'heater_shaker.set_temperature',
          args: { device_id: 'hs_1', temperature_c: 40, hold_s: 60, attended: true },
          depends_on: [],
        },
      ],
    })
    const shots: [string, string, string, string][] = [
      ['inbox', rosa, '#/inbox', 'Warm the block for the lysis'],
      ['review', rosa, `#/plans/${plan}`, 'What the planner wrote'],
      ['cell', await world.token('operator', 'olga'), `#/cells/${cell}`, 'Devices'],
      ['policy', world.site.admin, '#/site/policy', 'approvals required'],
    ]
    for (const [name, token, address, text] of shots) {
      const page = await world.open(token, '', view)
      await page.goto(`${world.gateway.url}/console/${address}`)
      await page.getByText(text).first().waitFor()
      await page.screenshot({ path: path.join(folder, `${name}.png`) })
      await page.context().close()
    }
    const small = await world.open(rosa, `#/plans/${plan}`, {
      viewport: { width: 320, height: 620 },
      hasTouch: true,
      colorScheme: 'dark',
    })
    await small.getByRole('region', { name: 'Decision' }).waitFor()
    await small.screenshot({ path: path.join(folder, 'review-320-dark.png') })
    await small.context().close()
  })
})
