// What a rule of the site lets a plan leave on: only where it covers every act that switched the thing on.
// And a device is on by what it was set to, whichever fact a condition asks for.
import { expect, test } from 'vitest'
import { pottery, ruled, stateOf, traceOf } from './kiln.ts'

const warm = { is: { role: 'temperature' }, le: '300 Cel' }
const rule = (more: object) => ({ id: 'R', text: 'R', if: { act: 'set_temperature' }, ...more })
const heat = (...to: number[]) =>
  to.map((one) => ({ tool: 'heat', args: { kiln: 'kiln-1', to: one } }))
const leftOn = (rules: object[], ...to: number[]) =>
  traceOf(pottery(rules), stateOf(), heat(...to)).findings.filter(
    ({ code }) => code === 'DRYRUN_LEFT_ON',
  ).length

test('a device stays on only where a rule says that it may', () => {
  expect(leftOn([rule({ needs: warm })], 200)).toBe(1)
  expect(leftOn([rule({ needs: warm, leaves: 'on' })], 200)).toBe(0)
  expect(leftOn([rule({ needs: warm, leaves: 'open' })], 200)).toBe(1)
})

test('one act that the rule does not permit, and the finding stands', () => {
  expect(leftOn([rule({ needs: warm, leaves: 'on' })], 900)).toBe(1)
  expect(leftOn([rule({ needs: warm, leaves: 'on' })], 900, 200)).toBe(1)
  expect(leftOn([rule({ if: { act: 'run_profile' }, needs: warm, leaves: 'on' })], 200)).toBe(1)
})

test('what stays on is listed all the same', () => {
  const trace = traceOf(pottery([rule({ needs: warm, leaves: 'on' })]), stateOf(), heat(200))
  expect(trace.left_on.map(({ thing }) => thing)).toEqual(['kiln-1'])
})

test('a rule that needs a device to be off sees that it was set', () => {
  const off = { is: { fact: 'energised', of: '$device', at: 'end' }, eq: false }
  const trace = traceOf(pottery([rule({ needs: off })]), stateOf(), heat(200))
  expect(ruled(trace, 'R').found).toEqual(['breach'])
})
