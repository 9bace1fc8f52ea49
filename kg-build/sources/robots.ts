// Robot arms: joint limits of Universal Robots and Franka, Franka error flags, MoveIt error codes.
import { parse as parseYaml } from 'yaml'
import type { GraphBuilder } from '../graph.ts'
import type { SourceDir, SourceModule } from '../source.ts'
import { Rec, SourceError, stated } from '../source.ts'

const arms = ['ur3', 'ur5', 'ur10', 'ur3e', 'ur5e', 'ur10e', 'ur16e', 'ur20', 'ur30'] as const

export const universalRobots: SourceModule = { name: 'ur-description', parse: parseUr }
export const franka: SourceModule = { name: 'franka-moveit', parse: parseFranka }

const degrees = { tag: '!degrees', resolve: (text: string): number => Number(text) }

function yaml(dir: SourceDir, file: string): Rec {
  const text = dir.text(file)
  try {
    return new Rec(file, 1, parseYaml(text, { customTags: [degrees], logLevel: 'silent' }))
  } catch (error) {
    const line = error instanceof Error ? /line (\d+)/.exec(error.message)?.[1] : undefined
    throw new SourceError(`${dir.dir}/${file}`, Number(line ?? 1), 'valid YAML')
  }
}

function robot(id: string, label: string, vendor: string, source: string, graph: GraphBuilder) {
  const vendorId = `vendor:${vendor.toLowerCase().replace(/[^a-z]+/g, '-')}`
  graph.node({
    id: vendorId,
    category: 'lab_context',
    kind: 'vendor',
    name: `Vendor: ${vendor}`,
    source,
  })
  graph.node({ id, category: 'lab_context', kind: 'robot-or-component', name: label, source })
  return vendorId
}

type Joint = {
  readonly arm: string
  readonly armName: string
  readonly joint: string
  /** Null when the maker states no position limit (continuous joint). */
  readonly min: number | null
  readonly max: number | null
  readonly unit: string
  readonly rest: string
}

function jointNode(j: Joint, source: string, at: string, graph: GraphBuilder): void {
  const id = `joint:${j.arm}:${j.joint}`
  graph.node({
    id,
    category: 'hw_safety',
    kind: 'joint-limit',
    name: `${j.armName} ${j.joint} limits`,
    text: `${j.max === null ? 'No position limit' : `Position ${j.min} to ${j.max} ${j.unit}`}. ${j.rest}`,
    aliases: [`${j.armName} ${j.joint.replace(/_/g, ' ')} range`, j.joint.replace(/_joint$/, '')],
    source,
    limit: { quantity: 'angle', unit: j.unit, min: j.min, max: j.max },
  })
  stated(graph, source)(id, 'limits', `robot:${j.arm}`, at)
}

function parseUr(dir: SourceDir, graph: GraphBuilder): void {
  const source = 'ur-description'
  for (const arm of arms) {
    const file = `${arm}.joint_limits.yaml`
    const armName = arm.toUpperCase().replace(/E$/, 'e')
    const vendor = robot(`robot:${arm}`, `${armName} robot arm`, 'Universal Robots', source, graph)
    stated(graph, source)(`robot:${arm}`, 'made-by', vendor, file)
    const joints = yaml(dir, file).rec('joint_limits')
    for (const joint of joints.keys()) {
      const r = joints.rec(joint)
      const rest = `Velocity ${r.num('max_velocity')} deg/s, effort ${r.num('max_effort')} Nm.`
      const bounded = r.bool('has_position_limits')
      const min = bounded ? r.num('min_position') : null
      const max = bounded ? r.num('max_position') : null
      jointNode({ arm, armName, joint, min, max, unit: 'degrees', rest }, source, file, graph)
    }
  }
}

function parseFranka(dir: SourceDir, graph: GraphBuilder): void {
  const source = 'franka-moveit'
  const vendor = robot('robot:franka-fr3', 'Franka FR3 arm', 'Franka Emika', source, graph)
  stated(graph, source)('robot:franka-fr3', 'made-by', vendor, 'fr3_joint_limits.yaml')
  const joints = yaml(dir, 'fr3_joint_limits.yaml')
  for (const joint of joints.keys()) {
    const r = joints.rec(joint).rec('limit')
    const rest = `Velocity ${r.num('velocity')} rad/s, effort ${r.num('effort')} Nm.`
    const [min, max] = [r.num('lower'), r.num('upper')]
    const at = `fr3_joint_limits.yaml#${joint}`
    const one = { arm: 'fr3', armName: 'Franka FR3', joint, min, max, unit: 'rad', rest }
    jointNode(one, source, at, graph)
    stated(graph, source)(`joint:fr3:${joint}`, 'limits', 'robot:franka-fr3', at)
  }
  const errors = dir.rec('franka_errors.json')
  for (const flag of errors.keys()) {
    const id = `franka-err:${flag}`
    graph.node({
      id,
      category: 'failures',
      kind: 'error-code',
      name: `Franka error ${flag.replace(/_/g, ' ')}`,
      text: errors.str(flag),
      source,
    })
    stated(graph, source)(id, 'error-of', 'robot:franka-fr3', `franka_errors.json#${flag}`)
  }
  moveit(dir, graph)
}

function moveit(dir: SourceDir, graph: GraphBuilder): void {
  const source = 'franka-moveit'
  const file = 'MoveItErrorCodes.msg'
  graph.node({
    id: 'sw:moveit',
    category: 'lab_context',
    kind: 'software',
    name: 'MoveIt motion planning framework',
    source,
  })
  for (const [i, line] of dir.text(file).split('\n').entries()) {
    if (line.trim() === '') continue
    const m = /^int32 ([A-Z_]+)=(-?\d+)/.exec(line)
    if (!m) throw new SourceError(`${dir.dir}/${file}`, i + 1, '"int32 NAME=number"')
    if (m[1] === 'SUCCESS') continue
    const id = `moveit-err:${m[1]}`
    graph.node({
      id,
      category: 'failures',
      kind: 'error-code',
      name: `MoveIt error ${m[1]} (${m[2]})`,
      aliases: [String(m[1]).toLowerCase().replace(/_/g, ' ')],
      source,
    })
    stated(graph, source)(id, 'error-of', 'sw:moveit', `${file}:${i + 1}`)
  }
}
