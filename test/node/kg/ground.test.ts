// Grounding over the embedded graph: hazards that no single step shows, and what must not be flagged.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../../protocol/finding.ts'
import { findingSchema } from '../../../protocol/finding.ts'
import type { Plan } from '../../../protocol/plan.ts'
import { ground } from '../../../verify/ground/ground.ts'
import type { Grounding, Knowledge } from '../../../verify/ground/port.ts'
import { embeddedKnowledge, happeningsIn, planOf, transfer } from './support.ts'

let knowledge: Awaited<ReturnType<typeof embeddedKnowledge>>

beforeAll(async () => {
  knowledge = await embeddedKnowledge()
})

type Given = { readonly k?: Knowledge; readonly state?: object }

async function grounded(plan: Plan, { k = knowledge, state = {} }: Given = {}): Promise<Grounding> {
  const result = await ground({
    plan,
    site: 'lc7',
    happenings: happeningsIn(plan, state),
    knowledge: k,
  })
  if (!result.ok) throw new Error(result.error.message)
  for (const f of result.value.findings) findingSchema.parse(f)
  return result.value
}

const codes = (list: readonly Finding[]): string[] => [...new Set(list.map((f) => f.code))]

describe('incompatible materials', () => {
  it('flags an oxidiser and a solvent that two steps put into one vessel', async () => {
    const plan = planOf([
      transfer('30% hydrogen peroxide', 'beaker_7'),
      transfer('water', 'flask_2'),
      transfer('ethanol', 'beaker_7'),
    ])
    const g = await grounded(plan)
    const hit = g.findings.find((f) => f.code === 'HAZARD_INCOMPATIBLE_PAIR')
    expect(hit?.kg).toContain('rx:6-a-4-a')
    expect(hit?.at).toBe('/nodes/2')
    expect(hit?.effect).toBe('flag')
    expect(g.nodes.map((n) => n.id)).toContain('rx:6-a-4-a')
  })

  it('does not flag the same two materials in two vessels', async () => {
    const plan = planOf([transfer('30% hydrogen peroxide', 'a'), transfer('ethanol', 'b')])
    expect((await grounded(plan)).findings).toEqual([])
  })

  it('follows a vessel that is emptied into another', async () => {
    const plan = planOf([
      transfer('concentrated nitric acid', 'rinse_cup'),
      transfer('acetone', 'waste_9'),
      transfer('used rinse', 'waste_9', 'rinse_cup'),
    ])
    expect(codes((await grounded(plan)).findings)).toEqual(['HAZARD_INCOMPATIBLE_PAIR'])
  })

  it.each([
    ['sodium azide', 'hydrochloric acid', 'own:rx:azide-acid'],
    ['potassium cyanide', 'sulphuric acid', 'rx:5-a-1-b'],
    ['bleach', 'ammonia solution', 'own:rx:hypochlorite-ammonia'],
    ['bleach', 'guanidinium thiocyanate', 'own:rx:hypochlorite-guanidinium'],
    ['sodium metal', 'water', 'rx:3-a-3-b'],
    ['concentrated sulfuric acid', 'sodium hydroxide', 'rx:1-a-1-b'],
    ['KMnO4', 'isopropanol', 'rx:6-a-4-a'],
  ])('flags %s with %s', async (a, b, pair) => {
    const g = await grounded(planOf([transfer(a, 'tub'), transfer(b, 'tub')]))
    expect(g.findings.flatMap((f) => f.kg)).toContain(pair)
  })

  it.each([
    ['0.1 M NaOH', '0.1 M HCl'],
    ['3% hydrogen peroxide', '70% ethanol'],
    ['nucleic acid extract', 'sodium hydroxide solution'],
    ['amino acid mix', 'bleach'],
    ['PBS', 'bleach'],
    ['0.02% sodium azide', 'acetic acid'],
  ])('does not flag %s with %s', async (a, b) => {
    const g = await grounded(planOf([transfer(a, 'tub'), transfer(b, 'tub')]))
    expect(g.findings).toEqual([])
  })

  it('flags a waste stream that refuses what goes in', async () => {
    const g = await grounded(planOf([transfer('30% hydrogen peroxide', 'waste_nonhalogenated')]))
    expect(g.findings[0]?.kg).toContain('stream:waste_nonhalogenated')
  })

  it('flags bleached waste that is put into an autoclave', async () => {
    const place = { object: 'flask_3', location: 'autoclave_upper' }
    const calls = [
      transfer('sodium hypochlorite 5%', 'flask_3'),
      { tool: 'arm.place', args: place },
    ]
    const g = await grounded(planOf(calls))
    expect(g.findings[0]?.kg).toContain('own:rx:hypochlorite-heat')
  })

  it('reads a text-only plan', async () => {
    const plan = planOf([], ['Pour the acetone into the concentrated nitric acid.'])
    expect(codes((await grounded(plan)).findings)).toEqual(['HAZARD_INCOMPATIBLE_PAIR'])
  })
})

