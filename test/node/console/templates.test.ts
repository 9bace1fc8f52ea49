// Standing approvals in a real browser: proposed from an accepted plan, signed by two people for exactly what
// was shown, used, and ended; and the dry run of a plan, which needs the knowledge graph too.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { digest } from '../../../protocol/digest.ts'
import { found, overflow } from './audit.ts'
import { hasBrowser, planner, startWorld, tabTo, type World } from './page.ts'

let world: World
let rosa = ''
let tom = ''
let plan = ''
beforeAll(async () => {
  if (!hasBrowser) return
  world = await startWorld({ graph: true })
  // The graph is loaded first, which takes a while on a busy machine.
  rosa = await world.token('reviewer', 'rosa', world.pair)
  tom = await world.token('reviewer', 'tom', world.pair)
  plan = await accepted('Warm <b>the</b> block')
}, 400_000)
afterAll(() => world?.close())

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
const url = () => world.gateway.url

/** A plan that two people have accepted. */
async function accepted(goal: string): Promise<string> {
  const args = { device_id: 'hs_1', temperature_c: 40, hold_s: 60, attended: true }
  const node = { id: 'n1', tool: 'heater_shaker.set_temperature', args, depends_on: [] }
  const made = await world.escalated({ goal, nodes: [node] }, world.pair)
  for (const token of [rosa, tom]) {
    const at = { path: `/v1/reviews/${made}`, token }
    const { packet } = await must<{ packet: object }>(url(), { method: 'GET', ...at })
    const body = {
      packet_digest: await digest('packet', packet),
      verdict: 'accept',
      rationale: 'Warm is fine.',
    }
    await must(url(), { method: 'POST', ...at, body })
  }
  return made
}

/** A template of the plan, made without the page. */
async function proposed(): Promise<{ template: string; digest: string }> {
  const within = { min: 35, max: 45 }
  const body = {
    plan,
    holes: [{ name: 'temperature', node: 'n1', pointer: '/temperature_c', within }],
    planners: [planner],
    runs: 3,
    until_ms: Date.now() + 3_600_000,
  }
  const call = { method: 'POST', path: '/v1/templates', token: rosa, body }
  return must(url(), call)
}

describe.runIf(hasBrowser)('a review', () => {
  it('shows what each step changes, and nothing of a dry run that the packet does not name (invariant 7)', async () => {
    const page = await world.open(rosa, `#/plans/${plan}`)
    await page.getByText('The state of the lab along the steps').click()
    await page
      .getByText(/hs_1, .*: .* → .*40/)
      .first()
      .waitFor()
    expect(await found(page)).toEqual([])
    await page.route('**/trace', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replaceAll('hs_1', 'hs_2')
      await route.fulfill({ response: answer, body })
    })
    await page.reload()
    await page.getByText('The state of the lab along the steps').click()
    await page.getByText('it is not the dry run that the packet names').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
  })
})

