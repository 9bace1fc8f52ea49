// What is remembered of an outcome, and for whom it counts: the rules as a table, without a gateway.
import { describe, expect, it } from 'vitest'
import { digest } from '../../../protocol/digest.ts'
import { noEvidence } from '../../../protocol/evidence.ts'
import { finding } from '../../../protocol/finding.ts'
import { terminationReasonSchema } from '../../../protocol/reasons.ts'
import type { DecisionReason, Packet } from '../../../protocol/records.ts'
import { matchAll, type NewPlan } from '../../../verify/remember/match.ts'
import {
  noteOfDecision,
  noteOfSession,
  type MemoryNote,
  type OutcomeFacts,
} from '../../../verify/remember/note.ts'
import { planFeatures } from '../../../verify/remember/features.ts'
import { demoRegistry, planOf } from '../support/snapshot.ts'

const registry = demoRegistry()
const plan = planOf([
  { tool: 'lims.read_sample', args: { sample_id: 'PL-0001', fields: ['status'] } },
  { tool: 'storage.store', args: { store_id: 'fridge_4c', item_id: 'plate_1' } },
])
const digestOf = await digest('plan', plan)

const packet: Packet = {
  plan_digest: digestOf,
  floor: {
    level: 'flag',
    findings: [finding('ADMIN_TOOL', 'flag', '/nodes/1')],
    sigma: 0,
    tau_advisory: 1,
    tau_warning: 1,
    snapshot_digest: '',
  },
  grounding: { degraded: null, nodes: [], findings: [] },
  depth: { panel: 'rules', required: 1, seats: 0, short: null, expected: [], reads_only: false },
  trace: null,
  evidence: noEvidence,
  opinions: [],
  chief: null,
  citations: [],
  memory: [],
  registry_digest: `reg:${'A'.repeat(43)}`,
  policy_version: `pol:${'A'.repeat(43)}`,
  graph_version: null,
  expires: 1,
}

const facts: OutcomeFacts = {
  site: 's',
  plan_id: 'plan-1',
  plan,
  plan_digest: digestOf,
  planner: 'planner-a',
  owner: 'owner-a',
  registry,
  linked: {},
  packet,
  now_ms: 1_000,
}

const decided = (verdict: string, reasons: DecisionReason[], by_person = false) =>
  noteOfDecision(facts, { verdict, reasons, by_person })

const later = (more: Partial<NewPlan> = {}): NewPlan => ({
  plan: 'plan-2',
  planner: 'planner-b',
  owner: 'owner-b',
  plan_digest: 'plan:other',
  features: planFeatures(plan, { registry, linked: {} }),
  codes: [],
  raised: [],
  lineage: [],
  weight: () => 1,
  ...more,
})

const noteFor = (more: Partial<MemoryNote> = {}): MemoryNote => {
  const note = decided('escalate', ['floor_flag'])
  if (note === null) throw new TypeError('a flagged plan is remembered')
  return { ...note, ...more }
}
const effects = (note: MemoryNote, of: NewPlan) => matchAll([note], of).map((match) => match.effect)

describe('a memory is made of', () => {
  it('what was refused, by whom it was refused', () => {
    expect(decided('escalate', ['floor_flag'])?.basis).toBe('floor')
    expect(decided('reject', ['person_reject'], true)?.basis).toBe('person')
    expect(decided('accept', ['person_accept'], true)?.kind).toBe('precedent')
  })

  it('no outage, no expiry, no echo of memory itself and no machine acceptance', () => {
    const outages: DecisionReason[] = [
      'judge_missing',
      'chief_missing',
      'knowledge_down',
      'panel_outage',
      'depth_short',
    ]
    for (const reason of outages) expect(decided('escalate', [reason])).toBe(null)
    expect(decided('escalate', outages)).toBe(null)
    expect(decided('reject', ['review_expired'])).toBe(null)
    expect(decided('escalate', ['memory_match', 'depth_short'])).toBe(null)
    expect(decided('accept', ['all_accept'])).toBe(null)
  })

  it('a failed or unknown node, and no other end of a run', () => {
    for (const reason of terminationReasonSchema.options) {
      const note = noteOfSession(facts, { reason, node: 'n2' })
      const remembered = reason === 'node_failed' || reason === 'node_unknown'
      expect(note !== null, reason).toBe(remembered)
      expect(noteOfSession(facts, { reason, node: null })).toBe(null)
    }
  })
})

