// Speed of the deterministic half: admission and minting in workerd, the agent's checks in Node. Peers
// run in the same process and the same seconds, so ratios mean more than milliseconds.
import { generateKeyPairSync } from 'node:crypto'
import path from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { checkNode, openToken } from '../../contain/checks.ts'
import { goClaims, verifyGo } from '../../contain/go.ts'
import { importJwks, importSigningKey, type VerifyPort } from '../../contain/keys.ts'
import { mintTokens } from '../../contain/mint.ts'
import { signClaims } from '../../contain/sign.ts'
import { decodeBase64url } from '../../protocol/base64url.ts'
import { nodeVerify } from '../../robot-agent/node-verify.ts'
import { benchCase, type BenchCase } from './case.ts'
import { benchMintSpec } from './contain-plan.ts'

const rounds = 40
const root = path.join(import.meta.dirname, '..', '..')

function freshJwk(): object {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
}

async function bundle(outfile: string): Promise<void> {
  await build({
    entryPoints: ['lab/bench/workerd/contain-worker.ts'],
    outfile,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'esnext',
    conditions: ['workerd', 'worker', 'browser', 'import'],
    logLevel: 'error',
  })
}

/** Milliseconds of one piece of work: a request with many, less a request with none. */
async function timeOf(origin: URL, name: string, reps: number): Promise<number> {
  const ask = async (what: string) => {
    const started = performance.now()
    const response = await fetch(new URL(`/${what}?reps=${reps}`, origin))
    await response.text()
    if (!response.ok) throw new Error(`${what}: ${response.status}`)
    return performance.now() - started
  }
  const empty = await ask('nothing')
  return Math.max(0, (await ask(name)) - empty) / reps
}

type Samples = Record<'admit' | 'mint' | 'sign' | 'json', number[]>

/** The pieces one after another in every round, so that all see the same machine. */
async function sampleWorkerd(origin: URL): Promise<Samples> {
  const samples: Samples = { admit: [], mint: [], sign: [], json: [] }
  const names = Object.keys(samples) as (keyof Samples)[]
  for (let round = -5; round < rounds; round++) {
    for (const name of names) {
      const ms = await timeOf(origin, name, 20)
      if (round >= 0) samples[name].push(ms)
    }
  }
  return samples
}

async function workerdCases(): Promise<BenchCase[]> {
  // workerd reads modules only below the folder that it starts in.
  const scriptPath = path.join(root, '.build', 'bench-contain.js')
  await bundle(scriptPath)
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      scriptPath,
      compatibilityDate: '2026-10-01',
      bindings: { KEY: JSON.stringify(freshJwk()) },
    }),
  )
  try {
    const { admit, mint, sign, json } = await sampleWorkerd(await mf.ready)
    const signs = '20 bare subtle.sign'
    const both = admit.map((ms, i) => ms + (mint[i] ?? 0))
    return [
      benchCase('admission of a 20-node, 10 KB plan (workerd)', 'ms', {
        own: admit,
        peers: { [signs]: sign, 'TextDecoder + JSON.parse': json },
      }),
      benchCase('minting 20 tokens (workerd)', 'ms', { own: mint, peers: { [signs]: sign } }),
      benchCase('admission and minting (workerd)', 'ms', { own: both, peers: { [signs]: sign } }),
    ]
  } finally {
    await mf.dispose()
  }
}

/** One node as the agent holds it when its `go` arrives. */
async function readyNode(port?: VerifyPort) {
  const gateway = await importSigningKey(freshJwk())
  const agent = await importSigningKey(freshJwk())
  if (!gateway.ok || !agent.ok) throw new Error('fresh keys do not import')
  const keys = await importJwks({ keys: [gateway.value.jwk] }, port)
  if (!keys.ok) throw new Error(keys.error)
  const spec = await benchMintSpec(agent.value.kid, Date.now())
  const tokens = await mintTokens(gateway.value, spec)
  const minted = new Map(tokens.map((one) => [one.nid, { ...one, token: null }]))
  const [first] = tokens
  if (first === undefined) throw new Error('no token was minted')
  const { nid, token: text } = first
  const { claims } = await openToken(text, keys.value)
  if (claims === null) throw new Error('the minted token does not open')
  const { sid, jti, ctx, sub } = claims
  const nonce = 'nonce_1'
  const start = { sub, sid, nid, jti, ctx, nonce, cn: 'cn_1', iat_ms: spec.now_ms }
  const go = await signClaims(gateway.value, 'go', goClaims(claims, start, spec.now_ms))
  const bound = { iss: spec.iss, context: spec.context, ctx, minted }
  const standing = {
    progress: new Map([[nid, 'released'] as const]),
    holder_jkt: agent.value.kid,
    revoked: false,
    now_ms: spec.now_ms,
  }
  const expected = {
    token: claims,
    args: claims.args,
    nonce,
    elapsed: { monotonic_ms: 1, wall_ms: 1 },
    now_ms: spec.now_ms,
  }
  return { keys: keys.value, nid, text, go, bound, standing, expected }
}
type ReadyNode = Awaited<ReturnType<typeof readyNode>>

/** Everything between the arrival of a `go` and the call of the tool. */
async function allChecks({ keys, nid, text, go, bound, standing, expected }: ReadyNode) {
  const opened = await openToken(text, keys)
  const may = checkNode({ nid, opened }, bound, standing)
  const fresh = await verifyGo(go, expected, keys)
  if (!may.ok || !fresh.ok) throw new Error('the checks refuse a good node')
}

/** The floor: the two signatures alone, with everything decoded beforehand. */
function bareVerifies({ keys, text, go }: ReadyNode): () => Promise<void> {
  const inputs = [text, go].map((jws) => {
    const end = jws.lastIndexOf('.')
    const signature = decodeBase64url(jws.slice(end + 1))
    if (signature === null) throw new Error('a signature does not decode')
    return { signature, input: new TextEncoder().encode(jws.slice(0, end)) }
  })
  const [key] = keys.values()
  return async () => {
    for (const { signature, input } of inputs) {
      if (!(await key?.(input, signature))) throw new Error('a good signature does not verify')
    }
  }
}

/** Milliseconds of one run. */
async function timed(run: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

async function agentCase(): Promise<BenchCase> {
  const node = await readyNode(nodeVerify)
  const portable = await readyNode()
  const verifies = bareVerifies(portable)
  const own: number[] = []
  const subtle: number[] = []
  const bare: number[] = []
  for (let round = -100; round < 1_000; round++) {
    const checks = await timed(() => allChecks(node))
    const same = await timed(() => allChecks(portable))
    const floor = await timed(verifies)
    if (round < 0) continue
    subtle.push(same)
    own.push(checks)
    bare.push(floor)
  }
  const peers = { 'two bare subtle.verify': bare, 'the same over subtle.verify': subtle }
  return benchCase("the agent's eight checks and go (Node)", 'ms', { own, peers })
}

/** All cases of this file. */
export async function cases(): Promise<BenchCase[]> {
  return [...(await workerdCases()), await agentCase()]
}
