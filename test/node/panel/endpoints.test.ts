// Where judges may be reached: named endpoints, a site's own URL with its own key, forbidden vendors.
import { describe, expect, test } from 'vitest'
import {
  parseEndpoints,
  parseHosts,
  resolveEndpoint,
  type EndpointSource,
} from '../../../adapters/models/endpoints.ts'
import { benchFor } from '../../../adapters/models/bench.ts'
import {
  bindingPanel,
  defaultEndpoints,
  vendorPanel,
} from '../../../adapters/models/default-seats.ts'
import { vendorOf, vendorsOf } from '../../../adapters/models/vendors.ts'
import { isPrivateHost, refuseUrl } from '../../../adapters/models/hosts.ts'
import { estimateSeat, parsePrices, usageOf } from '../../../adapters/models/prices.ts'
import { retryAfterMs } from '../../../adapters/models/retry.ts'
import { policySchema } from '../../../protocol/policy.ts'

describe('hosts', () => {
  const refused = [
    'http://models.example.org/v1',
    'https://localhost/v1',
    'https://a.localhost/v1',
    'https://127.0.0.1/v1',
    'https://2130706433/v1',
    'https://0x7f.1/v1',
    'https://0177.0.0.1/v1',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[2002:a00:1::]/',
    'https://printer/',
    'https://vllm.internal/',
    'https://gpu.local./',
    'https://user:pass@models.example.org/',
    'ftp://models.example.org/',
    'not a url',
  ]
  for (const url of refused) {
    test(`refuses ${url}`, () => expect(refuseUrl(url, [])).not.toBeNull())
  }
  test('takes public https, and private hosts that the operator opened, with their port', () => {
    expect(refuseUrl('https://models.example.org/v1', [])).toBeNull()
    expect(refuseUrl('https://172.32.0.1/', [])).toBeNull()
    expect(refuseUrl('https://[2606:4700::1111]/', [])).toBeNull()
    expect(refuseUrl('http://127.0.0.1:11434/v1', ['127.0.0.1:11434'])).toBeNull()
    expect(refuseUrl('http://127.0.0.1:22/v1', ['127.0.0.1:11434'])).toBe('url_private')
    expect(isPrivateHost('api.anthropic.com')).toBe(false)
  })
})

