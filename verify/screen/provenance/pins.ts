// Is a tool still the one that was approved, and is its server there? A definition that changed after
// approval ("rug pull", ATLAS AML.T0010) blocks; a server that is away only informs, since binding
// looks again.
import type { Finding } from '../../../protocol/finding.ts'
import type { ToolEntry } from '../../../protocol/registry.ts'
import type { AgentHealth } from '../../../protocol/snapshot.ts'
import { candidateAgents, isFresh } from '../agents.ts'
import { report } from '../report.ts'
import type { Scene, SceneNode } from '../scene.ts'

type Seen = 'same' | 'changed' | 'absent'

function seenBy(agent: AgentHealth, tool: ToolEntry): Seen {
  const server = Object.hasOwn(agent.servers, tool.server) ? agent.servers[tool.server] : undefined
  if (server === undefined || !Object.hasOwn(server.tools, tool.mcp_tool)) return 'absent'
  return server.tools[tool.mcp_tool] === tool.definition_digest ? 'same' : 'changed'
}

/** The last word of every candidate counts, also a stale one: a changed tool stays suspect. */
function changedAt(agents: readonly AgentHealth[], tool: ToolEntry): AgentHealth | undefined {
  return agents.find((agent) => seenBy(agent, tool) === 'changed')
}

function operable(agents: readonly AgentHealth[], tool: ToolEntry, nowMs: number): boolean {
  return agents.some(
    (agent) =>
      isFresh(agent, nowMs) &&
      seenBy(agent, tool) === 'same' &&
      agent.servers[tool.server]?.state === 'up',
  )
}

function pinFindings(scene: Scene, used: SceneNode, tool: ToolEntry): Finding[] {
  const agents = candidateAgents(scene)
  const facts = { node: used.node.id, tool: tool.name, server: tool.server }
  const out: Finding[] = []
  if (scene.snapshot.quarantined.includes(tool.name)) {
    out.push(report('TOOL_QUARANTINED', 'block', `${used.at}/tool`, facts))
  }
  const changed = changedAt(agents, tool)
  if (changed !== undefined) {
    const more = { ...facts, agent: changed.agent }
    out.push(report('TOOL_PIN_CHANGED', 'block', `${used.at}/tool`, more))
  } else if (!operable(agents, tool, scene.nowMs)) {
    out.push(report('SERVER_NOT_OPERABLE', 'advisory', `${used.at}/tool`, facts))
  }
  return out
}

/** One set of findings for each tool that the plan uses, at its first node in canonical order. */
export function checkPins(scene: Scene): Finding[] {
  const done = new Set<string>()
  const out: Finding[] = []
  for (const used of scene.nodes) {
    if (used.tool === undefined || done.has(used.tool.name)) continue
    done.add(used.tool.name)
    out.push(...pinFindings(scene, used, used.tool))
  }
  const wanted = scene.plan.agent
  if (wanted !== undefined && candidateAgents(scene).length === 0) {
    out.push(report('SERVER_NOT_OPERABLE', 'advisory', '/agent', { agent: wanted }))
  }
  return out
}
