// A tool that runs code runs it in a sandbox that the site lists and an agent reports healthy.
// Danger: code on the agent's own host (CWE-653). Unknown or stale health is never "healthy".
import type { Finding } from '../../../protocol/finding.ts'
import { candidateAgents, isFresh } from '../agents.ts'
import { imitated } from '../names.ts'
import { report } from '../report.ts'
import type { Scene, SceneNode } from '../scene.ts'

/** True for tools that need a sandbox: the registry says so, or the class does. */
export function runsCode({ tool }: SceneNode): boolean {
  return tool !== undefined && (tool.risk_class === 'code' || tool.sandbox_required)
}

function allowFinding(scene: Scene, used: SceneNode, sandbox: string): Finding[] {
  const allowed = scene.snapshot.registry.sandboxes
  if (allowed.includes(sandbox)) return []
  const at = `${used.at}/sandbox`
  const facts = { node: used.node.id, sandbox }
  const out = [report('SANDBOX_NOT_ALLOWED', 'block', at, facts)]
  const like = imitated(sandbox, allowed)
  if (like !== null) {
    const more = { ...facts, resembles: like.name, kind: 'sandbox' }
    out.push(report('NAME_NOT_CANONICAL', 'block', at, more))
  }
  return out
}

function isOperable(scene: Scene, sandbox: string): boolean {
  return candidateAgents(scene).some(
    (agent) =>
      isFresh(agent, scene.nowMs) &&
      Object.hasOwn(agent.sandboxes, sandbox) &&
      agent.sandboxes[sandbox] === 'up',
  )
}

function ofNode(scene: Scene, used: SceneNode): Finding[] {
  const { node, at } = used
  const facts = { node: node.id, tool: node.tool }
  if (!runsCode(used)) {
    if (node.sandbox === null) return []
    const unexpected = report('SANDBOX_UNEXPECTED', 'flag', `${at}/sandbox`, {
      ...facts,
      sandbox: node.sandbox,
    })
    return [unexpected, ...allowFinding(scene, used, node.sandbox)]
  }
  if (node.sandbox === null) return [report('SANDBOX_MISSING', 'block', `${at}/sandbox`, facts)]
  const refused = allowFinding(scene, used, node.sandbox)
  if (refused.length > 0) return refused
  if (isOperable(scene, node.sandbox)) return []
  const more = { ...facts, sandbox: node.sandbox }
  return [report('SANDBOX_NOT_OPERABLE', 'flag', `${at}/sandbox`, more)]
}

/** Sandbox present, on the allow-list and operable, for every node that runs code. */
export function checkSandbox(scene: Scene): Finding[] {
  return scene.nodes.flatMap((used) => ofNode(scene, used))
}
