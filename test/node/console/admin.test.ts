// An administrator in a real browser lets people and programs in and out, and an agent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { found, overflow } from './audit.ts'
import { hasBrowser, planner, startWorld, tabTo, type World } from './page.ts'

let world: World
beforeAll(async () => {
  if (hasBrowser) world = await startWorld()
})
afterAll(() => world?.close())

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

describe.runIf(hasBrowser)('an administrator', () => {
  it('lets a reviewer in by the keyboard alone, by a link, and off-boards by one act', async () => {
    const page = await world.open(world.site.admin, '#/people')
    await page.getByRole('heading', { name: 'People and programs' }).waitFor()
    await tabTo(page, /^Name\|/)
    await page.keyboard.type('nora')
    await page.keyboard.press('Enter')
    await page.getByText('Give this link to nora').waitFor()
    const link = await page.getByRole('group', { name: 'Shown once' }).locator('output').innerText()
    const hers = await (await world.browser.newContext()).newPage()
    hers.setDefaultTimeout(20_000)
    await hers.goto(link)
    await hers.getByText('nora, reviewer').waitFor()
    await page.getByText(/nora, since/).waitFor()
    await page.getByRole('button', { name: 'Off-board nora …' }).click()
    await page.getByText('Every credential and every sign-in of this person ends').waitFor()
    await page.getByRole('button', { name: 'Yes, off-board nora' }).click()
    await page.getByText('nora is out. Revoked: 1.').waitFor()
    await hers.getByText('Your sign-in has ended').waitFor()
    for (const one of [page, hers]) await one.context().close()
  })

  it('gives a planner a token that works, once, and an agent a code', async () => {
    const page = await world.open(world.site.admin, '#/people', phone)
    await page.getByLabel('As').selectOption('planner')
    await page.getByLabel('Who answers for it').fill('pia')
    await page.getByLabel('Name of the planner').fill(planner)
    await page.getByLabel('Ends after days').fill('30')
    await page.getByRole('button', { name: 'Let in' }).tap()
    const once = page.getByRole('group', { name: 'Shown once' })
    const token = await once.locator('output').innerText()
    const who = await must<{ role: string; subject: string }>(world.gateway.url, {
      method: 'GET',
      path: '/v1/me',
      token,
    })
    expect(who).toMatchObject({ role: 'planner', subject: planner })
    expect([await found(page), await overflow(page)]).toEqual([[], 0])
    await once.getByRole('button', { name: 'Put away' }).tap()
    expect(await page.content()).not.toContain(token)
    await page.getByRole('link', { name: 'Agents' }).tap()
    await page.getByText('Serves bench, never connected.').waitFor()
    await page.getByLabel('Name of the agent').fill('arm-2')
    await page.getByLabel('Cell that it serves').fill('bench-2')
    await page.getByRole('button', { name: 'Make a code' }).tap()
    await page.getByText(/enrol --config agent\.json --code [\w-]{27}/).waitFor()
    expect([await found(page), await overflow(page)]).toEqual([[], 0])
    await page.getByRole('button', { name: 'Revoke arm …' }).tap()
    await page.getByRole('button', { name: 'Yes, revoke arm' }).tap()
    await page.getByText('Serves bench, revoked.').waitFor()
    await page.context().close()
  })

  it('is told in words what cannot be done', async () => {
    const page = await world.open(world.site.admin, '#/people')
    const { owner } = await must<{ owner: string }>(world.gateway.url, {
      method: 'GET',
      path: '/v1/me',
      token: world.site.admin,
    })
    await page.getByRole('button', { name: `Off-board ${owner} …` }).click()
    await page.getByRole('button', { name: `Yes, off-board ${owner}` }).click()
    await page.getByText('The last administrator of a site stays').waitFor()
    await page.context().close()
    const rosa = await world.open(await world.token('reviewer', 'rosa'), '#/people')
    await rosa.getByText('This credential may not do that.').waitFor()
    expect(await rosa.getByRole('link', { name: 'People' }).count()).toBe(0)
    await rosa.context().close()
  })
})
