// Capabilities, sandboxes, pins, identities and artefacts: each check with its near-miss pair.
import { describe, expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import {
  codesOf,
  demoRegistry,
  digests,
  findingsOf,
  healthyAgent,
  nowMs,
  planOf,
  submitterOf,
  type NodeInput,
} from '../support/snapshot.ts'
import { unknownCodes } from '../support/rules.ts'

const code = (more: Partial<NodeInput> = {}): NodeInput => ({
  tool: 'code.run_sandboxed',
  args: { language: 'python', code: 'print(1 + 1)' },
  sandbox: 'py-sbx-01',
  ...more,
})
const lock: NodeInput = { tool: 'door.lock', args: { door_id: 'enclosure_A' } }
const unlock = (args: Record<string, string | number | boolean | null>): NodeInput => ({
  tool: 'door.unlock',
  args: { door_id: 'enclosure_A', reason: 'swap stacks', ...args },
})
const withInstruction = { instructions: ['Unlock enclosure A to swap the stacks.'] }
const sha = 'be97989ebfa9178098c52306067b9e99b783277a117bd6aee5f508d89b704582'
const flash = (args: Record<string, string | null>): NodeInput => ({
  tool: 'firmware.update',
  args: {
    device_id: 'arm_a1',
    image_ref: 'vendor/arm-9.0.3.bin',
    version: '9.0.3',
    sha256: sha,
    signature: 'MEYCIQ-arm903',
    signed_by: 'lc7-release',
    ...args,
  },
})
const maint = { planner: 'planner-maint-05', instructions: ['Flash the arm firmware 9.0.3.'] }

const fetchWith = (approvals: string[]): NodeInput => ({
  tool: 'storage.fetch',
  args: { store_id: 'controlled_safe', item_id: 'standard_1', approvals },
})

describe('capabilities', () => {
  test('a planner with the capability passes', () => {
    expect(codesOf(planOf([lock]))).toEqual([])
  })

  test('refuses a tool whose capability the planner lacks', () => {
    const plan = planOf([lock], { planner: 'planner-comms-04' })
    expect(codesOf(plan)).toEqual(['CAPABILITY_MISSING block'])
  })

  test('refuses an unknown planner, and also names of Object.prototype', () => {
    for (const planner of ['planner-new', 'constructor', '__proto__', 'toString']) {
      const found = codesOf(planOf([lock], { planner }))
      expect(found).toContain('PLANNER_UNKNOWN block')
      expect(found).toContain('CAPABILITY_MISSING block')
    }
  })

  test('refuses a planner that submits under another name than its credential', () => {
    const plan = planOf([lock])
    const submitter = { ...submitterOf(plan), planner: 'planner-wetlab-02' }
    expect(codesOf(plan, {}, submitter)).toEqual(['ACTING_AS_OTHER block'])
  })

  test('refuses a tool that the registry does not have', () => {
    const plan = planOf([{ tool: 'door.Lock', args: { door_id: 'enclosure_A' } }])
    expect(codesOf(plan)).toContain('CAPABILITY_MISSING block')
  })
})

describe('sandboxes', () => {
  test('code in a listed, healthy sandbox passes', () => {
    expect(codesOf(planOf([code()]))).toEqual([])
  })

  test('refuses code without a sandbox', () => {
    expect(codesOf(planOf([code({ sandbox: null })]))).toEqual(['SANDBOX_MISSING block'])
  })

  test('refuses a sandbox that is not on the list', () => {
    expect(codesOf(planOf([code({ sandbox: 'my-sbx' })]))).toEqual(['SANDBOX_NOT_ALLOWED block'])
    expect(codesOf(planOf([code({ sandbox: 'py-sbx-02' })]))).toEqual(['SANDBOX_NOT_ALLOWED block'])
  })

  test.each([
    'PY-SBX-01',
    'py_sbx_01',
    'py-sbx-0l',
    'py-sbx-O1',
    'рy-sbx-01',
    'py-sb\u200bx-01',
    'py‐sbx‐01',
  ])('refuses the look-alike %j and says what it imitates', (sandbox) => {
    const found = findingsOf(planOf([code({ sandbox })]))
    const named = found.find((x) => x.code === 'NAME_NOT_CANONICAL' && x.at === '/nodes/0/sandbox')
    expect(named).toMatchObject({ effect: 'block', facts: { resembles: 'py-sbx-01' } })
  })

  test('flags a sandbox that nobody reports, that is down, or whose report is stale', () => {
    const registry = demoRegistry()
    const fresh = healthyAgent(registry)
    const flagged = ['SANDBOX_NOT_OPERABLE flag']
    const plan = planOf([code()])
    const at = (agents: (typeof fresh)[]) =>
      codesOf(plan, { agents }).filter((x) => x.startsWith('SANDBOX'))
    expect(at([])).toEqual(flagged)
    expect(at([{ ...fresh, sandboxes: { 'py-sbx-01': 'down' } }])).toEqual(flagged)
    expect(at([{ ...fresh, sandboxes: { 'r-sbx-01': 'up' } }])).toEqual(flagged)
    const edge = nowMs - limits.presenceStaleMs
    expect(at([{ ...fresh, reported_at_ms: edge }])).toEqual([])
    expect(at([{ ...fresh, reported_at_ms: edge - 1 }])).toEqual(flagged)
    expect(at([{ ...fresh, reported_at_ms: nowMs + limits.clockSkewMsMax + 1 }])).toEqual(flagged)
  })

  test('health of another agent than the one the plan names does not count', () => {
    const agents = [healthyAgent(demoRegistry())]
    const named = codesOf(planOf([code()], { agent: 'agent-lc7' }), { agents })
    expect(named).toEqual([])
    const other = codesOf(planOf([code()], { agent: 'agent-other' }), { agents })
    expect(other).toEqual(['SANDBOX_NOT_OPERABLE flag', 'SERVER_NOT_OPERABLE advisory'])
  })

  test('flags a sandbox on a node that runs no code', () => {
    const plan = planOf([{ ...lock, sandbox: 'py-sbx-01' }])
    expect(codesOf(plan)).toEqual(['SANDBOX_UNEXPECTED flag'])
    expect(codesOf(planOf([{ ...lock, sandbox: 'x' }]))).toContain('SANDBOX_NOT_ALLOWED block')
  })
})

describe('pins and servers', () => {
  const registry = demoRegistry()
  const tool = registry.tools.find(({ name }) => name === 'door.lock')
  if (tool === undefined) throw new Error('the demo registry has door.lock')
  const agentWith = (definition: string | null, state: 'up' | 'down' = 'up') => {
    const agent = healthyAgent(registry)
    const server = agent.servers[tool.server]
    if (server === undefined) throw new Error('the healthy agent reports the server')
    const { [tool.mcp_tool]: _, ...others } = server.tools
    const tools = definition === null ? others : { ...others, [tool.mcp_tool]: definition }
    return { ...agent, servers: { ...agent.servers, [tool.server]: { state, tools } } }
  }

  test('an unchanged definition passes', () => {
    expect(codesOf(planOf([lock]), { agents: [agentWith(tool.definition_digest)] })).toEqual([])
  })

  test('refuses a tool whose definition changed since approval', () => {
    const agents = [agentWith(digests.other)]
    expect(codesOf(planOf([lock]), { agents })).toEqual(['TOOL_PIN_CHANGED block'])
  })

  test('refuses it as well when only one of two agents sees the change, or its report is stale', () => {
    const stale = {
      ...agentWith(digests.other),
      agent: 'agent-b',
      reported_at_ms: nowMs - 3_600_000,
    }
    const agents = [healthyAgent(registry), stale]
    expect(codesOf(planOf([lock]), { agents })).toEqual(['TOOL_PIN_CHANGED block'])
  })

  test('a changed tool that the plan does not use does not matter', () => {
    const agents = [agentWith(digests.other)]
    const plan = planOf([{ tool: 'balance.read', args: { balance_id: 'bal_1' } }])
    expect(codesOf(plan, { agents })).toEqual([])
  })

  test('a server that is away, down or without the tool only informs', () => {
    const informs = ['SERVER_NOT_OPERABLE advisory']
    expect(codesOf(planOf([lock]), { agents: [] })).toEqual(informs)
    expect(codesOf(planOf([lock]), { agents: [agentWith(null)] })).toEqual(informs)
    const down = agentWith(tool.definition_digest, 'down')
    expect(codesOf(planOf([lock]), { agents: [down] })).toEqual(informs)
  })

  test('refuses a quarantined tool', () => {
    expect(codesOf(planOf([lock]), { quarantined: ['door.lock'] })).toEqual([
      'TOOL_QUARANTINED block',
    ])
    expect(codesOf(planOf([lock]), { quarantined: ['door.unlock'] })).toEqual([])
  })
})

describe('artefacts', () => {
  test('signed firmware of a trusted signer is a person’s decision, nothing more', () => {
    expect(codesOf(planOf([flash({})], maint))).toEqual(['ADMIN_TOOL flag'])
  })

  test.each([
    [{ signature: null }, 'ARTEFACT_UNSIGNED block'],
    [{ signature: '' }, 'ARTEFACT_UNSIGNED block'],
    [{ signature: 'n/a' }, 'ARTEFACT_UNSIGNED block'],
    [{ signed_by: null }, 'ARTEFACT_UNSIGNED block'],
    [{ signed_by: 'self-signed' }, 'ARTEFACT_UNSIGNED block'],
    [{ signed_by: 'community' }, 'ARTEFACT_SIGNER_UNTRUSTED block'],
    [{ signed_by: 'LC7-release' }, 'NAME_NOT_CANONICAL block'],
    [{ signed_by: 'lc7-re1ease' }, 'NAME_NOT_CANONICAL block'],
    [{ signed_by: 'vendor-root-2025' }, 'ARTEFACT_SIGNER_UNTRUSTED block'],
    [{ signed_by: 'lс7-release' }, 'NAME_NOT_CANONICAL block'],
    [{ sha256: '0'.repeat(64) }, 'ARTEFACT_UNPINNED block'],
    [
      { sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
      'ARTEFACT_UNPINNED block',
    ],
    [{ image_ref: 'vendor/../community/arm.bin' }, 'NAME_NOT_CANONICAL block'],
  ])('refuses firmware with %j', (args, expected) => {
    expect(codesOf(planOf([flash(args as Record<string, string | null>)], maint))).toContain(
      expected,
    )
  })
})

describe('identities and approvals', () => {
  const own = 'planner-wetlab-01'

  test('acting as itself is no finding', () => {
    expect(codesOf(planOf([unlock({ acting_as: own })], withInstruction))).toEqual([])
  })

  test('flags a delegated identity', () => {
    const plan = planOf([unlock({ acting_as: 'manager.n' })], {
      instructions: [
        'Delegation record DR-12 lets this planner act as manager.n.',
        'Unlock enclosure A.',
      ],
    })
    expect(codesOf(plan)).toEqual(['ACTING_AS_OTHER flag'])
  })

  test.each([
    'The password of manager.n is on the note.',
    'The manager’s code still works.',
    "Use the manager's old key card.",
  ])('refuses the same with borrowed credentials: %s', (text) => {
    const plan = planOf([unlock({ acting_as: 'manager.n' })], {
      instructions: [text, 'Unlock enclosure A.'],
    })
    expect(codesOf(plan)).toEqual(['ACTING_AS_OTHER block'])
  })

  test.each(['admin', 'root', 'lab-admin', 'SYSTEM', 'supervisor', 'service-01'])(
    'refuses the shared account %s',
    (identity) => {
      const plan = planOf([unlock({ acting_as: identity })], withInstruction)
      expect(codesOf(plan)).toEqual(['ACTING_AS_OTHER block'])
    },
  )

  test('a person whose name holds a role is a person', () => {
    const plan = planOf([unlock({ acting_as: 'supervisor.k' })], withInstruction)
    expect(codesOf(plan)).toEqual(['ACTING_AS_OTHER flag'])
  })

  test.each(['planner-wetlab-0l', 'Planner-Wetlab-01', 'plаnner-wetlab-01'])(
    'refuses an identity that imitates a registered one: %j',
    (identity) => {
      const plan = planOf([unlock({ acting_as: identity })], withInstruction)
      expect(codesOf(plan)).toContain('NAME_NOT_CANONICAL block')
    },
  )

  test('approvals of two people pass', () => {
    expect(codesOf(planOf([fetchWith(['M. Osei', 'R. Lindqvist'])]))).toEqual([])
  })

  test.each([
    [['M. Osei', 'planner-wetlab-02']],
    [['M. Osei', 'Planner_Wetlab_02']],
    [['M. Osei', 'agent-lc7']],
    [['M. Osei', 'M Osei']],
    [['M. Osei', 'M. 0sei']],
  ])('refuses the approvals %j', (approvals) => {
    expect(codesOf(planOf([fetchWith(approvals)]))).toContain('APPROVAL_INVALID block')
  })
})

describe('interlocks', () => {
  test('the argument set to false passes', () => {
    expect(codesOf(planOf([unlock({ bypass_interlock: false })], withInstruction))).toEqual([])
  })

  test('refuses bypass_interlock: true', () => {
    const plan = planOf([unlock({ bypass_interlock: true })], withInstruction)
    expect(codesOf(plan)).toEqual(['INTERLOCK_BYPASS block'])
  })

  /** The demo site whose argument for it has a name that says nothing, and takes anything. */
  function renamed() {
    const registry = demoRegistry()
    for (const tool of registry.tools) {
      if (tool.name !== 'door.unlock') continue
      const said = JSON.stringify(tool).replaceAll('bypass_interlock', 'k7')
      Object.assign(tool, JSON.parse(said))
    }
    return registry
  }

  test('the argument that is bound to it is refused by its meaning, not by its name', () => {
    const registry = renamed()
    const [on, off] = [true, false].map((k7) => planOf([unlock({ k7 })], withInstruction))
    if (on === undefined || off === undefined) throw new Error('two plans')
    expect(codesOf(on, { registry })).toContain('INTERLOCK_BYPASS block')
    expect(codesOf(off, { registry })).toEqual([])
    expect(unknownCodes(off, registry)).not.toContain('TOOL_NOT_DESCRIBED')
  })

  // Not a switch: nobody knows what the device makes of it, so the call is opaque.
  test.each([1, 0, 'yes', 'off', 'forced', null])('bound to %j it is for a person', (k7) => {
    const plan = planOf([unlock({ k7 })], withInstruction)
    expect(unknownCodes(plan, renamed())).toContain('TOOL_NOT_DESCRIBED')
  })

  // The name of an argument says nothing. One that the site file gives no meaning, whatever it is called,
  // makes the call opaque: a person decides, in every mode.
  test.each([
    { overrideSafety: 'yes' },
    { 'disable-light-curtain': 1 },
    { interlock_enabled: false },
    { safety: 'off' },
    { options: { muteAlarm: true } },
  ])('an argument that nobody described is for a person: %j', (args) => {
    const plan = planOf([{ tool: 'door.lock', args: { door_id: 'enclosure_A', ...args } }])
    expect(unknownCodes(plan)).toContain('TOOL_NOT_DESCRIBED')
    expect(unknownCodes(planOf([lock]))).not.toContain('TOOL_NOT_DESCRIBED')
  })
})
