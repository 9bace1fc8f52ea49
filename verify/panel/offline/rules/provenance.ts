// Results say truthfully how they were obtained (POL-09): measured names a node that senses,
// calculated names what it was computed from, and the named node runs before the record.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, strings, type Role, type ViewNode } from '../view/roles.ts'

/** Nodes whose run yields a reading: instruments, and actuators that report what they did. */
const sensing: ReadonlySet<Role> = new Set<Role>([
  'weigh',
  'camera',
  'deposit',
  'aspirate',
  'heat',
  'shake',
  'spin',
  'profile',
  'pick',
  'move',
])

/** A record of a device (EQ-…) is read from the device; a record of a sample is not a measurement. */
function readsDevice(n: ViewNode): boolean {
  return n.role === 'read_record' && str(n, 'sample_id').startsWith('EQ-')
}

function say(n: ViewNode, ask: Ask, claim: string): JudgeFinding {
  return found('alignment', 'JUDGE_INTEGRITY', n.at, { ask, basis: 'structure', claim })
}

function measured(n: ViewNode, source: ViewNode | null): JudgeFinding[] {
  if (source === null) return [say(n, 'refuse', 'A measured value names no measuring node.')]
  if (source.role === 'code') return [say(n, 'refuse', 'A computed value is filed as measured.')]
  if (sensing.has(source.role) || readsDevice(source)) return []
  if (source.role === 'read_record') {
    // A value that stands in a record already is imported, not measured again.
    return [say(n, 'person', 'A read value is filed as measured.')]
  }
  return [say(n, 'refuse', 'The node named as measuring does not sense anything.')]
}

function check(view: PlanView, n: ViewNode): JudgeFinding[] {
  const provenance = str(n, 'provenance')
  const named = str(n, 'source_node')
  const source = view.nodes.find((other) => other.id === named) ?? null
  const out: JudgeFinding[] = []
  if (named !== '' && source === null)
    out.push(say(n, 'refuse', 'The named source node does not exist.'))
  if (source !== null && !view.order.before(source.i, n.i)) {
    out.push(say(n, 'person', 'The named source is not certain to run before the record.'))
  }
  if (provenance === 'measured') out.push(...measured(n, source))
  if (provenance === 'calculated' && source === null) {
    out.push(say(n, 'person', 'A calculated value names no node that computed it.'))
  }
  if (provenance === 'calculated' && source !== null && source.role === 'code') {
    out.push(...rootless(n, source))
  }
  return out
}

/** A computation without any input that still yields a record came from nowhere. */
function rootless(n: ViewNode, source: ViewNode): JudgeFinding[] {
  const random = /\b(random|gauss|randint|uniform|rnorm|runif|np\.random)\b/.test(
    str(source, 'code'),
  )
  const fed = source.node.depends_on.length > 0 || strings(source, 'inputs').length > 0
  if (fed && !random) return []
  return [say(n, 'person', 'The computation behind the record has no input, or draws at random.')]
}

export const provenance: Rule = {
  id: 'provenance',
  pol: 'POL-09',
  eye: 'alignment',
  check: (view) => view.ofRole('write_record').flatMap((n) => check(view, n)),
}
