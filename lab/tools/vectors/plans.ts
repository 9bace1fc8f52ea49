// Vectors of plans: what the closed schema and the graph rules take, with order and digest, and what
// they refuse, with code and place. Tools and arguments are a site's own and have no vectors here.
import { canonicalForm, digestCanonical } from '../../../protocol/digest.ts'
import { topologicalOrder } from '../../../protocol/graph.ts'
import { parsePlan } from '../../../protocol/plan-parse.ts'
import type { Violation } from '../../../protocol/reasons.ts'

type Place = Pick<Violation, 'code' | 'at'>
export type PlanVectors = {
  readonly valid: readonly {
    name: string
    text: string
    canonical: string
    digest: string
    order: readonly string[]
  }[]
  readonly invalid: readonly { name: string; text: string; violations: readonly Place[] }[]
}

const node = (id: string, ...depends_on: string[]) => ({
  id,
  tool: 'arm.move',
  args: { to: id },
  depends_on,
  sandbox: null as string | null,
})

const plan = (...nodes: unknown[]) => ({
  goal: 'Weigh the plate.',
  instructions: ['Move the plate to the scale.'],
  planner: { id: 'planner-1' },
  nodes,
})

const valid: [string, object][] = [
  ['text only', plan()],
  ['one node', plan(node('a'))],
  ['a chain against the array order', plan(node('a', 'b'), node('b', 'c'), node('c'))],
  ['ties by the smallest id', plan(node('b'), node('a'), node('B'), node('10'), node('9'))],
  ['a diamond', plan(node('top'), node('r', 'top'), node('l', 'top'), node('end', 'l', 'r'))],
  [
    'a late small id waits for its turn',
    plan(node('z'), node('a', 'z'), node('b'), node('c', 'b')),
  ],
  [
    'every optional field',
    {
      ...plan({ ...node('a'), sandbox: 'sb-1' }),
      planner: { id: 'planner-1', model: 'm' },
      agent: 'agent-1',
      supersedes: 'plan_1',
    },
  ],
  ['text beyond ASCII', { ...plan(node('a')), goal: 'Wägeschale 😀 \u2028' }],
]

const without = (value: Record<string, unknown>, key: string) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))

const one = (code: Place['code'], at: string): Place[] => [{ code, at }]

const invalid: [string, unknown, Place[]][] = [
  ['an array', [], one('schema', '')],
  ['no goal', without(plan(), 'goal'), one('schema', '/goal')],
  ['an empty goal', { ...plan(), goal: '' }, one('schema', '/goal')],
  ['no instructions', { ...plan(), instructions: [] }, one('schema', '/instructions')],
  ['an empty instruction', { ...plan(), instructions: [''] }, one('schema', '/instructions/0')],
  ['a planner without an id', { ...plan(), planner: {} }, one('schema', '/planner/id')],
  ['null for an optional field', { ...plan(), agent: null }, one('schema', '/agent')],
  ['an unknown field', { ...plan(), priority: 1 }, one('unknown_field', '/priority')],
  [
    'an unknown field of a node',
    plan({ ...node('a'), retry: true }),
    one('unknown_field', '/nodes/0/retry'),
  ],
  ['args that are a list', plan({ ...node('a'), args: [] }), one('schema', '/nodes/0/args')],
  ['args that are null', plan({ ...node('a'), args: null }), one('schema', '/nodes/0/args')],
  [
    'a condition without a comparison',
    plan({ ...node('a'), when: { result: { node: 'b', pointer: '/x' } } }),
    one('schema', '/nodes/0/when'),
  ],
  ['an empty tool', plan({ ...node('a'), tool: '' }), one('schema', '/nodes/0/tool')],
  ['an id with a space', plan(node('a b')), one('id_not_plain', '/nodes/0/id')],
  ['an id that begins with a dot', plan(node('.a')), one('id_not_plain', '/nodes/0/id')],
  ['an id beyond ASCII', plan(node('é')), one('id_not_plain', '/nodes/0/id')],
  ['an id that is too long', plan(node('a'.repeat(65))), one('id_not_plain', '/nodes/0/id')],
  ['an empty id', plan(node('')), one('id_not_plain', '/nodes/0/id')],
  [
    'a dependency that is no id',
    plan(node('a', 'b c')),
    one('id_not_plain', '/nodes/0/depends_on/0'),
  ],
  ['the same id twice', plan(node('a'), node('a')), one('id_duplicate', '/nodes/1/id')],
  [
    'an unknown dependency',
    plan(node('a', 'x')),
    one('dependency_unknown', '/nodes/0/depends_on/0'),
  ],
  [
    'a node that waits for itself',
    plan(node('a', 'a')),
    one('dependency_self', '/nodes/0/depends_on/0'),
  ],
  [
    'a dependency twice',
    plan(node('a'), node('b', 'a', 'a')),
    one('dependency_duplicate', '/nodes/1/depends_on/1'),
  ],
  ['a cycle of two', plan(node('b', 'a'), node('a', 'b')), one('cycle', '/nodes/1/depends_on')],
  [
    'a cycle behind a good node',
    plan(node('s'), node('x', 's', 'z'), node('y', 'x'), node('z', 'y')),
    one('cycle', '/nodes/1/depends_on'),
  ],
  [
    'two faults at once',
    plan(node('a', 'x'), node('a')),
    [
      { code: 'id_duplicate', at: '/nodes/1/id' },
      { code: 'dependency_unknown', at: '/nodes/0/depends_on/0' },
    ],
  ],
]

export async function planVectors(): Promise<PlanVectors> {
  const good = valid.map(async ([name, value]) => {
    const text = JSON.stringify(value)
    const parsed = parsePlan(new TextEncoder().encode(text))
    if (!parsed.ok) throw new Error(`vector '${name}': ${JSON.stringify(parsed.error)}`)
    const canonical = canonicalForm(parsed.value)
    const order = topologicalOrder(parsed.value.nodes)
    return { name, text, canonical, digest: await digestCanonical('plan', canonical), order }
  })
  return {
    valid: await Promise.all(good),
    invalid: invalid.map(([name, value, violations]) => ({
      name,
      text: JSON.stringify(value),
      violations,
    })),
  }
}
