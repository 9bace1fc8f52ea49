// Vectors of values of the run: what both sides know, a node whose turn it is, and what becomes of it. And
// bare conversions, so that rounding can be tried without a plan.
import { decideNode } from '../../../contain/decide-node.ts'
import { converted } from '../../../contain/rational.ts'
import { resolvedDigest } from '../../../contain/resolve.ts'
import { conversionOf, unchanged, type Conversion } from '../../../protocol/conversion.ts'
import { digest } from '../../../protocol/digest.ts'
import type { NodeProgress } from '../../../protocol/frames.ts'
import { topologicalOrder } from '../../../protocol/graph.ts'
import type { JsonObject, JsonValue } from '../../../protocol/json.ts'
import type { NodeResult } from '../../../protocol/node-result.ts'
import type { PlanNode } from '../../../protocol/plan.ts'
import type { Context } from '../../../protocol/records.ts'
import type { ToolRow } from '../../../protocol/tool-row.ts'

type Outcome =
  | { do: 'run'; args: JsonObject; args_digest: string; template_digest: string }
  | { do: 'skip'; values: readonly (string | number | boolean)[] }
  | { do: 'end'; reason: string; miss: string | null; at: string | null }

export type ReferenceVector = {
  name: string
  nodes: readonly PlanNode[]
  conversions: readonly Conversion[]
  /** Tool → what its row declares. */
  declared: Readonly<Record<string, NonNullable<ToolRow['results']>>>
  progress: Readonly<Record<string, NodeProgress>>
  results: Readonly<Record<string, NodeResult>>
  nid: string
  outcome: Outcome
}
export type ReferenceVectors = {
  conversions: (Pick<Conversion, 'scale' | 'offset'> & { value: number; converted: number })[]
  nodes: ReferenceVector[]
}

const filler = (prefix: string) => `${prefix}:${'A'.repeat(43)}`

const declared: ReferenceVector['declared'] = {
  'scale.weigh': {
    '/mass': { quantity: 'mass', unit: 'mg', kind: 'observed' },
    '/state': { quantity: null, kind: 'observed', values: ['stable', 'drifting'] },
    '/lid~1open': { quantity: null, kind: 'observed' },
    '/readings/1': { quantity: null, kind: 'observed' },
  },
  'sandbox.compute': { '/volume': { quantity: 'volume', unit: 'mL', kind: 'computed' } },
  'pump.dispense': {},
}

/** The known of a vector as the functions of both sides take it. */
export function knownOf({ nodes, conversions, declared: by, progress, results }: ReferenceVector) {
  const context: Context = {
    session: 'sess_a',
    site: 'site-1',
    cell: 'cell-1',
    agent: 'agent-1',
    agent_jkt: 'jkt-1',
    plan: { goal: 'g', instructions: ['i'], planner: { id: 'p' }, nodes: [...nodes] },
    order: topologicalOrder(nodes),
    conversions: [...conversions],
    registry_digest: filler('reg'),
    policy_version: filler('pol'),
    decision_digest: filler('decision'),
    deadline: 0,
  }
  const rows = Object.entries(by).map(([tool, own]): ToolRow => ({
    tool,
    server: tool,
    mcp_tool: tool,
    definition_digest: filler('def'),
    timeout_ms: 1_000,
    orphan_policy: 'stop',
    safe_stop: null,
    args_schema: { type: 'object' },
    results: own,
  }))
  return {
    context,
    rows,
    progress: new Map(Object.entries(progress)),
    results: new Map(Object.entries(results)),
  }
}

/** What becomes of the node of a vector. */
export async function outcomeOf(vector: ReferenceVector): Promise<Outcome> {
  const node = vector.nodes.find(({ id }) => id === vector.nid)
  if (node === undefined) throw new TypeError(`no node ${vector.nid}`)
  const decision = decideNode(knownOf(vector), node)
  if (decision.do === 'skip') return { do: 'skip', values: decision.values }
  if (decision.do === 'run') {
    const { args } = decision
    const template_digest = await digest('args', node.args)
    return { do: 'run', args, args_digest: await resolvedDigest(args), template_digest }
  }
  const { ending } = decision
  return ending.reason === 'reference_missed'
    ? { do: 'end', reason: ending.reason, miss: ending.miss.code, at: ending.miss.at }
    : { do: 'end', reason: ending.reason, miss: null, at: null }
}

