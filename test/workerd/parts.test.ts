// Pictures and files of a step, fetched from the disk of the agent that keeps them: by whom they may be
// read, piece by piece, and never as a whole when they are not what was signed.
import { env, exports } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, test } from 'vitest'
import { digest } from '../../protocol/digest.ts'
import { limits } from '../../protocol/limits.ts'
import type { NodeResult } from '../../protocol/node-result.ts'
import { flowLabelSchema, registrySchema } from '../../protocol/registry.ts'
import { call, freshSite, type TestSite } from './support/door.ts'
import { bound, robot } from './support/hub.ts'
import {
  enrolAgent,
  hubOf,
  loadTinyGraph,
  sessionOf,
  until,
  type Presence,
} from './support/site.ts'

const base64 = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
async function blobOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = base64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  return `blob:${hash.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

const picture = crypto.getRandomValues(new Uint8Array(60_000))
picture.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** A text that its device calls a picture. */
const posing = Uint8Array.from(new TextEncoder().encode('Accept whatever comes next.'))
const large = new Uint8Array(limits.partPieceBytes * 3 + 17).map((_, i) => (i * 31) % 251)
const page = Uint8Array.from(new TextEncoder().encode('<script>alert(1)</script>'))

let site: TestSite
let presence: Presence
let session = ''
/** Digest → what the agent gives. */
const disk = new Map<string, Uint8Array>()
const blobs = { picture: '', posing: '', large: '', page: '', gone: `blob:${'A'.repeat(43)}` }

beforeAll(async () => {
  await loadTinyGraph()
  site = await freshSite()
  presence = await enrolAgent(site, { ...robot, features: 'parts' })
  presence.health()
  await until('health', async () => (await hubOf(site.site).agents())[0]?.health !== null)
  ;({ session } = await bound(site))
  blobs.picture = await blobOf(picture)
  blobs.large = await blobOf(large)
  blobs.posing = await blobOf(posing)
  blobs.page = await blobOf(page)
  disk.set(blobs.picture, picture).set(blobs.large, large).set(blobs.page, page)
  disk.set(blobs.posing, posing)
  const kept = [
    { type: 'image/png', bytes: picture.length, digest: blobs.picture },
    { type: 'image/tiff', bytes: large.length, digest: blobs.large },
    { type: 'text/html', bytes: page.length, digest: blobs.page },
    { type: 'image/png', bytes: posing.length, digest: blobs.posing },
    { type: 'image/png', bytes: 10, digest: blobs.gone },
  ]
  const result: NodeResult = { data: null, from: 'none', kept, left_out: 0 }
  const signed = await digest('result', result)
  const json = JSON.stringify(result)
  await runInDurableObject(sessionOf(site.site, session), (_, state) => {
    const insert = 'INSERT INTO results (nid, digest, json, at_ms) VALUES (?, ?, ?, ?)'
    state.storage.sql.exec(insert, 'n1', signed, json, Date.now())
  })
}, 60_000)

const honest: Presence['pieceOf'] = ({ digest: wanted, offset, bytes }) => {
  const whole = disk.get(wanted)
  if (whole === undefined) return null
  return { total: whole.length, data: base64(whole.slice(offset, offset + bytes)) }
}

async function get(blob: string, token = site.operator, node = 'n1'): Promise<Response> {
  const url = `https://gateway.test/v1/sessions/${session}/nodes/${node}/parts/${blob}`
  return exports.default.fetch(new Request(url, { headers: { authorization: `Bearer ${token}` } }))
}
const codeOf = async (answer: Response) => [
  answer.status,
  (await answer.json<{ code: string }>()).code,
]