describe('a memory speaks', () => {
  it('to its own planner and owner about any close plan', () => {
    expect(effects(noteFor({ basis: 'models' }), later({ planner: 'planner-a' }))).toEqual([
      'escalates',
    ])
    expect(effects(noteFor({ basis: 'models' }), later({ owner: 'owner-a' }))).toEqual([
      'escalates',
    ])
  })

  it('to others only with what floor, person or device said, about the same kind of finding', () => {
    const code = { codes: ['ADMIN_TOOL'], raised: ['ADMIN_TOOL'] }
    expect(effects(noteFor({ basis: 'models' }), later(code))).toEqual([])
    expect(effects(noteFor(), later())).toEqual([])
    // What a judge says of the new plan does not make another's floor speak.
    expect(effects(noteFor(), later({ codes: ['ADMIN_TOOL'] }))).toEqual([])
    expect(effects(noteFor(), later(code))).toEqual(['escalates'])
    expect(effects(noteFor({ basis: 'person' }), later({ codes: ['ADMIN_TOOL'] }))).toEqual([
      'escalates',
    ])
  })

  describe('of a run of another owner', () => {
    const run = (more: Partial<MemoryNote> = {}) =>
      noteFor({ id: 'run-1', basis: 'execution', codes: ['EXECUTION_FAILED'], ...more })
    const of = (notes: MemoryNote[], next = later()) =>
      matchAll(notes, next).map(({ memory }) => memory)
    const second = run({ id: 'run-2', plan: 'plan-9', planner: 'planner-c', owner: 'owner-c' })

    it('only to its own planner and owner, as long as nobody else bears it out', () => {
      expect(of([run()])).toEqual([])
      expect(of([run()], later({ owner: 'owner-a' }))).toEqual(['run-1'])
      expect(of([run()], later({ planner: 'planner-a' }))).toEqual(['run-1'])
      // One owner with many planners and runs is still one.
      expect(of([run(), { ...second, owner: 'owner-a' }])).toEqual([])
      expect(of([run(), { ...second, basis: 'floor' }])).toEqual([])
      expect(of([run(), { ...second, basis: 'models' }])).toEqual([])
    })

    it('to everybody once runs of two owners failed in the same call, or a person said so', () => {
      expect(of([run(), second])).toEqual(['run-1', 'run-2'])
      const person: MemoryNote = { ...second, id: 'said', basis: 'person', codes: ['ADMIN_TOOL'] }
      expect(of([run(), person])).toEqual(['run-1'])
    })

    it('only where the failing call is there with each of its listed arguments', () => {
      const [first, ...rest] = run().culprits
      expect(rest.length).toBeGreaterThan(0)
      for (const missing of run().culprits) {
        const features = later().features.filter((feature) => feature !== missing)
        expect(of([run(), second], later({ features }))).toEqual([])
      }
      // Another call that failed, or one that names no node, bears nothing out.
      const other = { ...second, culprits: [first ?? '', 'arg:other'] }
      expect(of([run(), other])).toEqual([])
      expect(of([run({ culprits: [] }), { ...second, culprits: [] }])).toEqual([])
    })
  })

  it('never by codes that speak of who submitted', () => {
    for (const code of ['CAPABILITY_MISSING', 'INJECTION_WARNING', 'WINDOW_PROBING']) {
      const note = noteFor({ codes: [code] })
      expect(effects(note, later({ codes: [code], raised: [code] }))).toEqual([])
    }
  })

  it('as told in its lineage when its codes are gone, and not when that cannot be shown', () => {
    const next = later({ planner: 'planner-a', lineage: ['plan-1'] })
    expect(effects(noteFor(), next)).toEqual(['told'])
    expect(effects(noteFor(), { ...next, codes: ['ADMIN_TOOL'] })).toEqual(['escalates'])
    expect(effects(noteFor({ codes: [] }), next)).toEqual(['escalates'])
    expect(effects(noteFor({ basis: 'execution' }), next)).toEqual(['escalates'])
    expect(effects(noteFor(), { ...next, plan_digest: digestOf })).toEqual(['escalates'])
  })

  it('of the very same plan, whatever it is made of', () => {
    const bare = noteFor({ features: [], culprits: [] })
    const same = later({ planner: 'planner-a', plan_digest: digestOf, features: [] })
    expect(matchAll([bare], same)).toMatchObject([{ effect: 'escalates', similarity: 1 }])
  })

  it('not where the same rule looked at figures alone and found nothing', () => {
    const spun = (speed_rpm: number) =>
      planOf([
        {
          tool: 'centrifuge.spin',
          args: {
            rotor: 'SX-4-500',
            speed_rpm,
            duration_s: 60,
            tubes: [{ position: 1, mass_g: 9 }],
          },
        },
      ])
    const floor = { ...packet.floor, findings: [finding('ADMIN_TOOL', 'block', '/nodes/0')] }
    const of = { ...facts, plan: spun(9_000), packet: { ...packet, floor } }
    const note = noteOfDecision(of, {
      verdict: 'reject',
      reasons: ['floor_block'],
      by_person: false,
    })
    const next = later({
      planner: 'planner-a',
      features: planFeatures(spun(2_000), { registry, linked: {} }),
    })
    expect(note?.exact).toBe(true)
    if (note === null) throw new TypeError('a blocked plan is remembered')
    expect(effects(note, next)).toEqual([])
    expect(effects(note, { ...next, codes: ['ADMIN_TOOL'] })).toEqual(['escalates'])
    // A person's refusal, and words that a rule could miss, are another matter.
    expect(effects({ ...note, exact: false }, next)).toEqual(['escalates'])
    expect(noteFor().exact).toBe(false)
  })

  it('not of a plan that shares little with it', () => {
    const other = planOf([{ tool: 'door.lock', args: { door_id: 'cold_room' } }])
    const features = planFeatures(other, { registry, linked: {} })
    expect(effects(noteFor(), later({ planner: 'planner-a', features }))).toEqual([])
  })
})