const bare = { from: 'structured', kept: [], left_out: 0 } as const
const mass = { node: 'n1', pointer: '/mass', unit: 'ug', min: 100, max: 5_000 }
const state = { $from: { node: 'n1', pointer: '/state', enum: ['stable'] } }
const heavy = { result: { node: 'n1', pointer: '/mass' }, unit: 'g', gt: 0.001 }
const stable = { result: { node: 'n1', pointer: '/state' }, eq: 'stable' }

type Row = {
  args?: JsonObject
  more?: Partial<PlanNode>
  data?: JsonValue
  result?: NodeResult
  progress?: Record<string, NodeProgress>
  at?: readonly (readonly [at: string, from: string, to: string, whole?: boolean])[]
}

const conversionsFor = (row: Row): Conversion[] =>
  (row.at ?? [['/args/amount', 'mg', 'ug']]).map(([at, from, to, whole = false]) => {
    const by = from === to ? unchanged : conversionOf(from, to)
    if (by === null) throw new TypeError(`${from} does not convert to ${to}`)
    return { node: 'n3', at, ...by, whole }
  })

const rows: readonly (readonly [name: string, row: Row])[] = [
  ['a number, converted', {}],
  ['at its lower end', { data: { mass: 0.1 } }],
  ['at its upper end', { data: { mass: 5 } }],
  ['below', { data: { mass: 0.0999999 } }],
  ['above', { data: { mass: 5.0000001 } }],
  ['rounded once', { data: { mass: 1.005 } }],
  [
    'an offset',
    {
      args: { to: { $from: { node: 'n1', pointer: '/mass', unit: 'Cel', min: -300, max: 300 } } },
      at: [['/args/to', 'K', 'Cel']],
      data: { mass: 300 },
    },
  ],
  ['a whole number', { at: [['/args/amount', 'mg', 'ug', true]], data: { mass: 1.5 } }],
  [
    'a number that is not whole',
    { at: [['/args/amount', 'mg', 'ug', true]], data: { mass: 1.0005 } },
  ],
  [
    'deep in lists, beside constants',
    {
      args: { a: [{ 'x/y': { $from: mass } }], b: state, c: [1, null, 'n1'] },
      at: [['/args/a/0/x~1y', 'mg', 'ug']],
      data: { mass: 1.5, state: 'stable' },
    },
  ],
  [
    'a flag behind an escaped pointer',
    {
      args: { open: { $from: { node: 'n1', pointer: '/lid~1open', enum: [false] } } },
      data: { 'lid/open': false },
    },
  ],
  [
    'an item of a list',
    {
      args: { x: { $from: { node: 'n1', pointer: '/readings/1', min: 0, max: 9 } } },
      at: [['/args/x', 'mg', 'mg']],
      data: { readings: [1, 2] },
    },
  ],
  ['a closed text that is not listed', { args: { s: state }, data: { state: 'drifting' } }],
  ['a closed text in another case', { args: { s: state }, data: { state: 'Stable' } }],
  ['a number where a closed value is wanted', { args: { s: state }, data: { state: 1 } }],
  ['a number as text', { data: { mass: '1.5' } }],
  ['null', { data: { mass: null } }],
  ['a flag where a number is wanted', { data: { mass: true } }],
  ['a list where a number is wanted', { data: { mass: [1.5] } }],
  ['a member that is not there', { data: {} }],
  ['a pointer into a text', { data: 'mass' }],
  ['data of JSON text', { result: { ...bare, kept: [], from: 'json_text', data: { mass: 2 } } }],
  ['beyond 2^53 after conversion', { data: { mass: 1_125_899_906_842_624 } }],
  ['no conversion', { at: [] }],
  ['another node', { args: { amount: { $from: { ...mass, node: 'n9' } } } }],
  ['itself', { args: { amount: { $from: { ...mass, node: 'n3' } } } }],
  ['an undeclared pointer', { args: { amount: { $from: { ...mass, pointer: '/raw' } } } }],
  ['a reference without bounds', { args: { amount: { $from: { node: 'n1', pointer: '/mass' } } } }],
  ['a node that only the order puts before', { more: { depends_on: [] } }],
  ['a failed node', { progress: { n1: 'failed' } }],
  [
    'an answer that was too large',
    {
      result: {
        data: null,
        from: 'none',
        kept: [{ type: 'application/json', bytes: 40_000, digest: filler('blob') }],
        left_out: 0,
      },
    },
  ],
  ['an empty answer', { result: { data: null, from: 'none', kept: [], left_out: 0 } }],
  ['behind a skipped node', { progress: { n2: 'skipped' } }],
  [
    '`when` that holds',
    {
      more: { when: heavy },
      at: [
        ['/args/amount', 'mg', 'ug'],
        ['/when', 'mg', 'g'],
      ],
    },
  ],
  [
    '`when` that does not hold, with every value',
    {
      more: { when: { all: [{ not: heavy }, stable] } },
      at: [
        ['/args/amount', 'mg', 'ug'],
        ['/when/all/0/not', 'mg', 'g'],
      ],
      data: { mass: 1.5, state: 'drifting' },
    },
  ],
  [
    'a comparison without unit',
    { more: { when: { result: heavy.result, ge: 1, lt: 1.5 } }, data: { mass: 1.5 } },
  ],
  [
    'a comparison that misses beside one that settles it',
    { more: { when: { any: [{ ...stable, ne: 'x' }, stable] } }, data: { mass: 1.5 } },
  ],
  [
    'a compared text that is too long',
    { more: { when: stable }, data: { mass: 1.5, state: 'x'.repeat(201) } },
  ],
  [
    '`require` that does not hold',
    { more: { require: stable }, data: { mass: 1.5, state: 'drifting' } },
  ],
  [
    '`when` before `require`',
    {
      more: { when: stable, require: stable },
      data: { mass: 1.5, state: 'drifting' },
    },
  ],
]

