// Runs test/vectors/*.json as another implementation would: only the files and the public functions.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkNode, openToken, type Bound } from '../../../contain/checks.ts'
import { readFrame } from '../../../contain/frame-in.ts'
import { importJwks, type VerifyKeys } from '../../../contain/keys.ts'
import { converted } from '../../../contain/rational.ts'
import { acceptWelcome } from '../../../contain/receipt.ts'
import { verifySigned } from '../../../contain/verify.ts'
import { decodeBase64url } from '../../../protocol/base64url.ts'
import { canonicalForm, digest, digestCanonical } from '../../../protocol/digest.ts'
import { topologicalOrder, validateGraph } from '../../../protocol/graph.ts'
import { missCodes } from '../../../protocol/misses.ts'
import { parseJson } from '../../../protocol/parse.ts'
import { parsePlan } from '../../../protocol/plan-parse.ts'
import type { Context } from '../../../protocol/records.ts'
import { toolRowSchema } from '../../../protocol/tool-row.ts'
import { allVectors, vectorText } from '../../../lab/tools/make-vectors.ts'
import type { CheckVector } from '../../../lab/tools/vectors/checks.ts'
import type { DigestVector } from '../../../lab/tools/vectors/digests.ts'
import type { FrameVectors } from '../../../lab/tools/vectors/frames.ts'
import type { ParseVectors } from '../../../lab/tools/vectors/parsing.ts'
import type { PlanVectors } from '../../../lab/tools/vectors/plans.ts'
import { outcomeOf, type ReferenceVectors } from '../../../lab/tools/vectors/references.ts'
import type { TokenVectors } from '../../../lab/tools/vectors/tokens.ts'

const folder = path.join(import.meta.dirname, '..', '..', 'vectors')
const text = (name: string) => readFile(path.join(folder, name), 'utf8')
const read = async <T>(name: string): Promise<T> => JSON.parse(await text(name)) as T

const parsing = await read<ParseVectors>('parsing.json')
const plans = await read<PlanVectors>('plans.json')
const digests = await read<DigestVector[]>('digests.json')
const tokens = await read<TokenVectors>('tokens.json')
const checks = await read<CheckVector[]>('checks.json')
const frames = await read<FrameVectors>('frames.json')
const references = await read<ReferenceVectors>('references.json')
const jwks = await read<Record<'gateway' | 'agent', { x: string }>>('keys.json')

const utf8 = (value: string) => new TextEncoder().encode(value)
const named = <T extends { name: string }>(rows: readonly T[]) =>
  rows.map((row): [string, T] => [row.name, row])

let keys: Record<'gateway' | 'agent', VerifyKeys>
let bound: Bound

async function keysOf(name: 'gateway' | 'agent'): Promise<VerifyKeys> {
  const { x } = jwks[name]
  const imported = await importJwks({ keys: [{ kty: 'OKP', crv: 'Ed25519', x }] })
  if (!imported.ok) throw new Error(imported.error)
  return imported.value
}

beforeAll(async () => {
  keys = { gateway: await keysOf('gateway'), agent: await keysOf('agent') }
  const { session } = tokens
  const context = session.context as Context
  const me = {
    iss: session.iss,
    site: context.site,
    cell: context.cell,
    agent: context.agent,
    jkt: [...keys.agent.keys()][0] ?? '',
    boot_id: 'boot-1',
    session: context.session,
  }
  const welcome = { ...session, context, rows: z.array(toolRowSchema).parse(session.rows) }
  const world = { keys: keys.gateway, now_ms: session.now_ms }
  const accepted = await acceptWelcome(welcome, me, world)
  if (!accepted.ok) throw new Error(accepted.error)
  bound = accepted.value
})

describe('the files', () => {
  test('are what the generator writes', async () => {
    for (const [name, content] of Object.entries(await allVectors())) {
      expect(await text(name), name).toBe(vectorText(content))
    }
  })

  test('hold at least 60 invalid vectors', () => {
    const refused = checks.filter((check) => check.outcome !== 'ok')
    const lists = [parsing.invalid, plans.invalid, tokens.invalid, frames.invalid, refused]
    expect(lists.reduce((sum, list) => sum + list.length, 0)).toBeGreaterThanOrEqual(60)
  })
})

