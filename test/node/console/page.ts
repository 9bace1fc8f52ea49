// One gateway, one site and one browser for the tests of the page, and what a person does with them.
// Without a Chromium these tests are skipped, and say so; a page that was not built fails.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { createCredential, createSite, must, type SiteHandle } from '../../../lab/local/client.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { startGateway, type Gateway } from '../../../lab/local/gateway.ts'
import { startGatewayWithGraph } from '../../../lab/local/graph.ts'
import { policySchema, type PolicyInput } from '../../../protocol/policy.ts'
import { agentJwk } from '../../shared/session-fixture.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const index = path.join(import.meta.dirname, '../../../.build/console/index.html')

/** Whether a browser is installed here; without one the tests of the page are skipped. */
export const hasBrowser = existsSync(executablePath)
if (!hasBrowser) process.stderr.write(`no Chromium at ${executablePath}: page tests are skipped\n`)

export const planner = 'planner-wetlab-01'
export const cell = 'bench'

export type World = {
  gateway: Gateway
  browser: Browser
  site: SiteHandle
  /** A site where two people have to agree. */
  pair: SiteHandle
  token: (
    role: 'planner' | 'reviewer' | 'operator',
    owner: string,
    at?: SiteHandle,
  ) => Promise<string>
  /** A plan that waits for a person: the site asks for model judges that nobody has configured. */
  escalated: (plan: { goal: string; nodes?: object[] }, at?: SiteHandle) => Promise<string>
  stateOf: (plan: string, at?: SiteHandle) => Promise<string>
  open: (token: string, address: string, options?: BrowserContextOptions) => Promise<Page>
  /** What the browser complained about, over all pages. */
  problems: string[]
  close: () => Promise<void>
}

/** `graph`: what is run dry for people to sign needs the knowledge graph. */
export async function startWorld({ graph = false } = {}): Promise<World> {
  if (!existsSync(index)) throw new Error('npm run build:console has not run')
  const gateway = await (graph ? startGatewayWithGraph() : startGateway())
  const { registry, proven } = await loadSite()
  const make = (site: string, more: PolicyInput) => {
    const policy = policySchema.parse({ panel: 'live', ...more })
    return createSite(gateway.url, gateway.operatorToken, { site, registry, policy, proven })
  }
  const site = await make('page', {})
  const pair = await make('pair', { approvals_required: 2 })
  const { kty, crv, x } = agentJwk
  await must(gateway.url, {
    method: 'POST',
    path: '/v1/agents',
    token: site.admin,
    body: { agent: 'arm', cell, jwk: { kty, crv, x } },
  })
  const token: World['token'] = (role, owner, at = site) =>
    createCredential(at, { role, subject: role === 'planner' ? planner : owner, owner })
  const plannerTokens = new Map([
    [site, await token('planner', 'pia')],
    [pair, await token('planner', 'pia', pair)],
  ])
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const problems: string[] = []
  return {
    gateway,
    browser,
    site,
    pair,
    token,
    problems,
    escalated: async ({ goal, nodes = [] }, at = site) => {
      const taken = await must<{ plan: string; state: string }>(gateway.url, {
        method: 'POST',
        path: '/v1/plans',
        token: plannerTokens.get(at) ?? '',
        headers: { prefer: 'wait=20' },
        body: { goal, instructions: ['Read it once.'], planner: { id: planner }, nodes },
      })
      if (taken.state !== 'escalated') throw new Error(`the plan is ${taken.state}`)
      return taken.plan
    },
    stateOf: async (plan, at = site) => {
      const call = { method: 'GET', path: `/v1/plans/${plan}`, token: plannerTokens.get(at) ?? '' }
      return (await must<{ state: string }>(gateway.url, call)).state
    },
    open: async (credential, address, options = {}) => {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(`${gateway.url}/console/${address}`)
      await signIn(page, await codeFor(gateway.url, credential))
      // A code is used up by the request: a reload before its answer would leave nobody signed in.
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      return page
    },
    close: async () => {
      await browser.close()
      await gateway.close()
    },
  }
}

/** A one-time code for the holder of a token. */
export async function codeFor(url: string, token: string): Promise<string> {
  const call = { method: 'POST', path: '/v1/sign-in-codes', token, body: {} }
  return (await must<{ code: string }>(url, call)).code
}

/** Types a code as a person does. */
export async function signIn(page: Page, code: string): Promise<void> {
  await page.getByLabel('One-time code').fill(code)
  await page.keyboard.press('Enter')
}

/** Presses Tab until what has the focus has this accessible name or text. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<string>(
      "(() => { const e = document.activeElement; return (e.labels?.[0]?.textContent ?? '') + '|' + e.textContent })()",
    )
    if (name.test(focused)) return
  }
  throw new Error(`no Tab reaches ${String(name)}`)
}
