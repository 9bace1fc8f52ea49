// Where judges are reached: the deployment's named endpoints, or a site's own with its own key. The
// deployment's key never travels to a URL that a site chose.
import { z } from 'zod'
import type { Policy } from '../../protocol/policy.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { wireSchema, type Wire } from '../../protocol/opinion.ts'
import type { Reach } from '../../verify/panel/port.ts'
import { refuseUrl, type UrlRefusal } from './hosts.ts'
import { vendorOf, vendorsOf, type VendorSigns } from './vendors.ts'

const deploymentEndpointSchema = z.strictObject({
  wire: wireSchema.exclude(['workers-ai']),
  url: z.url({ protocol: /^https?$/ }).max(300),
  /** An empty or missing key is an outage with a name. */
  key: z.string().max(500).optional(),
  /** Whose models these are; taken from the host when it is not said. */
  vendor: z.string().max(40).optional(),
  /** False for endpoints that cannot stream. */
  stream: z.boolean().default(true),
  /** Name of the field that bounds the answer, for compatible endpoints of older wire. */
  tokens_field: z.enum(['max_completion_tokens', 'max_tokens']).optional(),
})
const deploymentSchema = z.record(z.string().regex(/^[a-z0-9-]{1,40}$/), deploymentEndpointSchema)
export type DeploymentEndpoints = z.infer<typeof deploymentSchema>

/** Reads `MODEL_ENDPOINTS`. A value that cannot be read gives no endpoint at all, and says so. */
export function parseEndpoints(text: string | undefined): Result<DeploymentEndpoints, string> {
  if (text === undefined || text.trim() === '') return ok({})
  try {
    const parsed = deploymentSchema.safeParse(JSON.parse(text))
    return parsed.success
      ? ok(parsed.data)
      : err(`MODEL_ENDPOINTS: ${z.prettifyError(parsed.error)}`)
  } catch {
    return err('MODEL_ENDPOINTS: not JSON')
  }
}

/** Reads `PRIVATE_HOSTS`: a JSON array of hosts, with port where it matters. */
export function parseHosts(text: string | undefined): string[] {
  if (text === undefined || text.trim() === '') return []
  try {
    const parsed = z.array(z.string().max(300)).max(100).safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : []
  } catch {
    return []
  }
}

/** Where a request goes: to a URL with a key, or through the platform's own binding. */
export type Endpoint =
  | {
      readonly name: string
      readonly wire: Exclude<Wire, 'workers-ai'>
      readonly url: string
      readonly key: string
      readonly stream: boolean
      readonly tokensField: 'max_completion_tokens' | 'max_tokens'
    }
  | { readonly name: string; readonly wire: 'workers-ai' }
export type UrlEndpoint = Exclude<Endpoint, { wire: 'workers-ai' }>

/** The name under which seats reach the platform's binding; no endpoint of a URL may take it. */
export const bindingEndpoint = 'workers-ai'

export type EndpointRefusal = 'endpoint_unknown' | 'vendor_forbidden' | 'key_missing' | UrlRefusal

export type EndpointSource = {
  readonly deployment: DeploymentEndpoints
  readonly policy: Pick<Policy, 'endpoints' | 'forbidden_vendors'>
  /** The site's own key of that name; null when it has none. */
  readonly siteKey: (keyName: string) => Promise<string | null> | string | null
  readonly privateHosts: readonly string[]
  /** True when the deployment has the platform's binding. */
  readonly binding: boolean
}

/** How a model at a named endpoint is reached, whether or not it may be used; null for no such name. */
export function reachOf(name: string, model: string, source: EndpointSource): Reach | null {
  const own = source.policy.endpoints.find((endpoint) => endpoint.name === name)
  if (own !== undefined) return { wire: own.wire, vendor: vendorOf(own, model) }
  if (name === bindingEndpoint && source.binding) {
    return { wire: 'workers-ai', vendor: vendorOf({ name }, model) }
  }
  const shared = Object.hasOwn(source.deployment, name) ? source.deployment[name] : undefined
  if (shared === undefined) return null
  return { wire: shared.wire, vendor: vendorOf({ name, ...shared }, model) }
}

function forbidden(
  endpoint: VendorSigns,
  model: string,
  policy: EndpointSource['policy'],
): boolean {
  const vendors = vendorsOf(endpoint, model)
  return policy.forbidden_vendors.some((vendor) => vendors.has(vendor.toLowerCase()))
}

/**
 * Resolves a seat's endpoint for a model. A site's own endpoint of the same name comes first, always
 * with the site's own key; a missing key is `key_missing`, never a default.
 */
export async function resolveEndpoint(
  name: string,
  model: string,
  source: EndpointSource,
): Promise<Result<Endpoint, EndpointRefusal>> {
  const own = source.policy.endpoints.find((endpoint) => endpoint.name === name)
  if (own !== undefined) {
    const refusal = refuseUrl(own.url, source.privateHosts)
    if (refusal !== null) return err(refusal)
    if (forbidden(own, model, source.policy)) return err('vendor_forbidden')
    const key = await source.siteKey(own.key_name)
    if (key === null || key === '') return err('key_missing')
    return ok({
      name,
      wire: own.wire,
      url: own.url,
      key,
      stream: true,
      tokensField: tokensFieldFor(own.url),
    })
  }
  if (name === bindingEndpoint && source.binding) {
    if (forbidden({ name }, model, source.policy)) return err('vendor_forbidden')
    return ok({ name, wire: 'workers-ai' })
  }
  const shared = Object.hasOwn(source.deployment, name) ? source.deployment[name] : undefined
  if (shared === undefined) return err('endpoint_unknown')
  if (forbidden({ name, url: shared.url, vendor: shared.vendor }, model, source.policy)) {
    return err('vendor_forbidden')
  }
  if (shared.key === undefined || shared.key === '') return err('key_missing')
  return ok({
    name,
    wire: shared.wire,
    url: shared.url,
    key: shared.key,
    stream: shared.stream,
    tokensField: shared.tokens_field ?? tokensFieldFor(shared.url),
  })
}

/** OpenAI's own reasoning models refuse `max_tokens`; most compatible servers know only that. */
function tokensFieldFor(url: string): UrlEndpoint['tokensField'] {
  const host = new URL(url).hostname
  return /(^|\.)(openai\.com|x\.ai|groq\.com|googleapis\.com)$/.test(host)
    ? 'max_completion_tokens'
    : 'max_tokens'
}

/** Behind the platform's gateway a cached answer would be a copy of an earlier opinion: it is refused. */
export function gatewayHeaders(url: string): Record<string, string> {
  return new URL(url).hostname === 'gateway.ai.cloudflare.com'
    ? { 'cf-aig-skip-cache': 'true' }
    : {}
}
