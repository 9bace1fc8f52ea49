// Arguments that would defeat an interlock, a guard or an alarm (POL-02): always refused, whatever
// the tool. Danger: machinery that stays energised with a person inside.
import type { JsonValue } from '../../../protocol/json.ts'
import type { Finding } from '../../../protocol/finding.ts'
import { report } from '../report.ts'
import type { Leaf, Scene } from '../scene.ts'

const defeating = new Set([
  'bypass',
  'override',
  'overrides',
  'disable',
  'disabled',
  'defeat',
  'ignore',
  'skip',
  'mute',
  'muted',
  'suppress',
  'inhibit',
  'emulate',
  'spoof',
  'simulate',
])

const guards = new Set([
  'interlock',
  'interlocks',
  'guard',
  'guards',
  'estop',
  'stop',
  'safety',
  'curtain',
  'alarm',
  'alarms',
  'airflow',
  'limit',
  'limits',
  'watchdog',
  'enclosure',
  'presence',
])

const standingOff = new Set(['off', 'false', 'no', 'disabled', 'disable', 'none', 'bypassed', '0'])
const standingOn = new Set(['on', 'true', 'yes', 'enable', 'enabled', '1'])

const isOn = (value: JsonValue): boolean =>
  value === true || value === 1 || (typeof value === 'string' && standingOn.has(lower(value)))

const isOff = (value: JsonValue): boolean =>
  value === false || value === 0 || (typeof value === 'string' && standingOff.has(lower(value)))

const lower = (text: string): string => text.trim().toLowerCase()

/** Keys that say nothing but "defeat it", and switches of a guard that are turned off. */
function defeats(leaf: Leaf): boolean {
  const words = leaf.keyWords
  const guard = words.some((word) => guards.has(word))
  if (words.includes('bypass') || (guard && words.some((word) => defeating.has(word)))) {
    return isOn(leaf.value)
  }
  const switchOfGuard =
    words.some((word) => ['interlock', 'interlocks', 'guard', 'guards', 'safety'].includes(word)) &&
    words.every((word) => guards.has(word) || ['enabled', 'enable', 'active', 'on'].includes(word))
  return switchOfGuard && isOff(leaf.value)
}

/** One finding for each argument that would defeat a guard. */
export function checkInterlock(scene: Scene): Finding[] {
  return scene.nodes.flatMap(({ node, leaves }) =>
    leaves
      .filter(defeats)
      .map((leaf) =>
        report('INTERLOCK_BYPASS', 'block', leaf.at, { node: node.id, key: leaf.key }),
      ),
  )
}
