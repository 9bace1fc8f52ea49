// What a site is set to, in a real browser: read by every role, changed by administrators after they saw what
// changes, and nothing that a role may not do is offered.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { must } from '../../../lab/local/client.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { digest } from '../../../protocol/digest.ts'
import { scratch } from '../support/scratch.ts'
import { found, overflow } from './audit.ts'
import { hasBrowser, startWorld, tabTo, type World } from './page.ts'

let world: World
let rosa = ''
beforeAll(async () => {
  if (!hasBrowser) return
  world = await startWorld()
  rosa = await world.token('reviewer', 'rosa')
})
afterAll(() => world?.close())

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

const clean = async (page: Page) => [await found(page), await overflow(page)]
const policyNow = () =>
  must<{ policy: { approvals_required: number } }>(world.gateway.url, {
    method: 'GET',
    path: '/v1/policies',
    token: world.site.admin,
  })

describe.runIf(hasBrowser)('the pages of a site', () => {
  it('show every part to an administrator at 320 px in the dark, and axe finds nothing', async () => {
    const page = await world.open(world.site.admin, '#/site', { ...phone, colorScheme: 'dark' })
    await page.getByText('It takes up runs.').waitFor()
    expect(await clean(page)).toEqual([[], 0])
    const parts: [string, string | RegExp][] = [
      ['Site file', 'In force:'],
      ['Policy', 'approvals required'],
      ['Tools', /^30 of 30; \d+ not proven/],
      ['Memory', /^0 of 0/],
      ['Keeping', 'Days that are kept (empty: for ever)'],
      ['Trail', 'site created'],
    ]
    const nav = page.getByRole('navigation', { name: 'Parts of the site' })
    for (const [part, text] of parts) {
      await nav.getByRole('link', { name: part }).tap()
      await page.getByText(text).first().waitFor()
      expect([part, ...(await clean(page))]).toEqual([part, [], 0])
      if (part === 'Trail') break
    }
    await page.getByLabel('Find in the trail').fill('registry approved')
    await page.getByText(/^1 of \d+/).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save these 1' }).tap()
    const file = await (await download).path()
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ event: 'registry_approved' })
    await page.context().close()
  })

  it('set a policy by the keyboard alone, after what changes was shown', async () => {
    const page = await world.open(world.site.admin, '#/site/policy')
    await page.getByText('Default: 1.').first().waitFor()
    await tabTo(page, /^approvals required\|/)
    await page.keyboard.type('2')
    const bar = page.getByRole('region', { name: 'What changes' })
    await bar.getByText('approvals required').waitFor()
    expect((await policyNow()).policy.approvals_required).toBe(1)
    await tabTo(page, /Set this policy …$/)
    await page.keyboard.press('Enter')
    await tabTo(page, /Yes, set this policy$/)
    await page.keyboard.press('Enter')
    await bar.getByText('Set. Decisions under the old policy').waitFor()
    expect((await policyNow()).policy.approvals_required).toBe(2)
    await page.getByLabel('approvals required').fill('9')
    await page.getByRole('button', { name: 'Set this policy …' }).click()
    await page.getByRole('button', { name: 'Yes, set this policy' }).click()
    await bar.getByText('/approvals_required').waitFor()
    await page.context().close()
  })

  it('approve exactly the site file that was compared, and say what is wrong with another', async () => {
    const { registry } = await loadSite()
    const [first, ...others] = registry.tools
    if (first === undefined) throw new Error('the site has no tool')
    const hostile = '<img src=x onerror=alert(1)>\u202e'
    const wrong = { ...registry, tools: [{ ...first, description: hostile, risk_class: 'none' }] }
    const next = { ...registry, tools: [{ ...first, description: 'Mount one tip.' }, ...others] }
    const file = path.join(scratch(), 'next.json')
    const page = await world.open(world.site.admin, '#/site/file')
    await page.getByText('In force:').waitFor()
    await writeFile(file, JSON.stringify(wrong))
    await page.getByLabel('Draft (JSON)').setInputFiles(file)
    await page.getByText(`${others[0]?.name ?? ''}: gone`).waitFor()
    const text = await page.locator('main').innerText()
    expect(text).toContain('<img src=x onerror=alert(1)>⟨U+202E⟩')
    expect(await page.locator('img').count()).toBe(0)
    expect(await found(page)).toEqual([])
    const approve = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Approve this site file …' }).click()
      await page.getByRole('button', { name: 'Yes, approve this site file' }).click()
    }
    await approve()
    await page.getByText('What is wrong with it').waitFor()
    await writeFile(file, JSON.stringify(next))
    await page.getByLabel('Draft (JSON)').setInputFiles(file)
    await page.getByText('Mount one tip.').waitFor()
    await approve()
    await page.getByText('Approved: it is in force').waitFor()
    await page.getByText(await digest('registry', next)).waitFor()
    await page.context().close()
  })

  it('offer an operator the drain and no more than his role has, and a reviewer nothing of it', async () => {
    const olga = await world.token('operator', 'olga')
    const page = await world.open(olga, '#/site')
    await page.getByLabel('Why, for whoever waits').fill('Cleaning.')
    await page.getByRole('button', { name: 'Take up no new runs' }).click()
    await page.getByText('It takes up no new runs since').waitFor()
    await page.getByText('olga: Cleaning.').waitFor()
    await page.getByLabel('Why, for whoever waits').fill('Clean.')
    await page.getByRole('button', { name: 'Take up runs again' }).click()
    await page.getByText('It takes up runs.').waitFor()
    await page.getByRole('link', { name: 'Policy' }).click()
    await page.getByText('Default: 1.').first().waitFor()
    expect(await page.getByRole('region', { name: 'What changes' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Memory' }).count()).toBe(0)
    const hers = await world.open(rosa, '#/site')
    await hers.getByText('It takes up runs.').waitFor()
    expect(await hers.getByRole('button', { name: 'Take up no new runs' }).count()).toBe(0)
    for (const one of [page, hers]) await one.context().close()
  })

  it('hold a plan, and let it go', async () => {
    const plan = await world.escalated({ goal: 'Kept for the board' })
    const page = await world.open(world.site.admin, '#/site/keeping')
    await page.getByLabel('Plan (empty: the whole site)').fill(plan)
    await page.getByLabel('Why it is held').fill('Case 12.')
    await page.getByRole('button', { name: 'Hold', exact: true }).click()
    await page.getByText('It is held: nothing of it is deleted.').waitFor()
    await page.getByRole('button', { name: `Let go of the hold on ${plan} …` }).click()
    await page.getByRole('button', { name: `Yes, let go of the hold on ${plan}` }).click()
    await page.getByText('There is none.').waitFor()
    await page.context().close()
  })
})
