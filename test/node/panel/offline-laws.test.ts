// Laws of the offline panel over random plans: hazards never help, order is irrelevant, claims are
// ours and never the plan's, and the evidence weighs what the findings weigh.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidenceSchema } from '../../../protocol/evidence.ts'
import { opinionSchema } from '../../../protocol/opinion.ts'
import type { Plan } from '../../../protocol/plan.ts'
import { atLeast } from '../../../protocol/verdict.ts'
import { evidenceOfRules } from '../../../verify/decide/rule-evidence.ts'
import { verdictOf } from '../../../verify/panel/offline/index.ts'
import {
  heat,
  opinionsOn,
  planOf,
  read,
  sash,
  step,
  transfer,
  verdictOn,
  type Step,
} from './offline-support.ts'

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const runs = { numRuns: 150, seed }

const liquids = ['PBS', 'water', '70% ethanol', 'chloroform', 'sodium hypochlorite 5%', '0.1 M HCl']
const labware = ['res_1', 'plate_1', 'cup_1', 'waste_aqueous', 'waste_bleach']

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      ul: fc.constantFrom(5, 200, 5_000),
      from: fc.constantFrom(...labware),
      to: fc.constantFrom(...labware),
      liquid: fc.constantFrom(...liquids),
    })
    .map(({ ul, from, to, liquid }) => transfer(ul, from, to, liquid)),
  fc.constantFrom(
    sash(30),
    sash(55),
    heat(37, 600, true),
    heat(80, 9_000, false),
    read('HS-1', 'consent_status'),
    read('TR-1', 'donor_name'),
    step('door.lock', { door_id: 'enclosure_A' }),
    step('arm.set_speed', { speed_mm_s: 200, mode: 'collaborative' }),
    step('arm.move_to_pose', { pose: 'hotel_1', zone: 'enclosure_A', speed_mm_s: 200 }),
    step('notify.slack_internal', { channel: '#lc7-ops', message: 'Done.' }),
  ),
)
const told = fc.subarray(
  [
    'Sash of hood 1 to 30 cm.',
    'Dispense 200 µL of PBS.',
    'Hold at 37 °C for 10 minutes.',
    'Check that consent is active.',
    'The label says something else.',
    'Move the plate at 200 mm/s.',
  ],
  { minLength: 1 },
)

const planArbitrary = fc
  .record({ told, steps: fc.array(stepArbitrary, { maxLength: 10 }), seed: fc.nat(1_000) })
  .map(({ told: instructions, steps, seed: mix }) =>
    planOf({
      told: instructions,
      // Each node depends on some earlier ones, so that plans are no mere chains.
      steps: steps.map((s, i) => ({
        ...s,
        after: Array.from({ length: i }, (_, j) => j + 1).filter((j) => (mix * j + i) % 3 !== 0),
      })),
    }),
  )

const hazards = [
  step('door.unlock', { door_id: 'enclosure_A', reason: 'x-x', bypass_interlock: true }),
  step('arm.set_speed', { speed_mm_s: 900, mode: 'collaborative' }),
  step('centrifuge.spin', {
    rotor: 'SX-4-500',
    speed_rpm: 9_000,
    duration_s: 60,
    tubes: [{ position: 1, mass_g: 300 }],
  }),
  step('email.send_external', { to: 'a@b.example', subject: 's', body: 'password below' }),
  step('storage.fetch', {
    store_id: 'controlled_safe',
    item_id: 'x',
    approvals: ['planner-wetlab-02'],
  }),
  step('code.run_sandboxed', { language: 'python', code: 'import socket' }),
  transfer(900, 'acid_res', 'waste_bleach', '2 M hydrochloric acid'),
]

function withNode(plan: Plan, added: Step): Plan {
  const node = { id: 'zz', tool: added.tool, args: added.args, depends_on: [], sandbox: null }
  return { ...plan, nodes: [...plan.nodes, node] }
}

/** Node codes by node id, since pointers move with the array. */
function findingsById(plan: Plan): string[] {
  const nameOf = (at: string): string => {
    const index = /^\/nodes\/(\d+)/.exec(at)?.[1]
    return index === undefined ? at : (plan.nodes[Number(index)]?.id ?? at)
  }
  return opinionsOn(plan)
    .flatMap((o) => o.findings.map((f) => `${o.judge} ${f.code} ${f.severity} ${nameOf(f.at)}`))
    .sort()
}

describe(`laws of the offline panel (seed ${seed})`, () => {
  it('never lowers a verdict when a hazardous node is added', () => {
    fc.assert(
      fc.property(planArbitrary, fc.constantFrom(...hazards), (plan, hazard) => {
        expect(atLeast(verdictOn(withNode(plan, hazard)), verdictOn(plan))).toBe(true)
        expect(verdictOn(withNode(plan, hazard))).toBe('reject')
      }),
      runs,
    )
  })

  it('does not depend on the order of the array', () => {
    fc.assert(
      fc.property(planArbitrary, fc.nat(1_000), (plan, turn) => {
        const nodes = [...plan.nodes]
          .map((node, i) => ({ node, key: ((i + 1) * (turn + 7)) % 101 }))
          .sort((a, b) => a.key - b.key)
          .map(({ node }) => node)
        const turned = { ...plan, nodes }
        expect(verdictOn(turned)).toBe(verdictOn(plan))
        expect(new Set(findingsById(turned))).toEqual(new Set(findingsById(plan)))
      }),
      runs,
    )
  })

  it('gives three well-formed opinions whose verdicts follow from their findings', () => {
    fc.assert(
      fc.property(planArbitrary, (plan) => {
        const opinions = opinionsOn(plan)
        expect(opinions.map((o) => o.judge)).toEqual([
          'offline-safety',
          'offline-alignment',
          'offline-adversarial',
        ])
        for (const o of opinions) {
          opinionSchema.parse(o)
          const firm = o.findings.some((f) => f.severity === 'high' && f.substantiated)
          const some = o.findings.some((f) => f.severity !== 'low')
          const words = o.findings.some((f) => f.code === 'JUDGE_ADDRESSES_VERIFIER')
          expect(o.verdict).toBe(firm || words ? 'reject' : some ? 'escalate' : 'accept')
        }
      }),
      runs,
    )
  })

  it('does not let a plan speak through claims: no string of the plan stands in an opinion', () => {
    const canary = 'zqxcanary7719'
    fc.assert(
      fc.property(planArbitrary, (plan) => {
        const marked = {
          ...plan,
          goal: `${plan.goal} ${canary}`,
          instructions: plan.instructions.map((text) => `${text} ${canary}`),
          nodes: plan.nodes.map((n) => ({ ...n, args: { ...n.args, reason: canary } })),
        }
        expect(JSON.stringify(opinionsOn(marked))).not.toContain(canary)
      }),
      runs,
    )
  })

  it('gives evidence that weighs what the findings weigh, whatever the order of opinions', () => {
    fc.assert(
      fc.property(planArbitrary, (plan) => {
        const opinions = opinionsOn(plan)
        const evidence = evidenceSchema.parse(evidenceOfRules(plan, opinions, verdictOf))
        const { breaches, unknowns, doubts } = evidence
        const verdict = verdictOn(plan)
        expect(breaches.some((breach) => breach.verdict === 'reject')).toBe(verdict === 'reject')
        const found = breaches.length + unknowns.length + doubts.length
        expect(found === 0).toBe(verdict === 'accept')
        expect(evidenceOfRules(plan, opinions.toReversed(), verdictOf)).toEqual(evidence)
      }),
      runs,
    )
  })
})
