// The statements of a load, in chunks within D1's limits: one JSON parameter per statement instead
// of a hundred, under 2 MB each; rows are replaced by key, so that a chunk may run twice.
import { ownRow, siteToken } from '../../verify/ground/vector-names.ts'
import type { GraphFolder } from './folder.ts'

export type Statement = { readonly sql: string; readonly params: (string | number)[] }
export type Chunk = { readonly label: string; readonly statements: readonly Statement[] }

/** Rows per chunk: about 400 KB of JSON for nodes, well under D1's 2 MB for one value. */
const rowsPerChunk = 400

const v = (i: number): string => `json_extract(r.value, '$[${i}]')`
const insert = (table: string, columns: string, values: string): string =>
  `INSERT OR REPLACE INTO ${table} (slot, graph_version, ${columns})
   SELECT ?1, ?2, ${values} FROM json_each(?3) r`

/** All chunks of a graph for one slot; the rid of a node is its place in id order, from 1. */
export function chunksOf(folder: GraphFolder, slot: 0 | 1): Chunk[] {
  const version = folder.manifest.graph_version
  const ridOf = new Map(folder.nodes.map((n, i) => [n.id, i + 1]))
  const rid = (id: string): number => ridOf.get(id) ?? 0
  const sites = new Map(folder.nodes.flatMap((n) => (n.site === undefined ? [] : [[n.id, n.site]])))
  const siteOf = (id: string): string => sites.get(id) ?? ''
  const chunk = (label: string, sql: string, rows: readonly unknown[][]): Chunk[] =>
    split(rows).map((part) => ({
      label,
      statements: [{ sql, params: [slot, version, JSON.stringify(part)] }],
    }))
  const nodeRows = folder.nodes.map((n, i) => [
    i + 1,
    n.id,
    n.category,
    n.kind,
    n.name,
    n.text,
    n.limit ? JSON.stringify(n.limit) : null,
    n.site ?? '',
  ])
  const nodeSql = insert(
    'kg_nodes',
    'rid, id, category, kind, name, text, limits, site',
    [0, 1, 2, 3, 4, 5, 6, 7].map(v).join(', '),
  )
  const edgeRows = folder.edges.map((e) => [
    rid(e.from),
    rid(e.to),
    e.kind,
    e.derived ? 1 : 0,
    `${e.source} ${e.record}`,
    e.site ?? '',
  ])
  const edgeSql = insert(
    'kg_edges',
    'src, dst, kind, derived, record, site',
    [0, 1, 2, 3, 4, 5].map(v).join(', '),
  )
  const terms = folder.terms.flatMap((t) => ('t' in t ? [[t.t, t.df, t.idf, t.v]] : []))
  const names = folder.terms.flatMap((t) =>
    'g' in t ? [[t.g, rid(t.id), t.rank, siteOf(t.id)]] : [],
  )
  const texts = ftsRows(folder, slot, siteOf)
  return [
    ...chunk('nodes', nodeSql, nodeRows),
    ...chunk('full text', ftsSql(slot), texts.open),
    ...chunk('full text of sites', ownFtsSql, texts.own),
    ...chunk('edges', edgeSql, edgeRows),
    ...chunk(
      'names',
      insert('kg_names', 'term, rid, rank, site', [0, 1, 2, 3].map(v).join(', ')),
      names,
    ),
    ...chunk(
      'terms',
      insert('kg_terms', 'term, df, idf, vec', [0, 1, 2, 3].map(v).join(', ')),
      terms,
    ),
    ...chunk(
      'pairs',
      insert('kg_pairs', 'pair, a, b, site', [0, 1, 2, 3].map(v).join(', ')),
      pairRows(folder, rid, siteOf),
    ),
  ]
}

function split(rows: readonly unknown[][]): unknown[][][] {
  const out: unknown[][][] = []
  for (let at = 0; at < rows.length; at += rowsPerChunk) out.push(rows.slice(at, at + rowsPerChunk))
  return out
}

function ftsSql(slot: 0 | 1): string {
  const values = [1, 2, 3, 4, 5].map((i) => `json_extract(r.value, '$[${i}]')`).join(', ')
  // ?1 and ?2 are bound for every chunk alike; a full-text row has no column for them.
  return `INSERT OR REPLACE INTO kg_fts_${slot} (rowid, name, alias, near, txt, con)
    SELECT json_extract(r.value, '$[0]'), ${values} FROM json_each(?3) r
    WHERE ?1 = ?1 AND ?2 = ?2`
}

/** Of sites in a table of their own: what they hold moves no rank of others. */
const ownFtsSql = `INSERT OR REPLACE INTO kg_fts_own (rowid, name, alias, near, txt, con, own)
  SELECT ${[0, 1, 2, 3, 4, 5, 6].map(v).join(', ')} FROM json_each(?3) r
  WHERE ?1 = ?1 AND ?2 = ?2`

function ftsRows(
  folder: GraphFolder,
  slot: 0 | 1,
  siteOf: (id: string) => string,
): { open: unknown[][]; own: unknown[][] } {
  const open: unknown[][] = []
  const own: unknown[][] = []
  for (const [i, f] of folder.vectors.entries()) {
    const fields = [f.name, f.alias, f.near, f.text, f.concept]
    const site = siteOf(f.id)
    if (site === '') open.push([i + 1, ...fields])
    else own.push([ownRow(slot, i + 1), ...fields, siteToken(site)])
  }
  return { open, own }
}

/** A node of kind `incompatibility` concerns two things: the pair the rules look for. */
function pairRows(
  folder: GraphFolder,
  rid: (id: string) => number,
  siteOf: (id: string) => string,
): unknown[][] {
  const kinds = new Map(folder.nodes.map((n) => [n.id, n.kind]))
  const sides = new Map<string, string[]>()
  for (const e of folder.edges) {
    if (e.kind !== 'concerns' || kinds.get(e.from) !== 'incompatibility') continue
    sides.set(e.from, [...(sides.get(e.from) ?? []), e.to])
  }
  return [...sides].flatMap(([pair, [a, b]]) =>
    a === undefined || b === undefined ? [] : [[rid(pair), rid(a), rid(b), siteOf(pair)]],
  )
}
