// The demo site LC-7 as lab context: tools with their limits, rotors, waste streams, policies and
// stores, and how they hang on devices and hazards.
import { fileURLToPath } from 'node:url'
import type { Additions } from '../../../kg-build/embedded.ts'
import { slug, type GraphBuilder, type LimitData } from '../../../kg-build/graph.ts'
import { stated } from '../../../kg-build/source.ts'
import site from './graph-facts.json' with { type: 'json' }

const source = 'own'
/** The demo site's id in a gateway: its facts are read for its plans only. */
const owner = 'lc7'
const file = 'graph-facts.json'

/** What `ensureGraph` takes to build the graph of the demo lab. */
export const demoAdditions: Additions = {
  name: 'lc7',
  add: addSiteFacts,
  files: [
    fileURLToPath(import.meta.url),
    fileURLToPath(new URL('graph-facts.json', import.meta.url)),
  ],
}

function addSiteFacts(graph: GraphBuilder): void {
  const edge = stated(graph, source)
  const siteId = `site:${site.id}`
  const add = (id: string, kind: string, name: string, text = ''): void =>
    graph.node({ id, category: 'lab_context', kind, name, text, source, site: owner })
  add(siteId, 'site', `Site ${site.id}`, 'Demo cell: liquid handler, arm, centrifuge, hoods.')
  for (const tool of site.tools) {
    const id = `tool:${tool.name}`
    graph.node({
      id,
      category: 'lab_context',
      kind: 'tool',
      name: `Tool ${tool.name}`,
      text: `${tool.text} Risk class ${tool.risk}.`,
      aliases: [tool.name.replace(/[._]/g, ' ')],
      source,
      site: owner,
    })
    edge(id, 'tool-of', siteId, `${file}#${tool.name}`)
    edge(id, 'uses', tool.is, `${file}#${tool.name}`)
    for (const risk of tool.risks) edge(id, 'risk', risk, `${file}#${tool.name}`)
    for (const device of tool.devices) {
      const to = `site-dev:${device}`
      add(to, 'site-device', `Device ${device} of ${site.id}`)
      edge(to, 'is-a', tool.is, `${file}#${tool.name}`)
      edge(id, 'drives', to, `${file}#${tool.name}`)
    }
    for (const limit of tool.limits) toolLimit(tool.name, limit, graph)
  }
  parts(graph)
  for (const policy of site.policies) {
    add(`policy:${policy.id}`, 'policy', `Policy ${policy.id} of ${site.id}`, policy.text)
    edge(`policy:${policy.id}`, 'policy-of', siteId, `${file}#${policy.id}`)
  }
}

type ToolLimit = { arg: string; min: number | null; max: number; unit: string }

const quantities: Readonly<Record<string, LimitData['quantity']>> = {
  uL: 'volume',
  rpm: 'rotation',
  degC: 'temperature',
  'mm/s': 'speed',
  g: 'mass',
  mg: 'mass',
  cm: 'height',
  mm: 'height',
}

function toolLimit(tool: string, limit: ToolLimit, graph: GraphBuilder): void {
  const quantity = quantities[limit.unit]
  const id = `tool-limit:${tool}:${slug(limit.arg)}`
  const text = `${limit.min ?? 'any'} to ${limit.max} ${limit.unit}`
  graph.node({
    id,
    category: 'hw_safety',
    kind: 'argument-limit',
    name: `Limit: ${tool} ${limit.arg} ${text}`,
    source,
    site: owner,
    ...(quantity ? { limit: { quantity, unit: limit.unit, min: limit.min, max: limit.max } } : {}),
  })
  stated(graph, source)(id, 'limits', `tool:${tool}`, `${file}#${tool}`)
}

function parts(graph: GraphBuilder): void {
  const edge = stated(graph, source)
  const siteId = `site:${site.id}`
  for (const rotor of site.rotors) {
    const id = `rotor:${rotor.id}`
    graph.node({
      id,
      category: 'hw_safety',
      kind: 'limit',
      name: `Rotor ${rotor.id}: at most ${rotor.max_rpm} rpm`,
      text: `${rotor.kind} rotor, ${rotor.positions} positions, imbalance at most ${rotor.imbalance_g} g.`,
      aliases: [rotor.id],
      source,
      site: owner,
      limit: { quantity: 'rotation', unit: 'rpm', min: null, max: rotor.max_rpm },
    })
    edge(id, 'limits', 'tool:centrifuge.spin', `${file}#${rotor.id}`)
    edge(id, 'limits', `site-dev:${rotor.id}`, `${file}#${rotor.id}`)
    edge(id, 'instance-of', 'own:limit:rotor-speed', `${file}#${rotor.id}`)
  }
  for (const stream of site.streams) {
    const id = `stream:${stream.id}`
    graph.node({
      id,
      category: 'lab_context',
      kind: 'waste-stream',
      name: `Waste stream ${stream.id}`,
      text: stream.text,
      aliases: [stream.id, stream.id.replace(/_/g, ' ')],
      source,
      site: owner,
    })
    edge(id, 'stream-of', siteId, `${file}#${stream.id}`)
    edge(id, 'is-a', 'equip:waste-container', `${file}#${stream.id}`)
    for (const group of stream.refuses) edge(id, 'refuses', group, `${file}#${stream.id}`)
    for (const held of stream.holds) edge(id, 'holds', held, `${file}#${stream.id}`)
  }
  for (const limit of site.limits) {
    const id = `site-limit:${limit.id}`
    graph.node({
      id,
      category: 'hw_safety',
      kind: 'limit',
      name: `Limit: ${limit.name}`,
      source,
      site: owner,
    })
    edge(id, 'limits', `tool:${limit.tool}`, `${file}#${limit.id}`)
  }
  for (const store of site.stores) {
    const id = `store:${store.id}`
    graph.node({
      id,
      category: 'lab_context',
      kind: 'store',
      name: `Store ${store.id.replace(/_/g, ' ')}`,
      aliases: [store.id],
      source,
      site: owner,
    })
    edge(id, 'store-of', siteId, `${file}#${store.id}`)
    edge('tool:storage.store', 'reaches', id, `${file}#${store.id}`)
    for (const held of store.holds) edge(id, 'holds', held, `${file}#${store.id}`)
  }
}
