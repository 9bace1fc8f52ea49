// Whose matter a plan is: the chief's word unless a fact refuses, then the single heaviest thing that was found or
// heard; and what the graph found, which binds like the floor.
import { describe, expect, test } from 'vitest'
import { collectEvidence, noEvidence, type Evidence } from '../../../protocol/evidence.ts'
import type { FindingCode } from '../../../protocol/finding-codes.ts'
import type { Finding } from '../../../protocol/finding.ts'
import type { JudgeFinding, Opinion } from '../../../protocol/opinion.ts'
import { classify } from '../../../verify/decide/classify.ts'
import { decide, panelOf, rederive } from '../../../verify/decide/decide.ts'
import type { Packet } from '../../../protocol/records.ts'
import { calmInput, calmOpinion } from './arbitraries.ts'

// One code of each class, as rules and judges write them.
const safety = 'HAZARD_STATE'
const alignment = 'ADMIN_TOOL'
const adversarial = 'FLOW_PEOPLE_IN_VIEW'

const finding = (code: FindingCode, effect: Finding['effect']): Finding => ({
  code,
  effect,
  at: '/nodes/0',
  span: null,
  kg: [],
  facts: {},
})
const breach = (
  code: FindingCode,
  verdict: 'escalate' | 'reject',
): Evidence['breaches'][number] => ({
  code,
  node: null,
  at: '/nodes/0',
  verdict,
  facts: {},
})
const judged: JudgeFinding = {
  code: 'JUDGE_OTHER',
  concern: 'safety',
  at: '/nodes/0',
  severity: 'critical',
  likelihood: 1,
  claim: '',
  cites: [],
  substantiated: true,
}
const { chief: calmChief } = calmInput('live')
const chief = (change: object) => (calmChief === null ? null : { ...calmChief, ...change })
const opinion = (change: Partial<Opinion>): Opinion => ({
  ...calmOpinion('m1', 'openai'),
  ...change,
})

type Input = Parameters<typeof classify>[0]
const nothing: Input = {
  findings: [],
  evidence: noEvidence,
  opinions: [],
  chief: null,
  accepted: false,
}
const classOf = (change: Partial<Input>): string => classify({ ...nothing, ...change })
const evidence = (change: Partial<Evidence>): Evidence => ({ ...noEvidence, ...change })
const unknown = (code: FindingCode): Evidence['unknowns'][number] => ({
  code,
  node: null,
  at: '/nodes/0',
  what: 'Not known.',
  facts: {},
})

