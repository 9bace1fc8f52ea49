// A reviewer in a real browser with the browser's own virtual authenticator: makes a passkey, signs in by it, and
// signs an acceptance by a touch where the site asks for one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { policySchema } from '../../../protocol/policy.ts'
import { found, overflow } from './audit.ts'
import { codeFor, hasBrowser, signIn, startWorld, type World } from './page.ts'

let world: World
beforeAll(async () => {
  if (hasBrowser) world = await startWorld()
})
afterAll(() => world?.close())

/** Keys are made for names, not for addresses. */
const named = (): string => world.gateway.url.replace('127.0.0.1', 'localhost')

describe.runIf(hasBrowser)('a reviewer with a passkey', () => {
  it('makes it, signs in by it, and accepts by a touch that the trail keeps', async () => {
    const { base, admin } = world.site
    const body = policySchema.parse({ panel: 'live', touch_to_accept: true })
    await must(base, { method: 'PUT', path: '/v1/policies', token: admin, body })
    const context = await world.browser.newContext({ viewport: { width: 320, height: 640 } })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const device = await context.newCDPSession(page)
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const rosa = await world.token('reviewer', 'rosa')
    await page.goto(`${named()}/console/#/account`)
    await signIn(page, await codeFor(base, rosa))
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByLabel('Name of the new passkey').fill('desk')
    await page.keyboard.press('Enter')
    await page.getByText('The passkey desk is yours.').waitFor()
    await page.getByText('(this browser)').waitFor()
    expect([await found(page), await overflow(page)]).toEqual([[], 0])

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('rosa, reviewer').waitFor()

    const plan = await world.escalated({ goal: 'Read the value of the scale.' })
    await page.goto(`${named()}/console/#/plans/${plan}`)
    await page.getByLabel('Why').fill('It reads only.')
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Recorded: accepted by you.').waitFor()
    expect(await world.stateOf(plan)).toBe('accepted')
    const call = { method: 'GET', path: `/v1/reviews/${plan}/audit`, token: rosa }
    const trail = await must<{ items: { event: string; facts: { touch?: object } }[] }>(base, call)
    const reviewed = trail.items.find(({ event }) => event === 'reviewed')
    expect(Object.keys(reviewed?.facts.touch ?? {})).toContain('public_key')

    // What it opened ends with it.
    await page.goto(`${named()}/console/#/account`)
    await page.getByRole('button', { name: 'End the passkey desk …' }).click()
    await page.getByRole('button', { name: 'Yes, end the passkey desk' }).click()
    await page.getByText('Your sign-in has ended').waitFor()
    await context.close()
  })
})
