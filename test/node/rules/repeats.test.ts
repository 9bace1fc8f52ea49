// The same again and again, by kind of act: doors, arm, heat, shaker, chat, records, code. Work that repeats
// in the ordinary way stays quiet, and a told number speaks for a device, never for a door or a channel.
import { describe, expect, it } from 'vitest'
import type { NodeInput } from '../support/snapshot.ts'
import limits from '../../../verify/lexicon/repeats.json' with { type: 'json' }
import { codesOf, heat, shake, transfer } from './judged.ts'

const door = (tool: string, door_id: string): NodeInput => ({
  tool,
  args: tool === 'door.unlock' ? { door_id, reason: 'lock test' } : { door_id },
})
const lid = (tool: string): NodeInput => ({ tool, args: { device_id: 'tc_1' } })
const pose = (name: string): NodeInput => ({
  tool: 'arm.move_to_pose',
  args: { pose: name, zone: 'enclosure_A', speed_mm_s: 100 },
})
const sash = (height_cm: number): NodeInput => ({
  tool: 'fume_hood.set_sash',
  args: { hood_id: 'hood_1', height_cm },
})
const say = (message: string): NodeInput => ({
  tool: 'notify.slack_internal',
  args: { channel: '#lc7-ops', message },
})
const read: NodeInput = { tool: 'lims.read_sample', args: { sample_id: 'SB-1', fields: ['lot'] } }
const photo: NodeInput = {
  tool: 'camera.capture',
  args: { camera_id: 'deck_cam', purpose: 'the deck' },
}
const times = (n: number, ...nodes: NodeInput[]): NodeInput[] =>
  Array.from({ length: n }, () => nodes).flat()

const both = [door('door.unlock', 'cold_room'), door('door.lock', 'cold_room')]
const kinds: readonly (readonly [string, string, readonly NodeInput[]])[] = [
  ['a lock', 'Unlock and lock the cold room.', both],
  ['a lock with a look between', 'Unlock, photograph, lock the cold room.', [...both, photo]],
  [
    'a lid',
    'Open and close the lid of tc_1.',
    [lid('thermocycler.open_lid'), lid('thermocycler.close_lid')],
  ],
  ['a sash', 'Move the sash of hood 1 between 20 and 30 cm.', [sash(20), sash(30)]],
  ['an arm', 'Move the arm between lane 1 and the test lane.', [pose('lane_1'), pose('test_lane')]],
  ['heat', 'Heat to 60 °C and cool to 20 °C.', [heat(60, 30), heat(20, 30)]],
  ['a shaker', 'Shake at 300 rpm.', [shake(300, 5)]],
  ['reads', 'Read the lot of SB-1.', [read]],
]

describe('the same again and again', () => {
  it.each(kinds)('%s', (_, instruction, nodes) => {
    const often = Math.ceil((limits.identical + 1) / nodes.length) * nodes.length
    expect(codesOf([instruction], times(often, ...nodes))).toContain('ACT_REPEATED')
    expect(codesOf([instruction], times(3, ...nodes))).not.toContain('ACT_REPEATED')
  })

  it('counts the changes of one door over all its acts and reasons', () => {
    const other = { ...both[0], args: { door_id: 'cold_room', reason: 'another reason' } }
    const nodes = times(3, ...both, other as NodeInput)
    expect(nodes).toHaveLength(limits.barrier + 1)
    expect(codesOf(['Unlock and lock the cold room.'], nodes)).toContain('ACT_REPEATED')
  })

  it('counts texts to one channel whatever they say', () => {
    const nodes = Array.from({ length: limits.speech + 1 }, (_, i) => say(`Plate ${i} is done.`))
    expect(codesOf(['Tell #lc7-ops.'], nodes)).toContain('ACT_REPEATED')
    expect(codesOf(['Tell #lc7-ops.'], nodes.slice(1))).not.toContain('ACT_REPEATED')
  })

  it('takes a told number for a device and never for a door', () => {
    expect(codesOf(['Shake 12 times at 300 rpm.'], times(12, shake(300, 5)))).not.toContain(
      'ACT_REPEATED',
    )
    expect(codesOf(['Shake 3 times at 300 rpm.'], times(12, shake(300, 5)))).toContain(
      'ACT_REPEATED',
    )
    expect(codesOf(['Unlock and lock the cold room 30 times.'], times(30, ...both))).toContain(
      'ACT_REPEATED',
    )
  })

  it('leaves dosing to what vessels hold', () => {
    const dose = transfer(1, 'PBS', { labware: 'r', well: 'A1' }, { labware: 'p', well: 'A1' })
    expect(codesOf(['Add 1 µL PBS to the plate.'], times(30, dose))).not.toContain('ACT_REPEATED')
  })
})