describe('the class of a plan', () => {
  test('is the chief’s word, if it answered with one and no fact refuses', () => {
    const says = chief({ classification: 'alignment' })
    expect(classOf({ chief: says })).toBe('alignment')
    expect(classOf({ chief: says, accepted: true })).toBe('alignment')
    expect(classOf({ chief: says, findings: [finding(safety, 'flag')] })).toBe('alignment')
    const flagged = evidence({ breaches: [breach(safety, 'escalate')] })
    expect(classOf({ chief: says, evidence: flagged })).toBe('alignment')
    expect(classOf({ chief: says, findings: [finding(safety, 'block')] })).toBe('safety')
    // One refusal among others is one.
    const mixed = [finding(adversarial, 'advisory'), finding(safety, 'block')]
    expect(classOf({ chief: says, findings: mixed })).toBe('safety')
    const breaches = [breach(adversarial, 'escalate'), breach(safety, 'reject')]
    expect(classOf({ chief: says, evidence: evidence({ breaches }) })).toBe('safety')
    const late = chief({ classification: 'alignment', outcome: 'late' })
    expect(classOf({ chief: late, findings: [finding(safety, 'flag')] })).toBe('safety')
    expect(classOf({ chief: chief({ classification: 'none' }) })).toBe('safety')
  })

  test('is none for what was accepted, and safety where nothing says otherwise', () => {
    expect(classOf({ accepted: true, findings: [finding(adversarial, 'advisory')] })).toBe('none')
    expect(classOf({})).toBe('safety')
  })

  test.each<[string, Partial<Input>, string]>([
    [
      'a flag over an advisory',
      { findings: [finding(safety, 'advisory'), finding(alignment, 'flag')] },
      'alignment',
    ],
    [
      'a block over a flag',
      { findings: [finding(adversarial, 'flag'), finding(alignment, 'block')] },
      'alignment',
    ],
    [
      'at a tie, who must look first',
      { findings: [finding(alignment, 'flag'), finding(safety, 'flag')] },
      'safety',
    ],
    [
      'a breach that refuses over one that asks',
      {
        evidence: evidence({ breaches: [breach(safety, 'escalate'), breach(alignment, 'reject')] }),
      },
      'alignment',
    ],
    ['what is not known', { evidence: evidence({ unknowns: [unknown(alignment)] }) }, 'alignment'],
    [
      'an open doubt',
      {
        evidence: collectEvidence({
          breaches: [],
          unknowns: [],
          doubts: [
            {
              code: 'JUDGE_SCOPE',
              text: 'Is it so?',
              subject: '',
              family: 'scope',
              settleable: true,
            },
          ],
        }),
      },
      'alignment',
    ],
    [
      'a breach over what is not known',
      {
        evidence: evidence({
          breaches: [breach(alignment, 'escalate')],
          unknowns: [unknown(adversarial)],
        }),
      },
      'alignment',
    ],
    [
      'the finding of a judge',
      { opinions: [opinion({ findings: [{ ...judged, concern: 'alignment' }] })] },
      'alignment',
    ],
    [
      'the concern of a judge',
      { opinions: [opinion({ concern: 'adversarial', risk: 0 })] },
      'adversarial',
    ],
    [
      'a likely harm over an unlikely one',
      {
        opinions: [
          opinion({
            findings: [
              { ...judged, concern: 'adversarial', likelihood: 0.1 },
              { ...judged, concern: 'alignment', likelihood: 0.9 },
            ],
          }),
        ],
      },
      'alignment',
    ],
    [
      'a great risk over a small one',
      {
        opinions: [
          opinion({ concern: 'adversarial', risk: 0.01 }),
          opinion({ concern: 'alignment', risk: 0.06 }),
        ],
      },
      'alignment',
    ],
  ])('is that of the heaviest: %s', (_, change, concern) => {
    expect(classOf(change)).toBe(concern)
  })

  test('hears nothing of a judge that did not answer, and no concern where there is none', () => {
    const late = opinion({
      outcome: 'late',
      concern: 'alignment',
      findings: [{ ...judged, concern: 'alignment' }],
    })
    const small = finding(adversarial, 'advisory')
    expect(classOf({ opinions: [late], findings: [small] })).toBe('adversarial')
    expect(classOf({ opinions: [opinion({ risk: 1 })], findings: [small] })).toBe('adversarial')
  })
})

describe('what the graph found', () => {
  const grounded = (...effects: Finding['effect'][]) => {
    const findings = effects.map((effect) => finding(safety, effect))
    return decide({ ...calmInput('offline'), grounding: { degraded: null, nodes: [], findings } })
  }

  test('refuses, asks or tells by its effect, the strictest first', () => {
    expect(grounded()).toMatchObject({ verdict: 'accept', reasons: ['all_accept'] })
    expect(grounded('advisory')).toMatchObject({ verdict: 'accept', reasons: ['all_accept'] })
    const asks = { verdict: 'escalate', reasons: ['knowledge_finding'], classification: 'safety' }
    expect(grounded('advisory', 'flag')).toEqual(asks)
    expect(grounded('block')).toEqual({ ...asks, verdict: 'reject', reasons: ['floor_block'] })
    expect(grounded('flag', 'block').verdict).toBe('reject')
  })
})

test('a policy that names who judges is not overruled by the record', () => {
  expect(panelOf({ panel: 'offline' }, { panel: 'models' })).toBe('rules')
  expect(panelOf({ panel: 'live' }, { panel: 'rules' })).toBe('models')
  expect(panelOf({ panel: 'auto' }, { panel: 'rules' })).toBe('rules')
  expect(panelOf({ panel: 'auto' }, { panel: 'models' })).toBe('models')
})

test('a packet of a standing run is derived again as one', () => {
  const { policy, ...record } = calmInput('offline')
  const standing: Packet['standing'] = {
    template: 't',
    digest: `tmpl:${'A'.repeat(43)}`,
    values: {},
    nth: null,
    of: 1,
    look: false,
    refused: null,
    differences: [],
    approvers: ['rosa'],
  }
  const packet = (more: object) => ({ ...record, ...more }) as unknown as Packet
  expect(rederive(packet({}), policy).verdict).toBe('accept')
  expect(rederive(packet({ standing }), policy).reasons).toEqual(['standing_misfit'])
})
