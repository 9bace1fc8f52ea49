// The plan that admission and minting are measured with: 20 nodes, about 10 KB, typical arguments.
import { emptyMeaning } from '../../protocol/site-file.ts'
import { argsDigests, buildContext, contextHash } from '../../contain/context.ts'
import type { MintSpec } from '../../contain/mint.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Registry } from '../../protocol/registry.ts'

const nodeCount = 20

export const benchPlan: Plan = {
  goal: 'Prepare twenty samples, weigh each, and record what the scale says.',
  instructions: Array.from(
    { length: 10 },
    (_, i) => `Step ${i + 1}: take the next plate from the hotel and place it on the scale.`,
  ),
  planner: { id: 'planner-1', model: 'planner-model' },
  nodes: Array.from({ length: nodeCount }, (_, i) => ({
    id: `node-${String(i).padStart(2, '0')}`,
    tool: 'arm.move',
    args: {
      from: { slot: `hotel-${i}`, offset_mm: [0, 1.5, -2.25] },
      to: { slot: 'scale', offset_mm: [0, 0, 0.5] },
      speed: 0.25,
      grip_n: 12,
      labels: ['plate', 'batch-7'],
      note: `Sample ${i}. `.padEnd(260, 'Keep the lid on until the door is shut. '),
    },
    depends_on: i === 0 ? [] : [`node-${String(i - 1).padStart(2, '0')}`],
    sandbox: null,
  })),
}

const place = {
  type: 'object',
  properties: {
    slot: { type: 'string', maxLength: 40 },
    offset_mm: { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 },
  },
  required: ['slot'],
  additionalProperties: false,
} as const

export const benchRegistry: Registry = {
  registry_version: '1',
  tools: [
    {
      name: 'arm.move',
      description: 'Moves a plate.',
      risk_class: 'hazardous_actuation',
      capability: 'move',
      args_schema: {
        type: 'object',
        properties: {
          from: place,
          to: place,
          speed: { type: 'number', minimum: 0, maximum: 1 },
          grip_n: { type: 'number', minimum: 0, maximum: 40 },
          labels: { type: 'array', items: { type: 'string' }, maxItems: 8 },
          note: { type: 'string', maxLength: 500 },
        },
        required: ['from', 'to'],
        additionalProperties: false,
      },
      emits: [],
      sink: null,
      server: 'arm',
      mcp_tool: 'move',
      definition_digest: `def:${'A'.repeat(43)}`,
      timeout_ms: 60_000,
      orphan_policy: 'stop',
      safe_stop: null,
      sandbox_required: false,
    },
  ],
  planners: { 'planner-1': { capabilities: ['move'] } },
  rules: [],
  ...emptyMeaning,
}

const filler = (prefix: string): string => `${prefix}:${'A'.repeat(43)}`

/** Everything that minting the plan's tokens takes, for the agent key with thumbprint `jkt`. */
export async function benchMintSpec(jkt: string, now_ms: number): Promise<MintSpec> {
  const context = buildContext({
    session: 'sess_0123456789abcdefghjkmnpqrs',
    site: 'site-1',
    cell: 'cell-1',
    agent: 'agent-1',
    agent_jkt: jkt,
    plan: benchPlan,
    registry_digest: filler('reg'),
    policy_version: filler('pol'),
    decision_digest: filler('decision'),
    deadline: now_ms + 3_600_000,
  })
  return {
    iss: 'bench',
    context,
    ctx: await contextHash(context),
    args: await argsDigests(benchPlan),
    jtis: context.order.map((id) => `jti_0123456789abcdef_${id}`),
    now_ms,
  }
}
