// PyLabRobot: devices, their capabilities and vendors, error tables, labware, manual sections;
// and the sections of the Opentrons documentation.
import type { GraphBuilder } from '../graph.ts'
import { idCharsMax, slug } from '../graph.ts'
import type { SourceDir, SourceModule } from '../source.ts'
import { Rec, stated } from '../source.ts'

export const pylabrobot: SourceModule = { name: 'pylabrobot', parse: parsePlr }
export const opentronsDocs: SourceModule = { name: 'opentrons-docs', parse: parseDocs }

function vendorNode(id: string, label: string, source: string, graph: GraphBuilder): void {
  graph.node({ id, category: 'lab_context', kind: 'vendor', name: `Vendor: ${label}`, source })
}

function parsePlr(dir: SourceDir, graph: GraphBuilder): void {
  const list = dir.json('devices.json')
  if (!Array.isArray(list)) throw new TypeError('devices.json: expected a list')
  for (const value of list) device(new Rec('devices.json', 1, value), graph)
  // The device list alone can be fetched; the other parts are prepared by hand.
  if (dir.has('error-codes.jsonl')) errorCodes(dir, graph)
  if (dir.has('labware.jsonl')) labware(dir, graph)
  if (dir.has('manual-sections.jsonl')) sections(dir, 'manual-sections.jsonl', 'pylabrobot', graph)
}

function device(rec: Rec, graph: GraphBuilder): void {
  const source = 'pylabrobot'
  const id = `plr-dev:${rec.str('id')}`
  const at = `devices.json#${rec.str('id')}`
  const vendor = rec.optStr('vendor')
  const kind = rec.str('kind')
  graph.node({
    id,
    category: 'lab_context',
    kind: 'lab-device',
    name: `${vendor} ${rec.str('name')} (${kind})`.trim(),
    text: `${rec.optStr('notes')} Capabilities: ${rec.strs('capabilities').join(', ')}.`,
    source,
  })
  const edge = stated(graph, source)
  const equip = `equip:${slug(kind)}`
  graph.node({
    id: equip,
    category: 'lab_context',
    kind: 'equipment-kind',
    name: `Equipment: ${kind}`,
    source,
  })
  edge(id, 'is-a', equip, at)
  if (vendor) {
    vendorNode(`vendor:${slug(vendor)}`, vendor, source, graph)
    edge(id, 'made-by', `vendor:${slug(vendor)}`, at)
  }
  for (const capability of rec.strs('capabilities')) {
    const to = `cap:${slug(capability)}`
    graph.node({
      id: to,
      category: 'lab_context',
      kind: 'capability',
      name: `Capability: ${capability}`,
      source,
    })
    edge(id, 'can', to, at)
  }
}

function errorCodes(dir: SourceDir, graph: GraphBuilder): void {
  for (const rec of dir.lines('error-codes.jsonl')) {
    graph.node({
      id: rec.str('id'),
      category: 'failures',
      kind: 'error-code',
      name: rec.str('title'),
      text: rec.str('text'),
      source: 'pylabrobot',
    })
    for (const of of rec.strs('device')) {
      stated(graph, 'pylabrobot')(rec.str('id'), 'error-of', of, rec.at)
    }
  }
}

function labware(dir: SourceDir, graph: GraphBuilder): void {
  const source = 'pylabrobot'
  for (const rec of dir.lines('labware.jsonl')) {
    const id = rec.str('id')
    const own = id.slice('plr-res:'.length)
    graph.node({
      id,
      category: 'lab_context',
      kind: 'labware',
      name: own.replace(/_/g, ' '),
      text: rec.str('text').replace(/[`|]|!\[\]\([^)]*\)/g, ' '),
      source,
    })
    const edge = stated(graph, source)
    for (const material of rec.strs('material')) {
      const label = material.slice('material:'.length)
      graph.node({
        id: material,
        category: 'lab_context',
        kind: 'material',
        name: `Material: ${label}`,
        source,
      })
      edge(id, 'made-of', material, rec.at)
    }
    for (const vendor of rec.strs('vendor')) {
      // Names of Python files slipped into this list upstream; they are no vendors.
      if (vendor.endsWith('-py')) continue
      vendorNode(vendor, vendor.slice('vendor:'.length).replace(/[-_]/g, ' '), source, graph)
      edge(id, 'made-by', vendor, rec.at)
    }
  }
}

/** A manual's anchor can be a whole sentence. */
const bounded = (id: string): string => id.slice(0, idCharsMax)

function sections(dir: SourceDir, file: string, source: string, graph: GraphBuilder): void {
  for (const rec of dir.lines(file)) {
    const id = bounded(rec.str('id'))
    graph.node({
      id,
      category: 'hw_safety',
      kind: rec.optStr('kind') || 'manual-section',
      name: rec.str('title'),
      text: rec.str('text'),
      source,
    })
    for (const about of rec.strs('about')) {
      const kind = about.startsWith('plr-doc:') ? 'part-of' : 'about'
      stated(graph, source)(id, kind, bounded(about), rec.at)
    }
  }
}

const apiCall = /\b(?:InstrumentContext|ProtocolContext|[A-Z]\w*Context)\.([a-z][a-z_]+)\b/g
/** A call written out in running text, `name_of_method(`. */
const bareCall = /\b([a-z]+(?:_[a-z]+)+)\(/g
const exception = /\b([A-Z][A-Za-z]+Error)\b/g

function parseDocs(dir: SourceDir, graph: GraphBuilder): void {
  const source = 'opentrons-docs'
  sections(dir, 'sections.jsonl', source, graph)
  const edge = stated(graph, source)
  for (const rec of dir.lines('sections.jsonl')) {
    const id = rec.str('id')
    const page = id.split('#')[0] ?? id
    const title = rec.str('title').split(':')[0] ?? page
    if (page !== id) {
      graph.node({
        id: page,
        category: 'hw_safety',
        kind: 'manual',
        name: `Opentrons manual: ${title}`,
        source,
      })
      edge(id, 'part-of', page, rec.at)
    }
    for (const m of rec.str('text').matchAll(apiCall)) mention('ot-api', m[1], id, { rec, graph })
    for (const m of rec.str('text').matchAll(bareCall)) mention('ot-api', m[1], id, { rec, graph })
    for (const m of rec.str('text').matchAll(exception)) mention('ot-exc', m[1], id, { rec, graph })
  }
}

/** A method or exception that a section writes out. */
function mention(
  prefix: 'ot-api' | 'ot-exc',
  word: string | undefined,
  section: string,
  to: { rec: Rec; graph: GraphBuilder },
): void {
  if (word === undefined) return
  const api = prefix === 'ot-api'
  to.graph.node({
    id: `${prefix}:${word}`,
    category: api ? 'lab_context' : 'failures',
    kind: api ? 'api-method' : 'exception',
    name: api ? `API method ${word}` : `Exception ${word}`,
    source: 'opentrons-docs',
  })
  stated(to.graph, 'opentrons-docs')(section, 'describes', `${prefix}:${word}`, to.rec.at)
}
