// The reviewer's page in a real browser against a real gateway: sign in, look, decide, keep a cell.
// Skipped, visibly, where no Chromium is installed.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCredential, createSite, must, type SiteHandle } from '../../../lab/local/client.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { startGateway, type Gateway } from '../../../lab/local/gateway.ts'
import { policySchema } from '../../../protocol/policy.ts'
import { agentJwk } from '../../shared/session-fixture.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const built = existsSync(path.join(import.meta.dirname, '../../../.build/console/index.html'))
const missing = [
  ...(existsSync(executablePath) ? [] : [`no Chromium at ${executablePath}`]),
  ...(built ? [] : ['npm run build:console has not run']),
]

const planner = 'planner-wetlab-01'
const goal = '<b id="planted">Read</b> the tem\u200bperature of the incubator.'

let gateway: Gateway
let site: SiteHandle
let plannerToken = ''
let reviewerToken = ''
let operatorToken = ''
let browser: Browser
const problems: string[] = []

/** A plan that waits for a person: the site asks for model judges that nobody has configured. */
async function escalated(): Promise<string> {
  const taken = await must<{ plan: string; state: string }>(gateway.url, {
    method: 'POST',
    path: '/v1/plans',
    token: plannerToken,
    headers: { prefer: 'wait=20' },
    body: { goal, instructions: ['Read it once.'], planner: { id: planner }, nodes: [] },
  })
  expect(taken.state).toBe('escalated')
  return taken.plan
}

const stateOf = async (plan: string): Promise<string> => {
  const call = { method: 'GET', path: `/v1/plans/${plan}`, token: plannerToken }
  return (await must<{ state: string }>(gateway.url, call)).state
}

