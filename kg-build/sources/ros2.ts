// The ROS 2 threat model: generic threats, and the attacks on two robots, out of its HTML tables.
import type { GraphBuilder } from '../graph.ts'
import { slug, tidy } from '../graph.ts'
import type { SourceDir, SourceModule } from '../source.ts'
import { SourceError, stated } from '../source.ts'

const name = 'ros2-threat-model'
const file = '183_ros2_threat_model.md'

export const ros2: SourceModule = { name, parse }

const strides = [
  'Spoofing',
  'Tampering',
  'Repudiation',
  'Information disclosure',
  'Denial of service',
  'Elevation of privileges',
] as const
const assets = [
  'Robot compute resources',
  'Physical safety',
  'Robot availability',
  'Robot integrity',
  'Data integrity',
  'Data availability',
  'Data privacy',
] as const
const entries = [
  'Embedded hardware',
  'Robot communication channels',
  'Robot administration tools',
  'Remote application interface',
  'Deployment infrastructure',
] as const

type Cell = { readonly html: string; readonly text: string; readonly rows: number }
type Row = { readonly cells: readonly Cell[]; readonly heading: string; readonly line: number }

const strip = (html: string): string =>
  tidy(
    html
      .replace(/<[^>]*>/g, ' ')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&'),
  )

/** Rows of the table that starts at or after the offset; a row of one `th` is a heading. */
function tableRows(text: string, from: number): Row[] {
  const end = text.indexOf('</table>', from)
  const rows: Row[] = []
  for (const m of text.slice(from, end).matchAll(/<tr[^>]*>([\s\S]*?)(?=<tr[ >]|$)/g)) {
    const body = m[1] ?? ''
    const line = text.slice(0, from + m.index).split('\n').length
    const cells = [...body.matchAll(/<td([^>]*)>([\s\S]*?)<\/td>/g)].map((c) => ({
      html: c[2] ?? '',
      text: strip(c[2] ?? ''),
      rows: Number(/rowspan="(\d+)"/.exec(c[1] ?? '')?.[1] ?? 1),
    }))
    const heading = cells.length === 0 ? strip(body) : ''
    rows.push({ cells, heading, line })
  }
  return rows
}

const marked = (cell: Cell | undefined): boolean => /[✓▲]/.test(cell?.text ?? '')

const listItems = (html: string): string[] =>
  [...html.matchAll(/<li>([\s\S]*?)(?=<\/li>|<li>|<\/ul>|$)/g)]
    .map((m) => strip(m[1] ?? ''))
    .filter((t) => t !== '')

function vocabulary(graph: GraphBuilder): void {
  const add = (prefix: string, kind: string, label: string, values: readonly string[]): void => {
    for (const value of values) {
      graph.node({
        id: `${prefix}:${slug(value)}`,
        category: 'adversarial',
        kind,
        name: `${label}: ${value}`,
        source: name,
      })
    }
  }
  add('stride', 'stride', 'STRIDE', strides)
  add('ros2-asset', 'robot-asset', 'Robot asset', assets)
  add('ros2-entry', 'entry-point', 'Robot entry point', entries)
}

function parse(dir: SourceDir, graph: GraphBuilder): void {
  const text = dir.text(file)
  vocabulary(graph)
  const starts = [...text.matchAll(/<table class="table">/g)].map((m) => m.index)
  const find = (marker: string): number => {
    const at = text.indexOf(marker)
    const start = starts.findLast((s) => s < at)
    if (at < 0 || start === undefined) {
      throw new SourceError(`${dir.dir}/${file}`, 1, `a table with the heading "${marker}"`)
    }
    return start
  }
  threats(tableRows(text, find('>Threat Description</th>')), graph)
  attacks(tableRows(text, find('>TurtleBot Assets</th>')), 'TurtleBot 3', graph)
  attacks(tableRows(text, find('>MARA Assets</th>')), 'MARA', graph)
}

