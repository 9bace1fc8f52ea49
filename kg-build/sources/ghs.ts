// GHS hazard and precautionary statements, hazard classes and pictograms, and the UN transport
// class that the table names for a statement.
import type { GraphBuilder } from '../graph.ts'
import { slug } from '../graph.ts'
import type { SourceDir, SourceModule } from '../source.ts'
import { Rec, SourceError, stated } from '../source.ts'

const name = 'ghs-pubchem'
const file = 'ghscode_10.txt'

const pictograms: Readonly<Record<string, string>> = {
  GHS01: 'Explosive',
  GHS02: 'Flammable',
  GHS03: 'Oxidizing',
  GHS04: 'Compressed gas',
  GHS05: 'Corrosive',
  GHS06: 'Toxic',
  GHS07: 'Irritant',
  GHS08: 'Health hazard',
  GHS09: 'Environment',
}

export const ghs: SourceModule = { name, parse }

function parse(dir: SourceDir, graph: GraphBuilder): void {
  // The table is ISO 8859-1: read as bytes, so that `°C` survives.
  const rows = dir.bytes(file).toString('latin1').split(/\r?\n/)
  if (!rows[0]?.startsWith('H-Code\tHazard Statement\tGHS Hazard Class')) {
    throw new SourceError(`${dir.dir}/${file}`, 1, 'the header "H-Code, Hazard Statement, …"')
  }
  const pCodes: { h: string; codes: string[]; at: string }[] = []
  for (const [i, row] of rows.entries()) {
    const cell = row.split('\t').map((c) => c.trim())
    const code = cell[0] ?? ''
    const at = `${file}:${i + 1}`
    if (/^H\d{3}/.test(code)) {
      hazard(cell, at, graph)
      const codes = (cell[7] ?? '').split(',').map((c) => c.trim())
      pCodes.push({ h: code, codes: codes.filter((c) => c !== ''), at })
    } else if (/^P\d{3}/.test(code)) {
      graph.node({
        id: `p:${code}`,
        category: 'hw_safety',
        kind: 'precautionary-statement',
        name: `${code}: ${cell[1] ?? ''}`,
        text: cell[1] ?? '',
        source: name,
      })
    }
  }
  for (const { h, codes, at } of pCodes) {
    for (const code of codes) stated(graph, name)(`ghs:${h}`, 'needs', `p:${code}`, at)
  }
  // The European supplement is a second file; own facts hold the statements that matter here.
  if (dir.has('euh.json')) supplementary(dir, graph)
}

function hazard(cell: readonly string[], at: string, graph: GraphBuilder): void {
  const [code = '', statement = '', className = '', grade = '', un = '', pict = '', signal] = cell
  const id = `ghs:${code}`
  graph.node({
    id,
    category: 'hw_safety',
    kind: 'hazard-statement',
    name: `${code}: ${statement}`,
    text: `${statement}. ${className} ${grade}. Signal word: ${signal || 'none'}.`,
    source: name,
  })
  const edge = stated(graph, name)
  if (className) {
    const to = `hazclass:${slug(className, 100)}`
    graph.node({
      id: to,
      category: 'hw_safety',
      kind: 'hazard-class',
      name: `Hazard class: ${className}`,
      source: name,
    })
    edge(id, 'in-class', to, at)
  }
  if (pictograms[pict]) {
    graph.node({
      id: `pict:${pict}`,
      category: 'hw_safety',
      kind: 'pictogram',
      name: `${pict} pictogram: ${pictograms[pict]}`,
      source: name,
    })
    edge(id, 'has-pictogram', `pict:${pict}`, at)
  }
  for (const division of un.match(/\d(?:\.\d)?/g) ?? []) {
    edge(id, 'transport-class', `dot:${division}`, at)
  }
}

/** EUH statements: supplementary hazards of the European regulation. */
function supplementary(dir: SourceDir, graph: GraphBuilder): void {
  const list = new Rec('euh.json', 1, dir.json('euh.json'))
  for (const code of list.keys()) {
    graph.node({
      id: `ghs:${code}`,
      category: 'hw_safety',
      kind: 'hazard-statement',
      name: `${code}: ${list.str(code)}`,
      text: list.str(code),
      source: name,
    })
  }
}
