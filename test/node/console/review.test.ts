// Reviewers in a real browser against a real gateway: find a plan, look, decide; and everything that must
// not happen on the way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { found, overflow } from './audit.ts'
import {
  cell,
  codeFor,
  hasBrowser,
  planner,
  signIn,
  startWorld,
  tabTo,
  type World,
} from './page.ts'

let world: World
let rosa = ''
let olga = ''

const heat = {
  id: 'n1',
  tool: 'heater_shaker.set_temperature',
  args: { device_id: 'hs_1', temperature_c: 40, hold_s: 60, attended: true },
  depends_on: [] as string[],
  sandbox: null,
}
const cool = { ...heat, id: 'n2', args: { ...heat.args, temperature_c: 20 }, depends_on: ['n1'] }
const nodes = [heat, cool]

beforeAll(async () => {
  if (!hasBrowser) return
  world = await startWorld()
  rosa = await world.token('reviewer', 'rosa')
  olga = await world.token('operator', 'olga')
})
afterAll(() => world?.close())

const address = (plan: string): string => `#/plans/${plan}`

describe.runIf(hasBrowser)('the inbox', () => {
  it('shows the goal first and why it waits, is live, and counts in the title', async () => {
    const page = await world.open(rosa, '')
    await page.getByRole('heading', { name: 'Plans that wait for a person' }).waitFor()
    await page.getByText('Live.').waitFor()
    const plan = await world.escalated({ goal: 'Warm the first block', nodes })
    await page.getByRole('link', { name: 'Warm the first block' }).waitFor()
    const row = page.getByRole('article').filter({ hasText: 'Warm the first block' })
    expect(await row.innerText()).toContain(planner)
    expect(await row.innerText()).toMatch(/2 steps/)
    expect(await page.title()).toMatch(/^\(\d+\) Inbox/)
    await page.getByLabel('Find').fill('no such words')
    await page.getByText(/^0 of /).waitFor()
    expect(page.url()).toContain('q=no+such+words')
    await page.getByLabel('Find').fill('first block')
    await page.getByRole('link', { name: 'Warm the first block' }).click()
    await page.getByRole('region', { name: 'Decision' }).waitFor()
    expect(page.url()).toContain(plan)
    await page.goBack()
    expect(await page.getByLabel('Find').inputValue()).toBe('first block')
    await page.context().close()
  })

  it('keeps a thousand rows out of the document and in reach', async () => {
    const page = await world.open(rosa, '#/inbox')
    const row = (i: number) => ({
      plan: `plan_${String(i).padStart(26, '0')}`,
      planner,
      owner: 'pia',
      concern: 'none',
      reasons: ['doubt_open'],
      packet_digest: null,
      received_ms: i,
      expires_ms: 1e15 + i,
      assignee: null,
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
    await page.route('**/v1/reviews?*', (route) => {
      const after = Number(new URL(route.request().url()).searchParams.get('after') ?? '0')
      const items = Array.from({ length: 100 }, (_, i) => row(after + i))
      return route.fulfill({ json: { items, next: after < 900 ? String(after + 100) : null } })
    })
    await page.reload()
    await page.getByText('1000 of 1000.').waitFor()
    await page.getByRole('link', { name: 'Goal 3', exact: true }).waitFor()
    expect(await page.getByRole('article').count()).toBeLessThan(40)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.getByRole('link', { name: 'Goal 996', exact: true }).waitFor()
    await page.getByLabel('Find').fill('goal 512')
    await page.getByText('1 of 1000.').waitFor()
    await page.context().close()
  })
})

describe.runIf(hasBrowser)('a review', () => {
  it('is found and decided by the keyboard alone', async () => {
    const plan = await world.escalated({ goal: 'Only by keys', nodes })
    const page = await world.open(rosa, '#/inbox')
    await page.getByRole('link', { name: 'Only by keys' }).waitFor()
    await tabTo(page, /^Find/)
    await page.keyboard.type('only by keys')
    await page.getByText(/^1 of /).waitFor()
    await tabTo(page, /Only by keys/)
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Decision' }).waitFor()
    await tabTo(page, /^Why\|/)
    await page.keyboard.type('Not today.')
    await tabTo(page, /^\|Reject$/)
    await page.keyboard.press('Enter')
    await page.getByText('Recorded: rejected by you.').waitFor()
    expect(await world.stateOf(plan)).toBe('rejected')
    await page.getByText(/rosa rejected exactly this packet/).waitFor()
    await page.context().close()
  })

  it('asks for a reason beside the buttons, then accepts exactly its packet', async () => {
    const plan = await world.escalated({ goal: '<b id="planted">Read</b> the tem\u200bperature.' })
    const page = await world.open(rosa, address(plan))
    await page.getByRole('button', { name: 'Accept' }).click()
    const bar = page.getByRole('region', { name: 'Decision' })
    await bar.getByText('Write down why first.').waitFor()
    expect(await world.stateOf(plan)).toBe('escalated')
    expect(await page.locator('h1').innerText()).toBe(
      '<b id="planted">Read</b> the tem⟨U+200B⟩perature.',
    )
    expect(await page.locator('#planted').count()).toBe(0)
    await page.getByLabel('Why').fill('A reading moves nothing.')
    await page.getByRole('button', { name: 'Accept' }).click()
    await bar.getByText('Recorded: accepted by you.').waitFor()
    expect(await world.stateOf(plan)).toBe('accepted')
    await page.context().close()
  })

  it('shows hostile text for what it is', async () => {
    const plan = await world.escalated({ goal: 'Hostile' })
    const hidden = [0x1b, 0x34f, 0xa0, 0x115f, 0x180b, 0x2003, 0x2028, 0x202e, 0x2066, 0x2800]
      .concat([0x3000, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xe0041, 0xe0100, 0xe01ef, 0xf0000])
      .map((code) => String.fromCodePoint(code))
    const page = await world.open(rosa, '#/inbox')
    await page.route(`**/v1/reviews/${plan}`, async (route) => {
      const answer = await route.fetch()
      const record = (await answer.json()) as { plan: object }
      const goal = `a${hidden.join('b')}c pаypal ｆull 5 µL`
      const who = { id: planner, model: 'large\u200bmodel' }
      const instructions = ['x'.repeat(65_536), '\u001b[31mred', '<script>alert(1)</script>']
      const changed = { ...record.plan, goal, planner: who, agent: 'arm-7', instructions }
      await route.fulfill({ response: answer, json: { ...record, plan: changed } })
    })
    await page.goto(`${world.gateway.url}/console/${address(plan)}`)
    await page.getByRole('alert').waitFor()
    const text = await page.locator('main').innerText()
    for (const character of hidden) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      expect(text).toContain(`⟨U+${code}⟩`)
    }
    expect(text).toContain('pа⟨U+0430⟩ypal')
    expect(text).toContain('ｆ⟨U+FF46⟩ull 5 µL')
    expect(text).toContain('⟨U+001B⟩[31mred')
    expect(text).toContain('<script>alert(1)</script>')
    expect(text).toContain('… and 64,736 more characters')
    expect(text).toContain('large⟨U+200B⟩model')
    expect(await overflow(page)).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
  })

  it('offers no decision when what it shows is not what the digest names (invariant 7)', async () => {
    const plan = await world.escalated({ goal: 'Twisted' })
    const page = await world.open(rosa, '#/inbox')
    await page.route(`**/v1/reviews/${plan}`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace('Read it once.', 'Read it twice.')
      await route.fulfill({ response: answer, body })
    })
    await page.goto(`${world.gateway.url}/console/${address(plan)}`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('does not match its digest')
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
  })

  it('tells who may not decide before a word is written, and the second of two what the first said', async () => {
    const plan = await world.escalated({ goal: 'For two', nodes }, world.pair)
    const own = await world.open(await world.token('reviewer', 'pia', world.pair), address(plan))
    await own.getByText('You answer for this planner').waitFor()
    expect(await own.getByLabel('Why').count()).toBe(0)
    const first = await world.open(await world.token('reviewer', 'rosa', world.pair), address(plan))
    await first.getByText('0 of 2 accepted').waitFor()
    await first.getByLabel('Why').fill('Warm is fine.')
    await first.getByRole('button', { name: 'Accept' }).click()
    await first.getByText('You have accepted it; another reviewer has to agree.').waitFor()
    expect(await world.stateOf(plan, world.pair)).toBe('escalated')
    const second = await world.open(await world.token('reviewer', 'tom', world.pair), '')
    await second.getByText('1 of 2 accepted.').waitFor()
    await second.getByRole('link', { name: 'For two' }).click()
    await second.getByText('rosa: Warm is fine.').waitFor()
    await second.getByLabel('Why').fill('Agreed.')
    await second.getByRole('button', { name: 'Accept' }).click()
    await second.getByText('Recorded: accepted by you.').waitFor()
    expect(await world.stateOf(plan, world.pair)).toBe('queued')
    for (const page of [own, first, second]) await page.context().close()
  })

  it('loses nothing over a reload, an ended sign-in and a decision in another tab', async () => {
    const plan = await world.escalated({ goal: 'Half a reason' })
    const token = await world.token('reviewer', 'rita')
    const page = await world.open(token, address(plan))
    await page.getByLabel('Why').fill('Half of a rea')
    await page.reload()
    await page.getByLabel('Why').waitFor()
    expect(await page.getByLabel('Why').inputValue()).toBe('Half of a rea')
    const { items } = await must<{ items: { id: string; owner: string }[] }>(world.gateway.url, {
      method: 'GET',
      path: '/v1/credentials',
      token: world.site.admin,
    })
    const mine = items.find(({ owner }) => owner === 'rita')
    await must(world.gateway.url, {
      method: 'POST',
      path: `/v1/credentials/${mine?.id ?? ''}/revoke`,
      token: world.site.admin,
    })
    // The page may have noticed before: then its question stands in front of the button.
    const accept = page.getByRole('button', { name: 'Accept' })
    await accept.click({ timeout: 2_000 }).catch(() => undefined)
    await page.getByText('Your sign-in has ended').waitFor()
    await signIn(page, await codeFor(world.gateway.url, rosa))
    await page.getByText('rosa, reviewer').waitFor()
    expect(await page.getByLabel('Why').inputValue()).toBe('Half of a rea')
    const other = await world.open(await world.token('reviewer', 'tom'), address(plan))
    await other.getByLabel('Why').fill('Mine first.')
    await other.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('This plan is rejected.').waitFor()
    await page.getByText(/tom rejected exactly this packet/).waitFor()
    for (const one of [page, other]) await one.context().close()
  })

  it('says what matters in few words on the first screen', async () => {
    const plan = await world.escalated({ goal: 'Warm and cool the block', nodes })
    const page = await world.open(rosa, address(plan), { viewport: { width: 1_280, height: 800 } })
    await page.getByRole('region', { name: 'Decision' }).waitFor()
    const first = await page.locator('.first').innerText()
    expect(first).toContain('What will happen')
    expect(first.split(/\s+/).length).toBeLessThanOrEqual(120)
    const box = await page.getByRole('button', { name: 'Accept' }).boundingBox()
    expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(800)
    await page.context().close()
  })
})

describe.runIf(hasBrowser)('every page', () => {
  it('passes axe and fits 320 px by touch, light and dark', async () => {
    const plan = await world.escalated({ goal: 'Small screen', nodes })
    for (const colorScheme of ['light', 'dark'] as const) {
      const small = {
        viewport: { width: 320, height: 568 },
        hasTouch: true,
        colorScheme,
        reducedMotion: 'reduce' as const,
      }
      const page = await world.open(rosa, address(plan), small)
      await page.getByRole('region', { name: 'Decision' }).waitFor()
      await page.locator('svg').first().waitFor()
      expect(await found(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.getByRole('link', { name: /^Inbox/ }).tap()
      await page.getByRole('link', { name: 'Small screen' }).waitFor()
      expect(await found(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.getByRole('link', { name: 'Cells' }).tap()
      await page.getByRole('link', { name: cell }).tap()
      await page.getByRole('button', { name: `Stop ${cell} now` }).waitFor()
      expect(await found(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.context().close()
    }
  })

  it('runs under its content security policy, which stops what is planted', async () => {
    world.problems.length = 0
    const page = await world.open(rosa, '#/inbox')
    await page.getByText('Live.').waitFor()
    expect(world.problems).toEqual([])
    const refused = (code: string) =>
      page.evaluate<string>(
        `(() => { try { ${code}; return 'ran' } catch (e) { return e.name } })()`,
      )
    expect(await refused("document.body.innerHTML = '<p>x</p>'")).toBe('TypeError')
    expect(await refused("document.createElement('script').textContent = 'a'")).toBe('TypeError')
    await page.evaluate(
      "document.body.insertAdjacentElement('beforeend', new Image()).src = 'https://example.invalid/x'",
    )
    await expect.poll(() => world.problems.join()).toMatch(/content security policy/i)
    await page.context().close()
  })

  it('refuses a code that is none, in words, and takes a link once, out of the address', async () => {
    const page = await world.open(rosa, '')
    await page.getByText('rosa, reviewer').waitFor()
    await page.reload()
    await page.getByText('rosa, reviewer').waitFor()
    expect(await page.evaluate<string>('document.cookie')).toBe('')
    const link = `${world.gateway.url}/console/#/sign-in/${await codeFor(world.gateway.url, olga)}`
    // Somebody is signed in: a link of another person changes nothing unasked.
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('You are signed in as rosa').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('One-time code').fill('no such code')
    await page.keyboard.press('Enter')
    await page.getByText('This code signs nobody in').waitFor()
    await page.getByLabel('One-time code').fill(link)
    await page.keyboard.press('Enter')
    await page.getByText('olga, operator').waitFor()
    expect(page.url()).not.toContain('sign-in')
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('You are signed in as olga').waitFor()
    await page.context().close()
  })

  it('takes nothing of a page for a person who signed in in another tab', async () => {
    const page = await world.open(rosa, '')
    await page.getByText('rosa, reviewer').waitFor()
    const tab = await page.context().newPage()
    await tab.goto(`${world.gateway.url}/console/`)
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await signIn(tab, await codeFor(world.gateway.url, olga))
    await tab.getByText('olga, operator').waitFor()
    await page.getByRole('link', { name: 'Cells' }).click()
    await page.getByText('Your sign-in has ended').waitFor()
    await page.context().close()
  })
})

describe.runIf(hasBrowser)('an operator', () => {
  it('sees what starts before arming, arms once, and stops with one press', async () => {
    const plan = await world.escalated({ goal: 'Starts on arming', nodes })
    const reviewer = await world.open(rosa, address(plan))
    await reviewer.getByLabel('Why').fill('Fine.')
    await reviewer.getByRole('button', { name: 'Accept' }).click()
    await reviewer.getByText('Recorded: accepted by you.').waitFor()
    await reviewer.context().close()
    const page = await world.open(olga, '')
    await page.getByRole('link', { name: cell }).click()
    await page.getByText('Starts on arming').first().waitFor()
    await page.getByText(/As of /).waitFor()
    await page.getByRole('button', { name: `Arm ${cell} …` }).click()
    await page.getByText('Is this what stands in the cell?').waitFor()
    await page.getByRole('button', { name: `Yes, arm ${cell}` }).click()
    await page.getByText(/State: armed by olga/).waitFor()
    await page.getByRole('button', { name: `Stop ${cell} now` }).click()
    await page.getByText('Stopped: nothing runs here, and the cell is not armed.').waitFor()
    await page.getByText(/State: stopped by olga/).waitFor()
    await page.context().close()
  })
})
