// The report from recordings: the same bytes twice, and figures that a hand can check. The recorded
// seats are put beside packets past any prompt; laws that ignore facts do not exist.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { laws, modelsMajority } from '../../../lab/eval/laws.ts'
import { readOpinions, withOpinions } from '../../../lab/eval/opinions.ts'
import type { StoredPacket } from '../../../lab/eval/packets.ts'
import { barsSvg, reportMarkdown, reportPictures } from '../../../lab/eval/report-page.ts'
import { choices, reportOf, signTest } from '../../../lab/eval/report.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { policySchema } from '../../../protocol/policy.ts'
import type { Packet } from '../../../protocol/records.ts'
import { calmInput } from '../decide/arbitraries.ts'

const { registry } = await loadSite()
const policy = policySchema.parse({})
const plan = {
  goal: 'g',
  instructions: ['i'],
  planner: { id: 'p' },
  nodes: [{ id: 'n', tool: 't', args: {}, depends_on: [], sandbox: null }],
}
const { policy: _policy, ...facts } = calmInput('offline')
const packet: Packet = {
  ...structuredClone({ ...facts, opinions: [], memory: [] }),
  plan_digest: 'plan:x',
  trace: null,
  citations: [],
  registry_digest: 'reg:x',
  policy_version: 'pol:x',
  graph_version: null,
  expires: 0,
}
const severe = (cites: string[], severity = 'critical', at = '/nodes/0') => ({
  code: 'JUDGE_PHYSICAL_RISK',
  concern: 'safety',
  at,
  severity,
  likelihood: 0.9,
  claim: 'c',
  cites,
})
const rule = `rule:${registry.rules[0]?.id ?? ''}`
const line = (id: string, seat: string, verdict: string, findings: object[] = []) =>
  JSON.stringify({ id, seat, verdict, findings })

let dir: string
let stored: StoredPacket[]
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'portcullis-report-'))
  const file = path.join(dir, 'opinions.jsonl')
  const say = (id: string, verdicts: string[], findings: object[] = []) =>
    verdicts.map((verdict, i) => line(id, `judge-${i + 1}`, verdict, findings))
  const rows = [
    ...say('a', ['accept', 'accept', 'accept']),
    ...say('b', ['reject', 'reject', 'escalate'], [severe([rule])]),
    ...say('c', ['reject', 'reject', 'reject'], [severe(['rule:nobody-wrote-this'])]),
    ...say('d', ['escalate', 'escalate', 'escalate'], [severe([rule])]),
    ...say('e', ['accept', 'accept', 'reject'], [severe([rule])]),
  ]
  await writeFile(file, `${rows.join('\n')}\n`)
  const recorded = await readOpinions(file)
  const labels = { a: 'accept', b: 'reject', c: 'reject', d: 'escalate', e: 'accept' }
  stored = Object.entries(labels).map(([id, label]) => {
    const heard = withOpinions(packet, recorded.get(id) ?? [], { plan, registry })
    return {
      v: 1,
      id,
      planner: 'p',
      plan,
      policy,
      packet: heard,
      person: null,
      label,
      category: 'x',
      concern: 'safety',
    }
  })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

describe('recorded opinions', () => {
  test('a finding has substance only where it cites what the site knows', () => {
    const [a, b, c] = stored.map((one) => one.packet.opinions[0]?.findings[0]?.substantiated)
    expect([a, b, c]).toStrictEqual([undefined, true, false])
  })
  test('a broken line and a second opinion of a seat are errors that name the line', async () => {
    const bad = path.join(dir, 'bad.jsonl')
    await writeFile(bad, `${line('a', 's', 'accept')}\n${line('a', 's', 'reject')}\n`)
    await expect(readOpinions(bad)).rejects.toThrow('line 2: a second opinion of s')
    await writeFile(bad, '{"id":"a","seat":"s","verdict":"perhaps"}\n')
    await expect(readOpinions(bad)).rejects.toThrow('line 1')
  })
  test('a plan that the recording does not hold has no panel, and no law that asks one accepts it', () => {
    const silent = withOpinions(packet, [], { plan, registry })
    expect(silent).toMatchObject({ opinions: [], depth: { panel: 'models', expected: [] } })
    for (const law of laws) {
      if (law.name !== 'facts alone') expect(law.decide(silent, policy), law.name).toBe('escalate')
    }
  })
})

describe('report', () => {
  test('counts what the gateway makes of the recordings', () => {
    const report = reportOf(stored)
    expect(report).toMatchObject({ n: 5, heard: 5, chiefs: 0 })
    expect(report.gateway.against_labels).toMatchObject({ hits: 3, n: 5 })
    // Rejected by all without substance: a person; rejected by one of three: a person.
    expect(report.differs).toStrictEqual([
      { id: 'c', label: 'reject', verdict: 'escalate', majority: 'reject' },
      { id: 'e', label: 'accept', verdict: 'escalate', majority: 'accept' },
    ])
    expect(report.laws.map((law) => law.name)).toStrictEqual(laws.map((law) => law.name))
    const law = (name: string) => report.laws.find((one) => one.name === name)
    expect(law('plain majority')?.against_labels.hits).toBe(4)
    expect(law('any rejection')?.accept_rejected.hits).toBe(1)
    expect(law('grades reject')?.against_gateway).toMatchObject({ gained: 0, lost: 1 })
    expect(report.ensembles.map((one) => [one.size, one.panels])).toStrictEqual([
      [1, 3],
      [2, 3],
      [3, 1],
    ])
    expect(report.ablations.find((one) => one.name === 'models')?.reject_accepted.hits).toBe(2)
  })

  test('facts bind under every law', () => {
    const blocked: StoredPacket[] = stored.map((one) => ({
      ...one,
      packet: { ...one.packet, floor: { ...one.packet.floor, level: 'block' } },
    }))
    for (const law of laws) {
      for (const one of blocked) expect(law.decide(one.packet, policy), law.name).toBe('reject')
    }
  })

  test('is the same to the byte, whatever the order of the packets', () => {
    const pages = [stored, stored.toReversed()].map((list) => {
      const report = reportOf(list)
      return [reportMarkdown(report), JSON.stringify(report), reportPictures(report)]
    })
    expect(pages[1]).toStrictEqual(pages[0])
    expect(barsSvg('a < b', [])).toContain('a &lt; b')
  })

  test('the sign test and the choices of seats are those of the textbook', () => {
    expect(signTest(0, 0)).toBe(1)
    expect(signTest(5, 5)).toBe(1)
    expect(signTest(0, 6)).toBeCloseTo(0.03125)
    expect(signTest(1, 9)).toBeCloseTo(0.021484, 5)
    expect(choices(['a', 'b', 'c'], 2)).toStrictEqual([
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ])
    const split = stored[4]?.packet
    if (split === undefined) throw new Error('no packet')
    const two = { ...split, opinions: split.opinions.slice(1) }
    // One accepts, one rejects, one is silent: nobody has most of three.
    expect(modelsMajority(two)).toBe('escalate')
  })
})
