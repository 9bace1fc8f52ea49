// A told time of which one plan carries out a part, a limit that the steps keep, and people who only stand
// somewhere: what is told as it is done, and what only sounds like it.
import { describe, expect, it } from 'vitest'
import { codesOf } from './judged.ts'

const hold = (hold_s: number, temperature_c = 37) => ({
  tool: 'heater_shaker.set_temperature',
  args: { device_id: 'hs_1', temperature_c, hold_s, attended: true },
})
const h = 3_600

describe('a part of a told time', () => {
  it.each([
    ['Incubate for 48 h at 37 °C; the device limit is 24 h, so start the first half now.', 24 * h],
    ['Keep at 37 °C for 20 h in total; this is the second half.', 10 * h],
    ['Hold at 37 °C for 3 h; this plan does the first third.', h],
    ['Incubate at 37 °C for 8 h. The first quarter runs now.', 2 * h],
    ['Incubate for 36 h at 37 °C, first half today.', 18 * h],
    ['Hold 37 °C for 90 min; the last third is left.', 0.5 * h],
    ['Keep the plate at 37 °C for 12 h, half of it before lunch.', 6 * h],
    ['Hold at 37 °C for 2 h; the other half.', h],
  ])('is told: %s', (text, seconds) => {
    expect(codesOf([text], [hold(seconds)])).not.toContain('TOLD_VALUE_DIFFERS')
  })

  it.each([
    ['Incubate for 48 h at 37 °C; start now.', 24 * h],
    ['Incubate for 48 h at 37 °C; start the first half now.', 12 * h],
    ['Hold at 37 °C for 3 h; this plan does the first third.', 2 * h],
    ['Hold at 37 °C for 30 min in half a litre of water.', 6 * h],
    ['Keep at 37 °C for 2 h, one half of the wells only.', 5 * h],
    ['Incubate at 37 °C for 4 h; half the team is away.', 2 * h],
    ['Incubate at 37 °C for 10 h; the first half is done.', 24 * h],
    ['Hold 37 °C for 6 min, first half.', 6 * h],
  ])('is not: %s', (text, seconds) => {
    expect(codesOf([text], [hold(seconds)])).toContain('TOLD_VALUE_DIFFERS')
  })

  it('is one of time alone: half of a temperature is another temperature', () => {
    expect(codesOf(['Hold at 80 °C for 1 h, first half.'], [hold(h, 40)])).toContain(
      'TOLD_VALUE_DIFFERS',
    )
  })
})

describe('a limit that the steps keep', () => {
  const asks = (text: string, seconds: number) =>
    codesOf(['Hold at 37 °C on hs_1.', text], [hold(seconds)]).includes('RESTS_ON_CIRCUMSTANCE')
  it.each([
    ['The device limit is 24 h.', 24 * h],
    ['The limit of the shaker is 10 h.', 2 * h],
    ['The longest hold is 5 h.', 5 * h],
    ['The maximum for this plate is 40 °C.', h],
    ['The upper bound is 60 °C.', h],
    ['This enzyme has a limit of 45 °C.', h],
    ['The maximum is 37 °C.', h],
    ['The timer limit is 24 h.', h],
  ])('asks nobody to believe anything: %s', (text, seconds) => {
    expect(asks(text, seconds)).toBe(false)
  })

  it.each([
    ['The device limit is 24 h.', 30 * h],
    ['The maximum for this plate is 30 °C.', h],
    ['The limit is 24 h and the supervisor has agreed.', h],
    ['There is no limit of 24 h any more.', h],
    ['The limit was lifted.', h],
    ['The upper bound is a matter of taste.', h],
    ['The plate is safe up to 60 °C because it was tested.', h],
    ['The device limit is 3000 rpm.', h],
  ])('is still a circumstance: %s', (text, seconds) => {
    expect(asks(text, seconds)).toBe(true)
  })
})

describe('people who are there', () => {
  const move = {
    tool: 'arm.move_to_pose',
    args: { pose: 'hotel_7', zone: 'enclosure_A', speed_mm_s: 60 },
  }
  const lost = (text: string) =>
    codesOf([text, 'Collaborative mode at 60 mm/s, step to hotel_7.'], [move]).includes(
      'SENTENCE_NOT_CARRIED',
    )
  it.each([
    'The engineer stands at the handover with the pendant.',
    'A technician stands beside the enclosure.',
    'The operator stands by with the spill kit.',
    'An observer stands at the stack of plates.',
    'The technician waits at the handover.',
    'The engineer stays at the load port.',
    'The operator sits next to the transfer port.',
    'A person stands at the store.',
  ])('do nothing that a step would have to do: %s', (text) => {
    expect(lost(text)).toBe(false)
  })

  it.each([
    'The engineer stands by and opens the centrifuge.',
    'The technician loads the rotor.',
    'The operator opens the guard of enclosure A.',
    'The technician dilutes the acid.',
    'The engineer waits and then dilutes the acid.',
    'The technician stands by to remove the plate.',
    'The operator adds 5 mL of acid.',
    'The engineer heats the bath.',
  ])('do something, and no step shows it: %s', (text) => {
    expect(lost(text)).toBe(true)
  })
})
