// Cross-source links. Every edge made here is derived: a named rule of ours, never a source's word.
import crosswalk from '../facts/crosswalk.json' with { type: 'json' }
import type { GraphBuilder } from '../graph.ts'
import { linkHazards, linkReactivity } from './chemistry.ts'
import { derive } from './derive.ts'
import { linkMentions } from './mentions.ts'

/** Runs all rules over the graph as read so far. */
export function linkSources(graph: GraphBuilder): void {
  linkReactivity(graph)
  linkHazards(graph)
  linkMentions(graph)
  for (const row of crosswalk) {
    for (const to of row.to) derive(graph, 'own-crosswalk', row.from, 'enabled-by', to)
  }
  linkDevices(graph)
}

const moduleKinds: Readonly<Record<string, string>> = {
  heaterShakerModuleType: 'equip:heater-shaker',
  thermocyclerModuleType: 'equip:thermocycler',
  absorbanceReaderType: 'equip:plate-reader',
  flexStackerModuleType: 'equip:storage',
  magneticModuleType: 'equip:liquid-handler',
  magneticBlockType: 'equip:liquid-handler',
  temperatureModuleType: 'equip:temperature-controller',
}

/** Robots and modules are kinds of equipment; files name the model, not the kind. */
function linkDevices(graph: GraphBuilder): void {
  for (const [type, equip] of Object.entries(moduleKinds)) {
    derive(graph, 'module-kind', `ot-moduletype:${type}`, 'is-a', equip)
  }
  for (const node of graph.nodeList()) {
    if (node.kind === 'robot') derive(graph, 'robot-kind', node.id, 'is-a', 'equip:liquid-handler')
    if (
      node.kind === 'robot-or-component' &&
      /^robot:(ur\d|franka|abb-irb|baxter|sawyer|mara|raven)/.test(node.id)
    ) {
      derive(graph, 'robot-kind', node.id, 'is-a', 'equip:robot-arm')
    }
    if (node.kind === 'pipette') derive(graph, 'pipette-kind', node.id, 'is-a', 'equip:pipette')
    if (node.kind === 'capability') {
      derive(graph, 'capability-kind', node.id, 'offered-by', `equip:${node.id.slice(4)}`)
    }
    if (node.kind === 'vendor') linkVendor(graph, node.id)
  }
  derive(graph, 'equipment-kind', 'equip:arm', 'same-as', 'equip:robot-arm')
  derive(graph, 'equipment-kind', 'sw:moveit', 'plans-for', 'equip:robot-arm')
  for (const device of ['attack:A0013', 'attack:A0010', 'attack:A0003']) {
    derive(graph, 'ics-asset', device, 'seen-in', 'equip:controller')
  }
  derive(graph, 'ics-asset', 'tech:ics-ot', 'seen-in', 'equip:controller')
  derive(graph, 'ics-asset', 'ros2-area:embedded-hardware-actuators', 'seen-in', 'equip:robot-arm')
}

/** `vendor:agilent-biotek` and `vendor:agilent` are one house: same first word, known vendor. */
function linkVendor(graph: GraphBuilder, id: string): void {
  const first = /^vendor:([a-z]+)[-_]/.exec(id)?.[1]
  if (first) derive(graph, 'vendor-name', id, 'same-house', `vendor:${first}`)
}
