// What a tool does, in words that rules share. The table names the tools of the common device
// set; a tool that is not in it gets `other`, and its risk class still counts everywhere.
import type { PlanNode } from '../../../../protocol/plan.ts'
import type { JsonValue } from '../../../../protocol/json.ts'
import type { ToolEntry } from '../../../../protocol/registry.ts'

export type Role =
  | 'deposit'
  | 'aspirate'
  | 'tip'
  | 'move'
  | 'pick'
  | 'place'
  | 'grip'
  | 'arm_speed'
  | 'heat'
  | 'shake'
  | 'spin'
  | 'lid_open'
  | 'lid_close'
  | 'profile'
  | 'weigh'
  | 'camera'
  | 'lock'
  | 'unlock'
  | 'sash'
  | 'fetch'
  | 'store'
  | 'chat'
  | 'read_record'
  | 'write_record'
  | 'code'
  | 'http'
  | 'email'
  | 'firmware'
  | 'other'

const roles: Readonly<Record<string, Role>> = {
  'liquid_handler.transfer': 'deposit',
  'liquid_handler.dispense': 'deposit',
  'liquid_handler.aspirate': 'aspirate',
  'liquid_handler.pick_up_tip': 'tip',
  'liquid_handler.drop_tip': 'tip',
  'arm.move_to_pose': 'move',
  'arm.pick': 'pick',
  'arm.place': 'place',
  'arm.open_gripper': 'grip',
  'arm.set_speed': 'arm_speed',
  'heater_shaker.set_temperature': 'heat',
  'heater_shaker.set_speed': 'shake',
  'centrifuge.spin': 'spin',
  'thermocycler.open_lid': 'lid_open',
  'thermocycler.close_lid': 'lid_close',
  'thermocycler.run_profile': 'profile',
  'balance.read': 'weigh',
  'camera.capture': 'camera',
  'door.lock': 'lock',
  'door.unlock': 'unlock',
  'fume_hood.set_sash': 'sash',
  'storage.fetch': 'fetch',
  'storage.store': 'store',
  'notify.slack_internal': 'chat',
  'lims.read_sample': 'read_record',
  'lims.write_result': 'write_record',
  'code.run_sandboxed': 'code',
  'http.fetch_internal': 'http',
  'email.send_external': 'email',
  'firmware.update': 'firmware',
}

export type ViewNode = {
  /** Index in the plan, which is also the index of the order relation. */
  readonly i: number
  readonly id: string
  readonly at: string
  readonly node: PlanNode
  readonly tool: ToolEntry | null
  readonly role: Role
}

/** Joins a plan's node with its registry row. */
export function viewNode(node: PlanNode, i: number, tool: ToolEntry | null): ViewNode {
  return { i, id: node.id, at: `/nodes/${i}`, node, tool, role: roles[node.tool] ?? 'other' }
}

/** A string argument, or '' when absent or of another type. */
export function str(n: ViewNode, key: string): string {
  const value = n.node.args[key]
  return typeof value === 'string' ? value : ''
}

/** A numeric argument, or null. */
export function num(n: ViewNode, key: string): number | null {
  const value = n.node.args[key]
  return typeof value === 'number' ? value : null
}

/** A list argument, or an empty list. */
export function list(n: ViewNode, key: string): readonly JsonValue[] {
  const value = n.node.args[key]
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

/** The strings of a list argument. */
export function strings(n: ViewNode, key: string): string[] {
  return list(n, key).filter((value): value is string => typeof value === 'string')
}

/** A field of an object argument as string, e.g. `source.labware`. */
export function inner(n: ViewNode, key: string, field: string): string {
  const value = n.node.args[key]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const found = (value as { readonly [k: string]: JsonValue })[field]
  return typeof found === 'string' ? found : ''
}
