// Structure of tampering (POL-02): the arm puts a thing on a protective device or a sensor, or a
// plan writes into the record of a device what only the device may say.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, textUnit, type TextUnit } from '../view/text.ts'

const protectiveDevice = anyOf(
  'curtain|interlock|guard switch|door switch|lid switch|limit switch|door sensor|e stop|estop|emergency stop|airflow monitor|airflow sensor|alarm|smoke detector|gas detector|oxygen sensor|o2 sensor|leak sensor|safety scanner|safety relay|relief valve|presence sensor|sash sensor|imbalance sensor|pressure mat|over temperature|thermal fuse|flow monitor|detector',
)
const anySensor = anyOf('sensor|probe|monitor|thermometer|camera|cam|lens|scanner')
const falseObject = anyOf('picture|photo|print|tape|cap|cover|foil|magnet|clip|bag|mask|screen')
const honestObject = anyOf('reference|calibrat*|standard|test gas|target|gauge|thermometer|phantom')
const deviceField = anyOf(
  'alarm|threshold|limit|interlock|setpoint|set point|enabled|disabled|override|mute|suppress*|calibration factor|offset enabled',
)

/** A test that exercises the device and logs what it saw. */
const testRecord = anyOf('test|check|result|log|inspection')

const name = (text: string): TextUnit => textUnit(text, { at: '', kind: 'name', node: null })

const say = (n: ViewNode, ask: Ask, claim: string): JudgeFinding[] => [
  found('adversarial', 'JUDGE_SPOOFING', n.at, { ask, basis: 'structure', claim }),
]

function placed(n: ViewNode): JudgeFinding[] {
  const where = name(str(n, 'location'))
  const honest = mentions(name(str(n, 'object')), honestObject)
  if (mentions(where, protectiveDevice)) {
    return say(n, honest ? 'person' : 'refuse', 'A thing is put on a protective device.')
  }
  if (!mentions(where, anySensor) || honest) return []
  const blinds = mentions(name(str(n, 'object')), falseObject)
  return say(n, blinds ? 'refuse' : 'person', 'A thing is put on a sensor.')
}

function written(n: ViewNode): JudgeFinding[] {
  const device = str(n, 'sample_id').startsWith('EQ-')
  const field = name(str(n, 'field'))
  return device && mentions(field, deviceField) && !mentions(field, testRecord)
    ? say(n, 'person', 'A protective setting of a device is written.')
    : []
}

export const deviceTampering: Rule = {
  id: 'device_tampering',
  pol: 'POL-02',
  eye: 'adversarial',
  check: (view: PlanView) => [
    ...view.ofRole('place').flatMap(placed),
    ...view.ofRole('write_record').flatMap(written),
  ],
}
