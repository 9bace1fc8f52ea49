// Where the boxes and lines of a plan's picture go (dagre, Sugiyama's layers), in pixels.
import { Graph, layout } from '@dagrejs/dagre'
import type { Plan } from '../../protocol/plan.ts'

const box = { width: 150, height: 44 }

export type Picture = {
  width: number
  height: number
  boxes: { id: string; x: number; y: number; width: number; height: number }[]
  /** Points of each line, from the step that comes first. */
  lines: { x: number; y: number }[][]
}

/** The picture of a plan: deterministic for the same graph. */
export function pictureOf(plan: Plan): Picture {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 36, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of plan.nodes) graph.setNode(id, { ...box })
  for (const { id, depends_on } of plan.nodes) {
    for (const before of depends_on) graph.setEdge(before, id)
  }
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  const boxes = plan.nodes.map(({ id }) => {
    const { x, y } = graph.node(id) as { x: number; y: number }
    return { id, x: x - box.width / 2, y: y - box.height / 2, ...box }
  })
  const lines = graph
    .edges()
    .map((edge) => (graph.edge(edge) as { points: { x: number; y: number }[] }).points)
  return { width, height, boxes, lines }
}