const bareConversions: readonly (readonly [number, string, string])[] = [
  [0.1, 'mg', 'ug'],
  [1.005, 'g', 'mg'],
  [98.6, '[degF]', 'Cel'],
  [-40, '[degF]', 'Cel'],
  [1, '[psi]', 'kPa'],
  [1e-300, 'L', 'nL'],
  [7.3, '{rev}/s', 'rpm'],
  [123.456, 'K', '[degF]'],
]

/** All vectors of references and conditions. The node whose turn it is, is always `n3`. */
export async function referenceVectors(): Promise<ReferenceVectors> {
  const conversions = bareConversions.map(([value, from, to]) => {
    const by = conversionOf(from, to)
    if (by === null) throw new TypeError(`${from} does not convert to ${to}`)
    return { ...by, value, converted: converted(value, by) }
  })
  const ties = (['1', '3', '-1', '1000001/1000000'] as const).map((offset) => {
    const [num = '0', den = '1'] = offset.split('/')
    const by = { scale: ['1', '1'], offset: [num, den] } satisfies Partial<Conversion>
    const value = 9_007_199_254_740_992
    return { ...by, value, converted: converted(value, by) }
  })
  const nodes: ReferenceVector[] = []
  for (const [name, row] of rows) {
    const node = (id: string, tool: string, depends_on: string[]): PlanNode => {
      return { id, tool, args: {}, depends_on, sandbox: null }
    }
    const last = {
      ...node('n3', 'pump.dispense', ['n2']),
      args: row.args ?? { amount: { $from: mass } },
      ...row.more,
    }
    const vector = {
      name,
      nodes: [node('n1', 'scale.weigh', []), node('n2', 'sandbox.compute', ['n1']), last],
      conversions: conversionsFor(row),
      declared,
      progress: { n1: 'succeeded', n2: 'succeeded', n3: 'released', ...row.progress } as const,
      results: {
        n1: row.result ?? { ...bare, kept: [], data: row.data ?? { mass: 1.5 } },
        n2: { ...bare, kept: [], data: { volume: 2 } },
      },
      nid: 'n3',
    }
    const whole = { ...vector, outcome: { do: 'skip', values: [] } } as ReferenceVector
    nodes.push({ ...whole, outcome: await outcomeOf(whole) })
  }
  return { conversions: [...conversions, ...ties], nodes }
}