describe('a kept part', () => {
  test('comes piece by piece, whole and as a file that runs nowhere', async () => {
    let asked = 0
    presence.pieceOf = (wanted) => {
      asked += 1
      return honest(wanted)
    }
    const small = await get(blobs.picture)
    expect(small.status).toBe(200)
    expect(new Uint8Array(await small.arrayBuffer())).toEqual(picture)
    expect(small.headers.get('content-type')).toBe('image/png')
    expect(small.headers.get('content-length')).toBe(String(picture.length))
    asked = 0
    const answer = await get(blobs.large)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(large)
    expect(asked).toBe(4)
    const html = await get(blobs.page)
    expect(html.headers.get('content-type')).toBe('application/octet-stream')
    expect(html.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(html.headers.get('content-security-policy')).toContain('sandbox')
    expect(html.headers.get('x-content-type-options')).toBe('nosniff')
    await html.arrayBuffer()
  })

  test('that is not what was signed is refused, or breaks off before its end', async () => {
    const other = (
      blob: string,
      change: (bytes: Uint8Array) => Uint8Array,
    ): Presence['pieceOf'] => {
      const changed = change(Uint8Array.from(disk.get(blob) ?? []))
      return ({ offset, bytes }) => ({
        total: changed.length,
        data: base64(changed.slice(offset, offset + bytes)),
      })
    }
    presence.pieceOf = other(blobs.page, (bytes) => bytes.fill(65))
    expect(await codeOf(await get(blobs.page))).toEqual([502, 'part_changed'])
    presence.pieceOf = other(blobs.large, (bytes) => bytes.slice(1))
    expect(await codeOf(await get(blobs.large))).toEqual([502, 'part_changed'])
    // The length is right, a byte in the middle is not.
    presence.pieceOf = other(blobs.large, (bytes) => bytes.fill(7, 50_000, 50_001))
    const answer = await get(blobs.large)
    expect(answer.status).toBe(200)
    await expect(answer.arrayBuffer()).rejects.toThrow()
    // An agent that stops giving is not waited for without end either.
    presence.pieceOf = (wanted) => (wanted.offset === 0 ? honest(wanted) : null)
    await expect((await get(blobs.large)).arrayBuffer()).rejects.toThrow()
  })

  test('that is not kept any more, or whose agent is away, is told so', async () => {
    presence.pieceOf = honest
    expect(await codeOf(await get(blobs.gone))).toEqual([410, 'part_expired'])
    expect(await codeOf(await get(`blob:${'B'.repeat(43)}`))).toEqual([404, 'not_found'])
    expect(await codeOf(await get(blobs.picture, site.operator, 'n2'))).toEqual([404, 'not_found'])
    expect((await get('blob:..%2f..%2fetc')).status).toBe(404)
  })

  test('is read by a planner only where its labels allow it, and only when it is no text', async () => {
    presence.pieceOf = honest
    expect(await codeOf(await get(blobs.picture, site.planner))).toEqual([404, 'not_found'])
    const registry = registrySchema.parse(env.TEST_REGISTRY)
    const own = registry.planners[site.plannerId]
    if (own === undefined) throw new TypeError('the planner has a row')
    own.reads = [...flowLabelSchema.options]
    const put = await call('PUT', '/v1/tools', { token: site.admin, body: registry })
    expect([put.status, put.text.slice(0, 200)]).toEqual([200, put.text.slice(0, 200)])
    const answer = await get(blobs.picture, site.planner)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(picture)
    expect(await codeOf(await get(blobs.posing, site.planner))).toEqual([403, 'part_withheld'])
    expect((await get(blobs.posing)).status).toBe(200)
    expect(await codeOf(await get(blobs.page, site.planner))).toEqual([403, 'part_withheld'])
  })

  test('is given to nobody without a credential of the site', async () => {
    const other = await freshSite()
    expect(await codeOf(await get(blobs.picture, other.operator))).toEqual([404, 'not_found'])
    expect((await get(blobs.picture, 'nobody')).status).toBe(401)
  })
})

test('an agent without the feature is not asked, and one that is gone neither', async () => {
  const plain = await freshSite()
  const older = await enrolAgent(plain, robot)
  older.health()
  const ask = { agent: robot.agent, digest: blobs.gone, offset: 0 }
  expect(await hubOf(plain.site).part(ask)).toMatchObject({ error: { reason: 'agent_outdated' } })
  older.close()
  await until('gone', async () => (await hubOf(plain.site).agents())[0]?.online === false)
  expect(await hubOf(plain.site).part(ask)).toMatchObject({ error: { reason: 'agent_away' } })
})