describe.runIf(hasBrowser)('a standing approval', () => {
  it('is proposed from an accepted plan by the keyboard alone and signed by two people', async () => {
    const page = await world.open(rosa, `#/plans/${plan}`)
    await page.getByText(`This plan is queued.`).waitFor()
    await tabTo(page, /Propose a standing approval/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Propose a standing approval' }).waitFor()
    await tabTo(page, /temperature_c, step 1/)
    await page.keyboard.press('Space')
    await tabTo(page, /^temperature_c from/)
    await page.keyboard.type('50')
    await tabTo(page, /^temperature_c to/)
    await page.keyboard.type('45')
    // Half a proposal is not lost.
    await page.reload()
    await tabTo(page, /^How many runs/)
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await page.getByText('min is above max').waitFor()
    await page.getByLabel('temperature_c from').fill('35')
    expect(await found(page)).toEqual([])
    await page.getByRole('button', { name: 'Propose' }).click()
    await page.getByRole('region', { name: 'Signature' }).waitFor()
    const text = await page.locator('main').innerText()
    expect(text).toContain('Warm <b>the</b> block')
    expect(text).toContain('temperature_c, step 1 (n1): temperature_c: from 35 to 45 (it was 40)')
    expect(text).toContain('Up to 12 runs')
    expect(text).toContain('0 of 2 signed')
    await tabTo(page, /^Why\|/)
    await page.keyboard.type('Between 35 and 45 nothing can happen.')
    await tabTo(page, /^\|Sign$/)
    await page.keyboard.press('Enter')
    await page.getByText('Signed: another person has to sign too.').waitFor()
    await page.getByText('You have signed it; another reviewer has to agree.').waitFor()
    const second = await world.open(tom, '#/templates', phone)
    await second.getByText('waits for signatures').waitFor()
    expect([await found(second), await overflow(second)]).toEqual([[], 0])
    await second.getByRole('link', { name: 'Warm <b>the</b> block' }).tap()
    await second.getByText('rosa approved exactly this record').waitFor()
    expect([await found(second), await overflow(second)]).toEqual([[], 0])
    await second.getByRole('button', { name: 'Sign', exact: true }).tap()
    await second.getByText('Write down why first.').waitFor()
    await second.getByLabel('Why').fill('Agreed.')
    await second.getByRole('button', { name: 'Sign', exact: true }).tap()
    await second.getByText('Signed: it is in force.').waitFor()
    await second.getByText('template approved').first().waitFor()
    await second.getByRole('button', { name: 'Check the chain' }).tap()
    await second.getByText(/The chain holds: \d+ entries/).waitFor()
    for (const one of [page, second]) await one.context().close()
  })

  it('is not signed by who answers for its planner, nor when the record is another one (invariant 7)', async () => {
    const { template } = await proposed()
    const own = await world.open(
      await world.token('reviewer', 'pia', world.pair),
      `#/templates/${template}`,
    )
    await own.getByText('You answer for one of its planners').waitFor()
    expect(await own.getByLabel('Why').count()).toBe(0)
    const page = await world.open(rosa, '#/templates')
    await page.route(`**/v1/templates/${template}`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replaceAll('"max":45', '"max":40')
      await route.fulfill({ response: answer, body })
    })
    await page.goto(`${url()}/console/#/templates/${template}`)
    await page.getByText('The record does not match its digest.').waitFor()
    expect(await page.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const one of [own, page]) await one.context().close()
  })

  it('shows its use, and is ended by an operator with one confirmed press', async () => {
    const { template, digest: of } = await proposed()
    for (const token of [rosa, tom]) {
      const path = `/v1/templates/${template}/approve`
      await must(url(), {
        method: 'POST',
        path,
        token,
        body: { digest: of, rationale: 'Fine.' },
      })
    }
    const { plan: run } = await must<{ plan: string }>(url(), {
      method: 'POST',
      path: `/v1/templates/${template}/runs`,
      token: await world.token('planner', 'pia', world.pair),
      headers: { 'idempotency-key': 'one', prefer: 'wait=20' },
      body: { values: { temperature: 41 } },
    })
    const page = await world.open(rosa, `#/templates/${template}`)
    await page.getByText('1 of 3 runs used').waitFor()
    await page.getByRole('link', { name: run }).first().waitFor()
    await page.context().close()
    const olga = await world.token('operator', 'olga', world.pair)
    const his = await world.open(olga, `#/templates/${template}`, { colorScheme: 'dark' })
    await his.getByRole('button', { name: 'End it …' }).click()
    await his.getByText('It covers no run any more, for good.').waitFor()
    expect(await found(his)).toEqual([])
    await his.getByRole('button', { name: 'Yes, end it' }).click()
    await his.getByText('It is ended for good.').waitFor()
    await his.getByText(/A person ended it. olga/).waitFor()
    await his.context().close()
  })
})