async function signedIn(token: string): Promise<Page> {
  const page = await browser.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${gateway.url}/console/`)
  await page.getByLabel('Credential').fill(token)
  await page.keyboard.press('Enter')
  return page
}

describe.skipIf(missing.length > 0)(`the reviewer's page ${missing.join(', ')}`, () => {
  beforeAll(async () => {
    gateway = await startGateway()
    const { registry } = await loadSite()
    const policy = policySchema.parse({ panel: 'live' })
    site = await createSite(gateway.url, gateway.operatorToken, { site: 'page', registry, policy })
    plannerToken = await createCredential(site, { role: 'planner', subject: planner, owner: 'pia' })
    reviewerToken = await createCredential(site, {
      role: 'reviewer',
      subject: 'rosa',
      owner: 'rosa',
    })
    operatorToken = await createCredential(site, {
      role: 'operator',
      subject: 'olga',
      owner: 'olga',
    })
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })

  afterAll(async () => {
    await browser?.close()
    await gateway?.close()
  })

  it('shows a plan as text, spells out what cannot be seen, and accepts exactly its packet', async () => {
    const plan = await escalated()
    const page = await signedIn(reviewerToken)
    await page.getByRole('button', { name: plan }).click()
    await page.getByText('Your decision').waitFor()
    const text = await page.locator('main').innerText()
    expect(text).toContain('<b id="planted">Read</b> the tem⟨U+200B⟩perature')
    expect(await page.locator('#planted').count()).toBe(0)
    expect(text).toMatch(/It covers exactly the packet\s+packet:[A-Za-z0-9_-]{43}/)
    await page.getByRole('button', { name: 'Accept this packet' }).click()
    await page.getByText('Write down why first.').waitFor()
    expect(await stateOf(plan)).toBe('escalated')
    await page.getByLabel('Why').fill('A reading moves nothing.')
    await page.getByRole('button', { name: 'Accept this packet' }).click()
    await page.getByText('Recorded: accept.').waitFor()
    expect(await stateOf(plan)).toBe('accepted')
    await page.close()
  })

  it('spells out every character that does not show, and names the model and the agent', async () => {
    const plan = await escalated()
    const page = await signedIn(reviewerToken)
    const hidden = [0x34f, 0xa0, 0x115f, 0x180b, 0x2003, 0x2028, 0x202e, 0x2066, 0x2800, 0x3000]
      .concat([0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xe0041, 0xe0100, 0xe01ef, 0xf0000])
      .map((code) => String.fromCodePoint(code))
    await page.route(`**/v1/reviews/${plan}`, async (route) => {
      const answer = await route.fetch()
      const record = (await answer.json()) as { plan: object }
      const who = { id: planner, model: 'large\u200bmodel' }
      const node = { id: 'n1', tool: 'x', args: {}, depends_on: [], sandbox: 'sand\u2060box' }
      const nodes = [node]
      const shown = `a${hidden.join('b')}c`
      const changed = { ...record.plan, goal: shown, planner: who, agent: 'arm-7', nodes }
      await route.fulfill({ response: answer, json: { ...record, plan: changed } })
    })
    await page.getByRole('button', { name: plan }).click()
    await page.getByRole('alert').waitFor()
    const text = await page.locator('main').innerText()
    for (const character of hidden) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      expect(text).toContain(`⟨U+${code}⟩`)
    }
    expect(text).toContain('large⟨U+200B⟩model')
    expect(text).toContain('arm-7')
    expect(text).toContain('sand⟨U+2060⟩box')
    expect(text).toMatch(/received [^⟨]+; expires [^⟨]+\./)
    await page.close()
  })

  it('opens on a page that the role may see, and asks for no icon that is not there', async () => {
    const page = await browser.newPage()
    const missed: string[] = []
    page.on('response', (response) => {
      if (response.status() === 404) missed.push(response.url())
    })
    await page.goto(`${gateway.url}/console/`)
    await page.getByLabel('Credential').fill(operatorToken)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Cells' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Cells' }).waitFor()
    const icon = await page.locator('link[rel=icon]').getAttribute('href')
    const answer = await fetch(new URL(icon ?? '', `${gateway.url}/console/`))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(missed).toEqual([])
    await page.close()
  })

  it('rejects with the keyboard alone', async () => {
    const plan = await escalated()
    const page = await signedIn(reviewerToken)
    await page.getByRole('button', { name: plan }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Why').focus()
    await page.keyboard.type('Not today.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.getByText('Recorded: reject.').waitFor()
    expect(await stateOf(plan)).toBe('rejected')
    await page.close()
  })

  it('offers no decision when what it shows is not what the digest names', async () => {
    const plan = await escalated()
    const page = await signedIn(reviewerToken)
    await page.route(`**/v1/reviews/${plan}`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace('Read it once.', 'Read it twice.')
      await route.fulfill({ response: answer, body })
    })
    await page.getByRole('button', { name: plan }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('does not match its digest')
    expect(await page.getByRole('button', { name: 'Accept this packet' }).count()).toBe(0)
    await page.close()
  })

  it('tells the owner of the planner that the decision is not theirs', async () => {
    const plan = await escalated()
    const own = await createCredential(site, { role: 'reviewer', subject: 'pia', owner: 'pia' })
    const page = await signedIn(own)
    await page.getByRole('button', { name: plan }).click()
    await page.getByLabel('Why').fill('It is mine.')
    await page.getByRole('button', { name: 'Accept this packet' }).click()
    await page.getByText('The owner of a planner may not decide on its plans.').waitFor()
    expect(await stateOf(plan)).toBe('escalated')
    await page.close()
  })

  it('arms and stops a cell', async () => {
    const { kty, crv, x } = agentJwk
    await must(gateway.url, {
      method: 'POST',
      path: '/v1/agents',
      token: site.admin,
      body: { agent: 'arm', cell: 'bench', jwk: { kty, crv, x } },
    })
    const page = await signedIn(operatorToken)
    await page.getByRole('button', { name: 'Cells' }).click()
    await page.getByRole('button', { name: 'Arm bench', exact: true }).click()
    await page.getByText(/armed until .* by olga/).waitFor()
    await page.getByRole('button', { name: 'Stop bench now' }).click()
    await page.getByText('State: not armed').waitFor()
    await page.close()
  })

  it('runs under its content security policy, which stops what is planted', async () => {
    problems.length = 0
    const page = await signedIn(reviewerToken)
    await page.getByRole('heading', { name: 'Plans that wait for a person' }).waitFor()
    expect(problems).toEqual([])
    const refused = (code: string) =>
      page.evaluate<string>(
        `(() => { try { ${code}; return 'ran' } catch (e) { return e.name } })()`,
      )
    expect(await refused("document.body.innerHTML = '<p>x</p>'")).toBe('TypeError')
    expect(await refused("document.createElement('script').textContent = 'a'")).toBe('TypeError')
    await page.evaluate(
      "document.body.insertAdjacentElement('beforeend', new Image()).src = 'https://example.invalid/x'",
    )
    await expect.poll(() => problems.join()).toMatch(/content security policy/i)
    await page.close()
  })

  it('refuses a credential that is none, in words', async () => {
    const page = await signedIn('pc_nobody')
    await page.getByText('The credential was not taken.').waitFor()
    expect(await page.getByLabel('Credential').isVisible()).toBe(true)
    await page.close()
  })
})
