// A draft of a site file over HTTP: from the list of tools that an agent reports to example plans that come out
// as expected, by answers that are kept one by one. Nobody else sees it, and nothing is in force before it is put.
import { beforeAll, describe, expect, it } from 'vitest'
import { env } from 'cloudflare:workers'
import { encodeBase64url } from '../../protocol/base64url.ts'
import { limits } from '../../protocol/limits.ts'
import { agentJwk } from '../shared/session-fixture.ts'
import {
  call,
  codeOf,
  codesOf,
  freshSite,
  publicHalf,
  type Answer,
  type TestSite,
} from './support/door.ts'
import { hubOf, Presence, until } from './support/site.ts'

const path = '/v1/site-file/draft'
const tools = [
  {
    name: 'read_ph',
    description: 'Read the pH of the beaker with the probe.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'pump_acid',
    description: 'Pump acid from its bottle into the beaker.',
    inputSchema: {
      type: 'object',
      properties: {
        volume_ml: { type: 'number', minimum: 0.1, maximum: 10, description: 'how much (mL)' },
        pump: { type: 'string', enum: ['pump_1'] },
        // Longer than one piece of a list: the site has to ask again.
        note: { type: 'string', maxLength: 100, description: 'x'.repeat(limits.partPieceBytes) },
      },
      required: ['volume_ml', 'pump'],
    },
  },
]
const facts = [
  { thing: 'beaker', fact: 'contents', value: [{ substance: 'water', volume: '50 mL' }] },
  { thing: 'acid_bottle', fact: 'contents', value: [{ substance: 'water', volume: '200 mL' }] },
]
const examples = [
  {
    id: 'pump',
    expect: 'accept',
    goal: 'Dilute what is in the beaker',
    instructions: ['Pump 2 mL into the beaker with pump_1.'],
    nodes: [{ id: 'n1', tool: 'pump_acid', args: { volume_ml: 2, pump: 'pump_1' } }],
    state: { facts },
  },
  {
    id: 'read',
    expect: 'accept',
    goal: 'Know the pH of the beaker',
    instructions: ['Read the pH of the beaker.'],
    nodes: [{ id: 'n1', tool: 'read_ph', args: {} }],
  },
]

let site: TestSite
let presence: Presence

type Draft = {
  version: number
  registry: { tools: { name: string; definition_digest: string }[] }
  sources: { server: string; what: string; tools: number }[]
  questions: { id: string; server_says: string; proposals: string[]; danger: number }[]
  trials: { id: string; verdict: string }[]
  held: number
  answers: { id: string; held: number; of: number }[]
}
const draftOf = (answer: Answer): Draft => {
  if (answer.status !== 200) throw new Error(`draft: ${answer.status} ${answer.text}`)
  return answer.body as unknown as Draft
}
const ask = (method: string, at = path, body?: object, token = site.admin) =>
  call(method, at, { token, ...(body === undefined ? {} : { body }) })
const answer = (id: string, text: string) =>
  ask('POST', `${path}/answers`, { answers: [{ id, answer: text }] })

/** What an agent does with a list: names it in its health, and gives it piece by piece. */
async function tells(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const digest = `blob:${encodeBase64url(hash)}`
  presence.lists = { bench: { digest, bytes: bytes.length } }
  presence.pieceOf = (wanted) => {
    if (wanted.digest !== digest) return null
    const piece = bytes.subarray(wanted.offset, wanted.offset + wanted.bytes)
    return { total: bytes.length, data: btoa(String.fromCodePoint(...piece)) }
  }
  presence.health()
  await until('the list is named', async () =>
    (await hubOf(site.site).agents()).some(
      ({ health }) => health?.servers['bench']?.list?.digest === digest,
    ),
  )
}

beforeAll(async () => {
  site = await freshSite({ registry: false })
  const as = { agent: 'robot', cell: 'cell-1' }
  const body = { ...as, jwk: publicHalf(agentJwk) }
  expect((await call('POST', '/v1/agents', { token: site.admin, body })).status).toBe(201)
  presence = await Presence.connect(site, { ...as, jwk: agentJwk, features: 'parts lists' })
  await tells(JSON.stringify(tools))
})

