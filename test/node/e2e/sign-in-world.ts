// One gateway with an identity provider in front of it, and the people of its sites.
import { createCredential, createSite, must, request } from '../../../lab/local/client.ts'
import type { Answer, SiteHandle } from '../../../lab/local/client.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { startGateway, type Gateway } from '../../../lab/local/gateway.ts'
import { policySchema, type PolicyInput } from '../../../protocol/policy.ts'
import { Authenticator, type Asked } from '../support/authenticator.ts'
import { audience, startProvider, type IdentityProvider } from '../support/identity-provider.ts'

export type Person = { site: SiteHandle; credential: string; token: string; email: string }
type Line = { event: string; actor: string; facts: Record<string, unknown> }

export const cookieOf = (answer: Answer): string =>
  (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
export const codeOf = ({ body }: Answer): unknown => (body as { code?: unknown }).code

export class SignInWorld {
  readonly provider: IdentityProvider
  readonly gateway: Gateway

  constructor(provider: IdentityProvider, gateway: Gateway) {
    this.provider = provider
    this.gateway = gateway
  }

  /** What a browser says of a page of this gateway. */
  get own(): Record<string, string> {
    return { origin: this.gateway.url, 'sec-fetch-site': 'same-origin' }
  }

  async site(site: string, policy: PolicyInput = {}): Promise<SiteHandle> {
    const { registry, proven } = await loadSite()
    const spec = { site, registry, policy: policySchema.parse(policy), proven }
    return createSite(this.gateway.url, this.gateway.operatorToken, spec)
  }

  async person(site: SiteHandle, owner: string): Promise<Person> {
    const token = await createCredential(site, { role: 'reviewer', subject: owner, owner })
    const me = { method: 'GET', path: '/v1/me', token }
    const { credential } = await must<{ credential: string }>(site.base, me)
    const email = `${owner}@lab.example`
    const path = `/v1/credentials/${credential}/email`
    await must(site.base, { method: 'PUT', path, token: site.admin, body: { email } })
    return { site, credential, token, email }
  }

  revoke({ site, credential }: Person): Promise<unknown> {
    const path = `/v1/credentials/${credential}/revoke`
    return must(site.base, { method: 'POST', path, token: site.admin })
  }

  /** One request as the page makes it. */
  page(method: string, path: string, cookie: string, body?: object): Promise<Answer> {
    const headers = { ...this.own, cookie }
    return request(this.gateway.url, { method, path, headers, ...(body && { body }) })
  }

  async signedIn({ token, site }: Person): Promise<string> {
    const call = { method: 'POST', path: '/v1/sign-in-codes', token, body: {} }
    const { code } = await must<{ code: string }>(site.base, call)
    return cookieOf(await this.page('POST', '/v1/sign-ins', '', { code }))
  }

  meBy(cookie: string): Promise<Answer> {
    return this.page('GET', '/v1/me', cookie)
  }

  async asked(path: string, cookie = '', body?: object): Promise<Asked> {
    const answer = await this.page('POST', path, cookie, body)
    if (answer.status !== 200)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return (answer.body as { options: Asked }).options
  }

  /** A passkey of the person, made on a page where they are signed in by a code. */
  async passkey(who: Person): Promise<Authenticator> {
    const cookie = await this.signedIn(who)
    const key = new Authenticator(this.gateway.url)
    const answer = key.create(await this.asked('/v1/passkeys/options', cookie))
    const kept = await this.page('POST', '/v1/passkeys', cookie, { name: 'key', answer })
    if (kept.status !== 201) throw new Error(`passkey: ${kept.status} ${JSON.stringify(kept.body)}`)
    return key
  }

  /** By an administrator, who needs no touch. */
  endPasskey({ base, admin: token }: SiteHandle, id: string): Promise<unknown> {
    return must(base, { method: 'POST', path: `/v1/passkeys/${id}/end`, token, body: {} })
  }

  async trail({ base, site, admin: token }: SiteHandle): Promise<Line[]> {
    const lines: Line[] = []
    let after: number | null = -1
    while (after !== null) {
      const path: string = `/v1/sites/${site}/audit?after=${after}`
      const call = { method: 'GET', path, token }
      const page: { items: Line[]; next: number | null } = await must(base, call)
      lines.push(...page.items)
      after = page.next
    }
    return lines
  }

  async sql(text: string, ...values: string[]): Promise<void> {
    await (
      await this.gateway.d1()
    )
      .prepare(text)
      .bind(...values)
      .run()
  }

  async close(): Promise<void> {
    await this.gateway.close()
    await this.provider.close()
  }
}

export async function startSignInWorld(): Promise<SignInWorld> {
  const provider = await startProvider()
  const gateway = await startGateway({
    vars: {
      ACCESS: JSON.stringify({ issuer: provider.url, audience: [audience] }),
      PRIVATE_HOSTS: JSON.stringify(['127.0.0.1']),
    },
  })
  return new SignInWorld(provider, gateway)
}