function threats(rows: readonly Row[], graph: GraphBuilder): void {
  let area = ''
  for (const row of rows) {
    if (row.heading.includes(' / ') || /^(Remote|Cross)/.test(row.heading)) {
      area = areaNode(row.heading, graph)
    }
    if (row.cells.length < 25) continue
    const title = row.cells[0]?.text ?? ''
    const id = `ros2-threat:${slug(title, 70)}`
    const at = `${file}:${row.line}`
    graph.node({
      id,
      category: 'adversarial',
      kind: 'robot-threat',
      name: title,
      text: `DREAD score ${row.cells[12]?.text ?? ''}. Mitigations: ${row.cells[25]?.text ?? ''}`,
      source: name,
    })
    const edge = stated(graph, name)
    if (area) edge(id, 'in-area', area, at)
    strides.forEach((s, i) => {
      if (marked(row.cells[1 + i])) edge(id, 'stride', `stride:${slug(s)}`, at)
    })
    assets.forEach((s, i) => {
      if (marked(row.cells[13 + i])) edge(id, 'impacts', `ros2-asset:${slug(s)}`, at)
    })
    entries.forEach((s, i) => {
      if (marked(row.cells[20 + i])) edge(id, 'enters-by', `ros2-entry:${slug(s)}`, at)
    })
    for (const item of listItems(row.cells[25]?.html ?? '')) mitigation(item, id, at, graph)
    literature(row.cells[26]?.html ?? '', id, at, graph)
  }
}

function areaNode(heading: string, graph: GraphBuilder): string {
  const id = `ros2-area:${slug(heading, 70)}`
  graph.node({
    id,
    category: 'adversarial',
    kind: 'threat-area',
    name: `Robot threat area: ${heading}`,
    source: name,
  })
  return id
}

function mitigation(text: string, of: string, at: string, graph: GraphBuilder): void {
  const id = `ros2-mit:${slug(text, 70)}`
  graph.node({ id, category: 'adversarial', kind: 'mitigation', name: text, source: name })
  stated(graph, name)(id, 'mitigates', of, at)
}

function literature(html: string, of: string, at: string, graph: GraphBuilder): void {
  for (const m of html.matchAll(/<a\s+href="([^"]+)"[^>]*>([\s\S]*?)<\/a>/g)) {
    const id = `ref:${slug(m[1] ?? '', 70)}`
    graph.node({
      id,
      category: 'failures',
      kind: 'publication',
      name: strip(m[2] ?? ''),
      source: name,
    })
    stated(graph, name)(of, 'reported-in', id, at)
  }
}

/** Attack tables: the first cell spans the rows of one threat; the attack follows the marks. */
function attacks(rows: readonly Row[], robot: string, graph: GraphBuilder): void {
  let threat = ''
  let left = 0
  const robotId = `robot:${slug(robot)}`
  graph.node({
    id: robotId,
    category: 'lab_context',
    kind: 'robot-or-component',
    name: robot,
    source: name,
  })
  for (const row of rows) {
    if (row.cells.length < 6) continue
    let cells = row.cells
    if (left === 0) {
      threat = `ros2-threat:${slug(cells[0]?.text ?? '', 70)}`
      left = cells[0]?.rows ?? 1
      cells = cells.slice(1)
    }
    left -= 1
    const text = cells.find((c) => /[a-z]{3}/i.test(c.text) && c.text.length > 12)?.text
    if (text === undefined) continue
    const id = `ros2-attack:${slug(robot)}-${slug(text, 70)}`
    const at = `${file}:${row.line}`
    graph.node({
      id,
      category: 'failures',
      kind: 'robot-attack-instance',
      name: `${robot}: ${text}`,
      source: name,
    })
    stated(graph, name)(id, 'instance-of', threat, at)
    stated(graph, name)(id, 'affects', robotId, at)
    for (const cell of cells) {
      for (const item of listItems(cell.html)) {
        if (cell !== cells.at(-1)) mitigation(item, id, at, graph)
      }
    }
  }
}
