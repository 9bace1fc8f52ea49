// What is a trace context and what is not, and that ids of spans follow from what they are about.
import { describe, expect, it } from 'vitest'
import { worded } from '../../../protocol/older-words.ts'
import { parseTraceparent, spanIdOf, traceOf, traceparentOf } from '../../../protocol/trace.ts'

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent_id = '00f067aa0ba902b7'

describe('a traceparent', () => {
  it('is read as W3C has it, also of a later version', () => {
    const read = { trace_id, parent_id, sampled: true }
    expect(parseTraceparent(`00-${trace_id}-${parent_id}-01`)).toStrictEqual(read)
    expect(parseTraceparent(`01-${trace_id}-${parent_id}-03-more`)).toStrictEqual(read)
    expect(parseTraceparent(`00-${trace_id}-${parent_id}-00`)?.sampled).toBe(false)
  })

  it('is none when anything about it is odd: nothing is refused for that', () => {
    for (const text of [
      null,
      undefined,
      '',
      `00-${trace_id}-${parent_id}`,
      `00-${trace_id}-${parent_id}-01-more`,
      `ff-${trace_id}-${parent_id}-01`,
      `00-${'0'.repeat(32)}-${parent_id}-01`,
      `00-${trace_id}-${'0'.repeat(16)}-01`,
      `00-${trace_id.toUpperCase()}-${parent_id}-01`,
      `01-${trace_id}-${parent_id}-01-${'x'.repeat(100)}`,
    ]) {
      expect(parseTraceparent(text), String(text)).toBeNull()
    }
  })

  it('is handed on below each span', () => {
    const trace = traceOf('plan_1', `00-${trace_id}-${parent_id}-01`)
    const plan = spanIdOf(trace, 'plan', 'plan_1')
    expect(parseTraceparent(traceparentOf(trace, plan))).toStrictEqual({
      trace_id,
      parent_id: plan,
      sampled: true,
    })
    const ids = [
      plan,
      spanIdOf(trace, 'plan', 'plan_2'),
      spanIdOf(trace, 'run', 'plan_1'),
      spanIdOf(trace, 'step', 's', 'n1'),
      spanIdOf(trace, 'step', 's', 'n2'),
      spanIdOf(traceOf('plan_1', undefined), 'plan', 'plan_1'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/)
  })

  it('begins with the plan where nobody brought one, the same each time', () => {
    const fresh = traceOf('plan_1', undefined)
    expect(fresh).toStrictEqual(traceOf('plan_1', 'nonsense'))
    expect(fresh.trace_id).toMatch(/^[0-9a-f]{32}$/)
    expect(fresh.trace_id).not.toBe(traceOf('plan_2', undefined).trace_id)
  })

  it('is told to nobody who did not ask for it', () => {
    const welcome = { type: 'welcome', traceparent: 'x' }
    expect(JSON.stringify(worded(welcome, ['signed-rows']))).toBe('{"type":"welcome"}')
    expect(worded(welcome, ['trace'])).toStrictEqual(welcome)
  })
})
