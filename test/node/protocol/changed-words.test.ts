// Every kind of difference has words of its own; what a later release tells is shown as it is.
import { expect, test } from 'vitest'
import { changedInWords } from '../../../protocol/changed-words.ts'
import { planSchema } from '../../../protocol/plan.ts'
import type { Difference } from '../../../verify/simulate/compare.ts'

const plan = planSchema.parse({
  goal: 'Fire',
  instructions: ['Fire.'],
  planner: { id: 'potter' },
  nodes: [{ id: 'heat', tool: 'fire', args: {}, depends_on: [], sandbox: null }],
})
const about = { at: '/nodes/0', thing: 'kiln-1', fact: 'set_temperature' }
const said: Record<Difference['kind'], [Difference, RegExp]> = {
  steps: [{ kind: 'steps', at: '' }, /^the steps are not the same/],
  finding: [{ kind: 'finding', at: '/nodes/0', code: 'SITE_RULE_OPEN' }, /^Step heat: new: [A-Z]/],
  finding_worse: [
    { kind: 'finding_worse', at: '/nodes/0', code: 'SITE_RULE_BROKEN' },
    /^Step heat: worse than it was shown: [A-Z]/,
  ],
  wider: [{ kind: 'wider', ...about }, /^Step heat: the set temperature of kiln-1 is not as/],
  gone: [{ kind: 'gone', ...about }, /^Step heat: the set temperature of kiln-1 does not change/],
  left_on: [
    { kind: 'left_on', at: '', thing: 'kiln-1', fact: 'energised' },
    /^at the end the energised of kiln-1 stays on/,
  ],
  value: [{ kind: 'value', at: '', name: 'heat' }, /^the value of heat is outside of what/],
  standing: [
    { kind: 'standing', at: '', why: 'suspended' },
    /^the standing approval does not cover it: it was suspended/,
  ],
}

test.each(Object.entries(said))('%s', (_, [difference, words]) => {
  expect(changedInWords(plan, { ...difference })).toMatch(words)
})

test('an unknown kind', () => {
  expect(changedInWords(plan, { kind: 'melted', at: '' })).toContain('melted')
})
