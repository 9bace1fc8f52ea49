// Runs in workerd: does one kind of work `reps` times per request. The clock stands still while a Worker
// computes, so the time is taken outside, as the difference to a request that does nothing.
import { importSigningKey, type SigningKey } from '../../../contain/keys.ts'
import { mintTokens, type MintSpec } from '../../../contain/mint.ts'
import { admit, parse } from '../../../verify/admit/index.ts'
import { benchMintSpec, benchPlan, benchRegistry } from '../contain-plan.ts'

const bytes = new TextEncoder().encode(JSON.stringify(benchPlan))

/** The key type under this room's own types. */
type CryptoKeyHere = Parameters<typeof crypto.subtle.sign>[1]
type Prepared = { key: SigningKey; spec: MintSpec; inputs: Uint8Array<ArrayBuffer>[] }
let ready: Promise<Prepared> | null = null

async function prepare(jwk: unknown): Promise<Prepared> {
  const key = await importSigningKey(jwk)
  if (!key.ok) throw new Error(key.error)
  const spec = await benchMintSpec(key.value.kid, 1_764_000_000_000)
  // The floor signs exactly the bytes that the tokens sign.
  const tokens = await mintTokens(key.value, spec)
  const inputs = tokens.map(({ token }) =>
    new TextEncoder().encode(token.slice(0, token.lastIndexOf('.'))),
  )
  return { key: key.value, spec, inputs }
}

const work: Record<string, (set: Prepared) => Promise<unknown>> = {
  nothing: () => Promise.resolve(),
  admit: async () => {
    const parsed = parse(bytes)
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
    const admitted = await admit(parsed.value, benchRegistry, 'planner-1')
    if (!admitted.ok) throw new Error(JSON.stringify(admitted.error))
  },
  mint: ({ key, spec }) => mintTokens(key, spec),
  sign: async ({ key, inputs }) => {
    for (const input of inputs) await crypto.subtle.sign('Ed25519', key.key as CryptoKeyHere, input)
  },
  json: () => Promise.resolve(JSON.parse(new TextDecoder().decode(bytes))),
}

export default {
  async fetch(request: Request, env: { KEY: string }): Promise<Response> {
    const url = new URL(request.url)
    const run = work[url.pathname.slice(1)]
    if (run === undefined) return new Response('no such work', { status: 404 })
    ready ??= prepare(JSON.parse(env.KEY))
    const set = await ready
    const reps = Number(url.searchParams.get('reps') ?? 1)
    for (let i = 0; i < reps; i++) await run(set)
    return new Response(String(bytes.length))
  },
}