describe('parsing', () => {
  test.each(named(parsing.valid))('takes %s', (_, vector) => {
    const parsed = parseJson(utf8(vector.text))
    expect(parsed.ok && canonicalForm(parsed.value)).toBe(vector.canonical)
  })
  test.each(named(parsing.invalid))('refuses %s', (_, vector) => {
    const bytes =
      vector.bytes === undefined ? utf8(vector.text ?? '') : decodeBase64url(vector.bytes)
    const parsed = parseJson(bytes ?? new Uint8Array())
    expect(!parsed.ok && parsed.error[0]).toMatchObject({ code: vector.reason, at: vector.at })
  })
})

describe('plans', () => {
  test.each(named(plans.valid))('takes %s', async (_, vector) => {
    const parsed = parsePlan(utf8(vector.text))
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
    expect(validateGraph(parsed.value.nodes)).toEqual([])
    expect(canonicalForm(parsed.value)).toBe(vector.canonical)
    expect(await digestCanonical('plan', vector.canonical)).toBe(vector.digest)
    expect(topologicalOrder(parsed.value.nodes)).toEqual(vector.order)
  })
  test.each(named(plans.invalid))('refuses %s', (_, vector) => {
    const parsed = parsePlan(utf8(vector.text))
    const found = parsed.ok ? validateGraph(parsed.value.nodes) : parsed.error
    expect(found.map(({ code, at }) => ({ code, at }))).toEqual(vector.violations)
  })
})

test('digests are those of the file', async () => {
  for (const vector of digests) {
    expect(canonicalForm(vector.value)).toBe(vector.canonical)
    expect(await digest(vector.kind, vector.value)).toBe(vector.digest)
  }
})

describe('signed texts', () => {
  test.each(tokens.valid)('takes a $kind', async ({ kind, signer, text: jws, claims }) => {
    const verified = await verifySigned(kind, jws, keys[signer])
    expect(verified).toEqual({ ok: true, value: claims })
  })
  test.each(tokens.valid)('takes a $kind for nothing else', async ({ kind, signer, text: jws }) => {
    for (const other of tokens.valid) {
      if (other.kind === kind) continue
      expect(await verifySigned(other.kind, jws, keys[signer])).toEqual({
        ok: false,
        error: 'header',
      })
    }
  })
  test.each(named(tokens.invalid))('refuses %s', async (_, { kind, signer, text: jws, reason }) => {
    expect(await verifySigned(kind, jws, keys[signer])).toEqual({ ok: false, error: reason })
  })
})

test.each(named(checks))('check: %s', async (_, vector) => {
  const opened = await openToken(vector.token, keys.gateway)
  const outcome = checkNode({ nid: vector.nid, opened }, bound, {
    progress: new Map(Object.entries(vector.progress)),
    holder_jkt: vector.holder_jkt,
    revoked: vector.revoked,
    now_ms: vector.now_ms,
  })
  expect(outcome.ok ? 'ok' : outcome.error).toBe(vector.outcome)
})

describe('frames', () => {
  const connection = { nonce: frames.nonce, proven: true }
  test.each(named(frames.valid))('takes %s', (_, vector) => {
    const value = JSON.parse(vector.text) as unknown
    expect(readFrame(vector.text, connection)).toEqual({ ok: true, value })
  })
  test.each(named(frames.invalid))('refuses %s', (_, vector) => {
    const taken = readFrame(vector.text, { ...connection, proven: vector.proven })
    expect(!taken.ok && taken.error.code).toBe(vector.reason)
  })
})

describe('references.json', () => {
  test.each(references.conversions)('$value × $scale + $offset', (row) => {
    expect(converted(row.value, row)).toBe(row.converted)
  })

  test.each(named(references.nodes))('%s', async (_, row) => {
    expect(await outcomeOf(row)).toEqual(row.outcome)
  })

  test('holds every way that a number of JSON can miss', () => {
    const shown = new Set(
      references.nodes.map(({ outcome }) => (outcome.do === 'end' ? outcome.miss : null)),
    )
    expect(missCodes.filter((code) => !shown.has(code))).toEqual([])
  })
})
