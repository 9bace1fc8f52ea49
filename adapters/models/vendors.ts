// Whose models a request would reach: by the label that the operator gave, the host, and the model's
// own name. Gateways name models `vendor/model`, some with further prefixes.
import table from './vendors.json' with { type: 'json' }

export type VendorSigns = {
  readonly name: string
  readonly url?: string
  readonly vendor?: string | undefined
}

const pairs = (rows: readonly string[][]): [string, string][] =>
  rows.flatMap(([sign, vendor]) =>
    sign === undefined || vendor === undefined ? [] : [[sign, vendor]],
  )
const hosts = pairs(table.hosts)
const models = pairs(table.models)
const owners = new Map(pairs(table.owners))

const partsOf = (model: string): string[] =>
  model
    .toLowerCase()
    .split('/')
    .map((part) => part.replace(/^@/, ''))

/** By the name of the model itself, else by its owner in the path. */
function ofModel(model: string): string | null {
  const parts = partsOf(model)
  const last = parts.at(-1) ?? ''
  const named = models.find(([prefix]) => last.startsWith(prefix))?.[1]
  if (named !== undefined) return named
  for (const part of parts.slice(0, -1)) {
    const owner = owners.get(part)
    if (owner !== undefined) return owner
  }
  return null
}

function ofHost(url: string | undefined): string | null {
  if (url === undefined) return null
  const { hostname } = new URL(url)
  return hosts.find(([host]) => hostname === host || hostname.endsWith(`.${host}`))?.[1] ?? null
}

/**
 * The one vendor of a model for records and for counting families: what the model's name says, else
 * the operator's label, else the host, else the endpoint's own name.
 */
export function vendorOf(endpoint: VendorSigns, model: string): string {
  const named = ofModel(model) ?? endpoint.vendor?.toLowerCase() ?? ofHost(endpoint.url)
  return (named ?? endpoint.name.toLowerCase()).slice(0, 40)
}

/** Every sign of a vendor there is; a vendor that is forbidden by one of them is forbidden. */
export function vendorsOf(endpoint: VendorSigns, model: string): ReadonlySet<string> {
  const found = new Set<string>([endpoint.name.toLowerCase(), vendorOf(endpoint, model)])
  if (endpoint.vendor !== undefined) found.add(endpoint.vendor.toLowerCase())
  const host = ofHost(endpoint.url)
  if (host !== null) found.add(host)
  for (const part of partsOf(model)) {
    found.add(part)
    const owner = owners.get(part)
    if (owner !== undefined) found.add(owner)
    for (const [prefix, vendor] of models) if (part.startsWith(prefix)) found.add(vendor)
  }
  return found
}
