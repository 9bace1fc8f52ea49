// What a site is set to, in a real browser: read by every role, changed by administrators after they saw what
// changes, and nothing that a role may not do is offered.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { hasBrowser, startWorld, tabTo, type World } from './page.ts'

let world: World
let rosa = ''
beforeAll(async () => {
  if (!hasBrowser) return
  world = await startWorld()
  rosa = await world.token('reviewer', 'rosa')
})
afterAll(() => world?.close())

const policyNow = () =>
  must<{ policy: { approvals_required: number } }>(world.gateway.url, {
    method: 'GET',
    path: '/v1/policies',
    token: world.site.admin,
  })

describe.runIf(hasBrowser)('the pages of a site', () => {
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