describe('a draft over HTTP', () => {
  it('is not there before somebody makes one', async () => {
    expect((await ask('GET')).status).toBe(404)
    expect((await answer('does:read_ph', '1')).status).toBe(404)
    expect((await ask('GET')).status).toBe(404)
  })

  it('is made of what the agent reports, pinned, with every call undescribed and asked about', async () => {
    const draft = draftOf(await ask('POST'))
    expect(draft.sources).toEqual([{ agent: 'robot', server: 'bench', what: 'taken', tools: 2 }])
    expect(draft.registry.tools.map(({ name }) => name)).toEqual(['read_ph', 'pump_acid'])
    const dangers = draft.questions.map(({ danger }) => danger)
    expect(dangers).toEqual(dangers.toSorted((a, b) => b - a))
    const [first] = draft.questions
    expect(first?.id).toBe('does:pump_acid')
    expect(first?.server_says).toContain('Pump acid from its bottle')
    expect(first?.proposals.length).toBeGreaterThan(0)
    expect(first?.proposals.length).toBeLessThanOrEqual(3)
  })

  it('leads by answers, each kept with how many plans are still held, to plans that come out', async () => {
    const before = draftOf(await ask('PUT', `${path}/examples`, { examples }))
    expect(before.held).toBe(2)
    expect(before.trials.map(({ verdict }) => verdict)).not.toContain('accept')
    const steps = [
      ['does:pump_acid', 'transfer from="acid_bottle" to="beaker" with=/pump'],
      ['does:read_ph', 'measure device="ph_probe" target="beaker"'],
      ['argument:pump_acid/note', 'inert:a remark for people'],
      ['planner:', '1'],
      ['thing:beaker', 'vessel 100 mL'],
      ['thing:acid_bottle', 'vessel 500 mL'],
    ] as const
    const answers = steps.map(([id, text]) => ({ id, answer: text }))
    const most = limits.draftAnswersMax
    const many = await ask('POST', `${path}/answers`, { answers })
    expect([many.status, codesOf(many)]).toEqual([422, [['schema', '/answers']]])
    expect(many.text).toContain(`answers must have at most ${most} items`)
    for (let i = 0; i < answers.length; i += most) {
      draftOf(await ask('POST', `${path}/answers`, { answers: answers.slice(i, i + most) }))
    }
    const after = draftOf(await ask('GET'))
    expect(after.trials.map(({ verdict }) => verdict)).toEqual(['accept', 'accept'])
    expect(after.held).toBe(0)
    expect(after.answers.map(({ id }) => id)).toEqual(steps.map(([id]) => id))
    expect(after.answers.at(-1)).toMatchObject({ held: 0, of: 2 })
    // Drafting again changes nothing that was answered.
    expect(draftOf(await ask('POST')).held).toBe(0)
  })

  it('keeps the answers before one that is not understood', async () => {
    const { version } = draftOf(await ask('GET'))
    const wrong = await answer('does:read_ph', '1')
    expect([wrong.status, codesOf(wrong)]).toEqual([422, [['answer_not_taken', '/answers/0']]])
    expect(draftOf(await ask('GET')).version).toBe(version)
  })

  it('is not in force until it is put, and then the file that was tried is', async () => {
    expect((await call('GET', '/v1/tools', { token: site.admin })).body['registry']).toBe(null)
    const { registry } = draftOf(await ask('GET'))
    const put = await call('PUT', '/v1/tools', { token: site.admin, body: registry })
    expect(put.status, put.text).toBe(200)
  })

  it('asks again about a call that the agent now shows otherwise, and takes no list that is another', async () => {
    const [read, pump] = tools
    await tells(JSON.stringify([{ ...read, description: 'Reads.' }, pump]))
    const draft = draftOf(await ask('POST'))
    expect(draft.questions.map(({ id }) => id)).toContain('does:read_ph')
    // The agent gives something else than it named.
    const { pieceOf } = presence
    presence.pieceOf = (wanted) => {
      const piece = pieceOf(wanted)
      return piece && { ...piece, data: btoa('x'.repeat(atob(piece.data).length)) }
    }
    expect(draftOf(await ask('POST')).sources).toMatchObject([{ what: 'unreadable', tools: 0 }])
  })

  it('is for administrators of its site alone', async () => {
    for (const token of [site.planner, site.reviewer, site.operator]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect(codeOf(await ask(method, path, undefined, token))).toBe('role_forbidden')
      }
    }
    const other = await freshSite({ registry: false })
    expect((await ask('GET', path, undefined, other.admin)).status).toBe(404)
    const made = draftOf(await ask('POST', path, undefined, other.admin))
    expect([made.registry.tools, made.sources]).toEqual([[], []])
    expect((await ask('DELETE', path, undefined, other.admin)).status).toBe(200)
    expect((await ask('GET')).status).toBe(200)
  })

  it('begins with the file in force, however it begins', async () => {
    const other = await freshSite()
    const inForce = await call('GET', '/v1/tools', { token: other.admin })
    const names = (inForce.body['registry'] as Draft['registry']).tools.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(0)
    const put = await ask('PUT', `${path}/examples`, { examples }, other.admin)
    expect(draftOf(put).registry.tools.map(({ name }) => name)).toEqual(names)
    const drafted = draftOf(await ask('POST', path, undefined, other.admin))
    expect(drafted.registry.tools.map(({ name }) => name)).toEqual(names)
  })

  it('is refused with its size where a row of the database could not keep it', async () => {
    const other = await freshSite({ registry: false })
    draftOf(await ask('POST', path, undefined, other.admin))
    const log = { id: 'x', by: 'y', at_ms: 1, held: 0, of: 0 }
    const kept = Array.from({ length: 470 }, () => ({ ...log, answer: 'é'.repeat(1_900) }))
    await env.DB.prepare('UPDATE site_drafts SET answers = ? WHERE site = ?')
      .bind(JSON.stringify(kept), other.site)
      .run()
    const goal = 'é'.repeat(2_000)
    const big = Array.from({ length: 40 }, () => ({ ...examples[1], id: undefined, goal }))
    const put = await ask('PUT', `${path}/examples`, { examples: big }, other.admin)
    expect([put.status, codeOf(put)]).toEqual([413, 'body_too_large'])
    expect(put.text).toMatch(/would be \d{7} bytes; at most 1900000 are kept/)
    expect(draftOf(await ask('GET', path, undefined, other.admin)).trials).toEqual([])
  })

  it('is asked for as seldom as all that takes long', async () => {
    const other = await freshSite({ registry: false })
    const asked = Array.from({ length: limits.heavyRequestsPerSite.burst + 1 }, (_, i) =>
      i % 2 === 0
        ? ask('GET', path, undefined, other.admin)
        : ask('POST', `${path}/answers`, { answers: [{ id: 'x', answer: '1' }] }, other.admin),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})
