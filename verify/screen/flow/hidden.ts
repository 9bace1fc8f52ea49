// Nodes that send, open a guard, administer or read people's data and that no instruction mentions
// (POL-22, CWE-912 hidden functionality). Silence about the act and its objects is certain; an act that is
// mentioned only for another node is doubtful and flags.
import type { Finding } from '../../../protocol/finding.ts'
import { report } from '../report.ts'
import type { Scene, SceneNode } from '../scene.ts'
import { labelBit } from './labels.ts'
import { mentionOf, objectsNamed, readProse, type Act, type Mention } from './mention.ts'
import type { Flow } from './travel.ts'

/** What a node does that must be mentioned; null when it need not be. */
function actOf(flow: Flow, used: SceneNode): Act | null {
  const { tool, node } = used
  if (tool === undefined) return null
  if (tool.risk_class === 'admin') return 'administer'
  if (tool.sink === 'external_mail' || tool.sink === 'external_http') return 'send'
  if (tool.sink === 'removable_store') return 'send'
  const own = flow.own.get(node.id) ?? 0
  if (tool.sink === null && (own & (labelBit.identifiers | labelBit.credentials)) !== 0)
    return 'read people'
  if ((own & labelBit.images_of_people) !== 0) return 'capture people'
  return opensGuard(used) ? 'open' : null
}

/** A tool that takes a guard away: its name or description says unlock. */
function opensGuard({ tool }: SceneNode): boolean {
  return (
    tool !== undefined &&
    /(?:^|[._])unlock|(?:^|[._])open_(?:door|guard|gate|enclosure)/.test(tool.name)
  )
}

/** Nodes after `id` in the flow that send data out of the cell. */
function feedsSink(scene: Scene, flow: Flow, id: string): boolean {
  return scene.nodes.some(({ node, tool }) => {
    if (tool === undefined || tool.sink === null || tool.sink === 'record_system') return false
    if (flow.ancestors(node.id).has(id)) return true
    return flow.references.get(node.id)?.some(({ from }) => from === id) === true
  })
}

type Candidate = { readonly used: SceneNode; readonly act: Act; readonly mention: Mention }

/** Whether every text that speaks of the act is about another node, which it names. */
function spentElsewhere(candidate: Candidate, all: readonly Candidate[]): boolean {
  return [...candidate.mention.byAct].every((text) =>
    all.some(
      (other) =>
        other !== candidate && other.act === candidate.act && other.mention.byObject.has(text),
    ),
  )
}

function effectOf(
  scene: Scene,
  flow: Flow,
  candidate: Candidate,
  all: readonly Candidate[],
): Finding['effect'] | null {
  const { mention, act, used } = candidate
  if (mention.byObject.size > 0) return null
  if (mention.byAct.size > 0) return spentElsewhere(candidate, all) ? 'flag' : null
  const sends = act === 'send' || act === 'administer'
  return sends || feedsSink(scene, flow, used.node.id) ? 'block' : 'flag'
}

/** One finding for each node of consequence that the instructions are silent about. */
export function checkHidden(scene: Scene, flow: Flow): Finding[] {
  const acts = scene.nodes.flatMap((used) => {
    const act = actOf(flow, used)
    return act === null ? [] : [{ used, act }]
  })
  if (acts.length === 0) return []
  const prose = readProse(scene)
  const all = acts.map(({ used, act }): Candidate => {
    return { used, act, mention: mentionOf(prose, act, objectsNamed(used)) }
  })
  return all.flatMap((candidate) => {
    const effect = effectOf(scene, flow, candidate, all)
    if (effect === null) return []
    const { node, at } = candidate.used
    return [
      report('FLOW_HIDDEN_NODE', effect, at, {
        node: node.id,
        tool: node.tool,
        act: candidate.act,
      }),
    ]
  })
}