describe('endpoints', () => {
  const policy = policySchema.parse({
    endpoints: [
      { name: 'own', wire: 'openai', url: 'https://models.example.org/v1', key_name: 'mine' },
      { name: 'shared', wire: 'openai', url: 'https://evil.example.org/v1', key_name: 'none' },
    ],
    forbidden_vendors: ['xai', 'DeepSeek'],
  })
  const deployment = parseEndpoints(
    JSON.stringify({
      shared: { wire: 'anthropic', url: 'https://api.anthropic.com', key: 'operator-key' },
      grok: { wire: 'openai', url: 'https://api.x.ai/v1', key: 'operator-key' },
      gateway: { wire: 'openai', url: 'https://gw.example.org/v1', key: 'operator-key' },
      keyless: { wire: 'openai', url: 'https://gw.example.org/v1' },
    }),
  )
  if (!deployment.ok) throw new Error(deployment.error)
  const source: EndpointSource = {
    deployment: deployment.value,
    policy,
    siteKey: (name) => (name === 'mine' ? 'site-key' : null),
    privateHosts: [],
    binding: false,
  }
  const ask = async (name: string, model = 'm') => {
    const result = await resolveEndpoint(name, model, source)
    if (!result.ok) return result.error
    const { value } = result
    return value.wire === 'workers-ai' ? 'the binding' : `${value.url} ${value.key}`
  }

  test("a site's own URL never gets the operator's key", async () => {
    expect(await ask('own')).toBe('https://models.example.org/v1 site-key')
    // The same name as a deployment endpoint, without a key of its own.
    expect(await ask('shared')).toBe('key_missing')
  })
  test('a forbidden vendor is known by host, name and model, also through a gateway', async () => {
    expect(await ask('grok')).toBe('vendor_forbidden')
    expect(await ask('gateway', 'xai/grok-4')).toBe('vendor_forbidden')
    expect(await ask('gateway', 'deepseek-r2')).toBe('vendor_forbidden')
    expect(await ask('gateway', 'openai/gpt-5')).toContain('operator-key')
    expect(vendorsOf({ name: 'x', url: 'https://x.example.org' }, '@cf/meta/llama-4')).toContain(
      'meta',
    )
  })
  test('an unknown name, a missing key and an inherited name are refused by name', async () => {
    expect(await ask('nowhere')).toBe('endpoint_unknown')
    expect(await ask('constructor')).toBe('endpoint_unknown')
    expect(await ask('keyless')).toBe('key_missing')
  })
  test('settings that cannot be read give nothing rather than something', () => {
    expect(parseEndpoints('{').ok).toBe(false)
    expect(parseEndpoints('{"a":{"wire":"smoke","url":"https://x.example"}}').ok).toBe(false)
    expect(parseEndpoints(undefined)).toStrictEqual({ ok: true, value: {} })
    expect(parseHosts('["a:1"]')).toStrictEqual(['a:1'])
    expect(parseHosts('nonsense')).toStrictEqual([])
    expect(parsePrices('{"m":{"input":-1,"output":1}}')).toStrictEqual({})
  })
  test('the default seats are a valid policy over the default endpoints, seven of them', () => {
    const parsed = policySchema.parse({ panel: 'live', ...vendorPanel })
    expect(parsed.judges).toHaveLength(7)
    for (const seat of [...parsed.judges, vendorPanel.chief]) {
      expect(Object.keys(defaultEndpoints)).toContain(seat.endpoint)
    }
    expect(new Set(parsed.judges.slice(0, 3).map((seat) => seat.endpoint)).size).toBe(3)
  })
  test('the seats of the binding: three families first, the chief of another, all priced', () => {
    const { judges, chief } = bindingPanel
    const families = judges.map((seat) => vendorOf({ name: seat.endpoint }, seat.model))
    expect(judges).toHaveLength(7)
    expect(new Set(families.slice(0, 3)).size).toBe(3)
    expect(families).not.toContain(vendorOf({ name: chief.endpoint }, chief.model))
    for (const seat of [...judges, chief]) {
      expect(seat.endpoint).toBe('workers-ai')
      expect(
        estimateSeat(seat, 1_000, parsePrices(undefined)).cost_usd,
        seat.model,
      ).toBeGreaterThan(0)
    }
  })
  test('a vendor is whose model it is, not how it is reached', () => {
    const groq = { name: 'groq', url: 'https://api.groq.com/openai/v1' }
    expect(vendorOf(groq, 'llama-3.3-70b-versatile')).toBe('meta')
    expect(vendorOf(groq, 'unheard-of')).toBe('groq')
    expect(vendorOf({ ...groq, vendor: 'Own' }, 'unheard-of')).toBe('own')
    expect(vendorOf({ name: 'x', url: 'https://api.mistral.ai/v1' }, 'm')).toBe('mistral')
    expect(vendorOf({ name: 'workers-ai' }, '@cf/meta/some-new-model')).toBe('meta')
    expect(vendorOf({ name: 'x', url: 'https://notanthropic.com' }, 'm')).toBe('x')
  })
})