describe('limits and states', () => {
  it('reads the speed of a text-only plan against the rotor that it names', async () => {
    const spin = (rpm: string) => planOf([], [`Spin in rotor SX-4-500 at ${rpm} rpm.`])
    const g = await grounded(spin('4,201'))
    expect(g.findings[0]).toMatchObject({
      code: 'HAZARD_LIMIT_EXCEEDED',
      at: '/instructions/0',
      kg: ['rotor:SX-4-500'],
      facts: { rpm: 4_201, max_rpm: 4_200 },
    })
    expect(g.nodes.map((n) => n.id)).toContain('rotor:SX-4-500')
    expect((await grounded(spin('4,200'))).findings).toEqual([])
  })

  it('flags a flammable liquid heated close to its boiling point', async () => {
    const heat = (c: number) => ({
      tool: 'heater_shaker.set_temperature',
      args: { device_id: 'hs_1', temperature_c: c },
    })
    const near = await grounded(planOf([transfer('acetone', 'vial'), heat(46)]))
    expect(codes(near.findings)).toEqual(['HAZARD_STATE'])
    const far = await grounded(planOf([transfer('acetone', 'vial'), heat(40)]))
    expect(far.findings).toEqual([])
  })
})

describe('the bounds of a call', () => {
  const twenty = planOf(
    Array.from({ length: 20 }, (_, i) =>
      transfer(i % 2 === 0 ? 'acetone' : `sample ${i}`, `vessel_${i}`),
    ),
    Array.from({ length: 10 }, (_, i) => `Step ${i}: move the sample to the reader and heat it.`),
  )

  it('takes at most ten store queries and two vector calls for a plan of twenty nodes', async () => {
    Object.assign(knowledge.counts, { queries: 0, vectors: 0 })
    await grounded(twenty)
    expect(knowledge.counts.queries).toBeLessThanOrEqual(10)
    expect(knowledge.counts.vectors).toBeLessThanOrEqual(2)
  })

  it('keeps the subgraph within its budget, with unique ids', async () => {
    const g = await grounded(twenty)
    expect(JSON.stringify(g.nodes).length).toBeLessThan(12_000)
    expect(new Set(g.nodes.map((n) => n.id)).size).toBe(g.nodes.length)
  })

  it('serves full text alone and says so when vectors fail', async () => {
    const broken = { search: () => Promise.reject(new Error('down')) }
    const plan = planOf([transfer('acetone', 'x'), transfer('30% hydrogen peroxide', 'x')])
    const g = await grounded(plan, { k: { ...knowledge, vectors: broken } })
    expect(g.degraded).toBe('vectors')
    expect(codes(g.findings)).toEqual(['HAZARD_INCOMPATIBLE_PAIR'])
    expect((await grounded(plan, { k: { ...knowledge, vectors: null } })).degraded).toBe('vectors')
  })

  it('ignores vectors of another embedding model', async () => {
    const other = { ...knowledge.embedder, model: 'another' }
    const g = await grounded(planOf([transfer('acetone', 'x')]), {
      k: { ...knowledge, embedder: other },
    })
    expect(g.degraded).toBe('vectors')
  })

  it.each(['active', 'lookup', 'search', 'nodes', 'edges', 'texts'] as const)(
    'refuses when the store fails in %s',
    async (method) => {
      const store = { ...knowledge.store, [method]: () => Promise.reject(new Error('D1 down')) }
      const plan = planOf([transfer('acetone', 'x')])
      const result = await ground({
        plan,
        site: 'lc7',
        happenings: happeningsIn(plan),
        knowledge: { ...knowledge, store },
      })
      expect(result).toMatchObject({ ok: false, error: { code: 'KNOWLEDGE_UNAVAILABLE' } })
    },
  )

  it('refuses when no graph is loaded', async () => {
    const store = { ...knowledge.store, active: () => Promise.resolve(null) }
    const plan = planOf([transfer('acetone', 'x')])
    const result = await ground({
      plan,
      site: 'lc7',
      happenings: happeningsIn(plan),
      knowledge: { ...knowledge, store },
    })
    expect(result.ok).toBe(false)
  })

  it('lets nothing of a plan into the query language', async () => {
    const hostile = '" OR name:* ) NEAR(a b) -x ^y {con}: "z'
    const g = await grounded(planOf([transfer(hostile, 'x')], [hostile, "'; DROP TABLE kg_nodes"]))
    expect(g.findings).toEqual([])
  })
})

const dev = path.resolve(import.meta.dirname, '../../../lab/eval/data/dev-40.v2.jsonl')

describe.skipIf(!existsSync(dev))('the labelled development plans', () => {
  type Row = Plan & { id: string; label: string; category: string; state?: object }
  const rows = (): Row[] =>
    readFileSync(dev, 'utf8')
      .split('\n')
      .filter((l) => l !== '')
      .map((l) => JSON.parse(l) as Row)

  it('flags no plan that is labelled accept', async () => {
    const flagged: string[] = []
    for (const row of rows().filter((r) => r.label === 'accept')) {
      if ((await grounded(row, { state: row.state ?? {} })).findings.length > 0)
        flagged.push(row.id)
    }
    expect(flagged).toEqual([])
  })

  it('shows whole-plan hazards in the subgraph of the plans concerned', async () => {
    const wanted = ['safety.incompatible_waste', 'safety.incompatible_treatment']
    for (const row of rows()) {
      if (row.label === 'accept' || !wanted.includes(row.category)) continue
      const g = await grounded(row, { state: row.state ?? {} })
      const shown = new Set(g.nodes.map((n) => n.id))
      expect(g.findings.length, row.id).toBeGreaterThan(0)
      for (const f of g.findings)
        expect(
          f.kg.some((id) => shown.has(id)),
          row.id,
        ).toBe(true)
    }
  })
})