describe('who judges', () => {
  const keyed = parseEndpoints(
    JSON.stringify({
      openai: { wire: 'openai', url: 'https://api.openai.com/v1', key: 'k' },
      anthropic: { wire: 'anthropic', url: 'https://api.anthropic.com' },
    }),
  )
  const source: EndpointSource = {
    deployment: keyed.ok ? keyed.value : {},
    policy: { endpoints: [], forbidden_vendors: [] },
    siteKey: () => null,
    privateHosts: [],
    binding: false,
  }
  const bare = { ...source, deployment: {} }
  const auto = policySchema.parse({})
  const own = policySchema.parse({
    judges: [
      { name: 'a', endpoint: 'openai', model: 'm' },
      { name: 'b', endpoint: 'anthropic', model: 'm' },
    ],
  })
  const names = async (...args: Parameters<typeof benchFor>) => {
    const { panel, seats, chief } = await benchFor(...args)
    return [panel, seats.length, chief?.endpoint ?? null]
  }
  test('auto: models where a binding or an endpoint is, rules alone where none is', async () => {
    expect(auto.panel).toBe('auto')
    expect(await names(auto, bare)).toStrictEqual(['rules', 0, null])
    expect(await names(auto, { ...bare, binding: true })).toStrictEqual(['models', 7, 'workers-ai'])
    // Of the default seats those whose endpoint is there; one without a key is an outage.
    expect(await names(auto, source)).toStrictEqual(['models', 4, 'anthropic'])
    const keyless = parseEndpoints(
      JSON.stringify({ openai: { wire: 'openai', url: 'https://api.openai.com/v1' } }),
    )
    const lost = { ...bare, deployment: keyless.ok ? keyless.value : {} }
    // A key that is taken away must not leave the plan to rules alone.
    expect(await names(auto, lost)).toStrictEqual(['models', 2, 'anthropic'])
  })
  test("a site's own seats stay although none of them can be reached", async () => {
    expect(await names(own, source)).toStrictEqual(['models', 2, null])
    expect(await names(own, bare)).toStrictEqual(['models', 2, null])
  })
  test('live is an outage where nothing can be reached, offline asks nobody', async () => {
    expect(await names({ ...auto, panel: 'live' }, bare)).toStrictEqual(['models', 0, 'anthropic'])
    expect(await names({ ...own, panel: 'live' }, bare)).toStrictEqual(['models', 2, null])
    const bound = { ...source, binding: true }
    expect(await names({ ...auto, panel: 'offline' }, bound)).toStrictEqual(['rules', 0, null])
  })
  test('a forbidden vendor is no seat, also through the binding', async () => {
    const strict = {
      ...bare,
      binding: true,
      policy: { endpoints: [], forbidden_vendors: ['openai'] },
    }
    const { seats } = await benchFor(auto, strict)
    expect(seats.map((seat) => seat.name)).not.toContain('judge-1')
    expect(seats).toHaveLength(5)
  })
})

const at = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), 1_000)

describe('prices and pauses', () => {
  const prices = parsePrices('{"m":{"input":2,"output":10,"cache_read":0.2}}')
  const tokens = { input: 1_000, cacheRead: 10_000, cacheWrite: 0, output: 500 }
  test('counts cached tokens at their own price; an unknown price is no price', () => {
    expect(usageOf('m', tokens, prices).cost_usd).toBeCloseTo(0.009)
    expect(usageOf('other', tokens, prices).cost_usd).toBeNull()
    expect(usageOf('constructor', tokens, prices).cost_usd).toBeNull()
  })
  test('an estimate is an upper bound for every sample of a seat', () => {
    const [seat] = policySchema.parse({
      judges: [{ name: 's', endpoint: 'e', model: 'm', samples: 3, max_tokens: 1_000 }],
    }).judges
    if (seat === undefined) throw new Error('no seat')
    expect(estimateSeat(seat, 10_000, prices).cost_usd).toBeCloseTo(3 * (0.008 + 0.01))
    expect(estimateSeat(seat, 10_000, {}).cost_usd).toBeNull()
  })
  test('reads retry-after in its three forms', () => {
    expect(at({ 'retry-after': '7' })).toBe(7_000)
    expect(at({ 'retry-after-ms': '250', 'retry-after': '7' })).toBe(250)
    expect(at({ 'retry-after': new Date(4_000).toUTCString() })).toBe(3_000)
    expect(at({ 'retry-after': 'soon' })).toBeNull()
    expect(at({})).toBeNull()
  })
})
