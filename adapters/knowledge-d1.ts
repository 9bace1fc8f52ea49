// The graph store on D1. CROSS JOIN fixes the order: the short list drives, the table is probed.
// All lists travel as one JSON parameter (D1 allows 100 parameters), and a
// plan costs at most eight queries. Danger: half a graph; every query binds the active slot.
import type {
  ActiveGraph,
  EdgeRow,
  FtsHit,
  FtsQuery,
  GraphStore,
  LimitData,
  Lookup,
  NodeRow,
} from '../verify/ground/port.ts'
import type { D1Like } from '../verify/ground/d1-like.ts'
import { ownRow, siteToken } from '../verify/ground/vector-names.ts'

export type { D1Like } from '../verify/ground/d1-like.ts'

/** Column weights of BM25: name, alias, neighbours, text, concepts. */
const weights = '4, 6, 0.5, 1, 3'

type Row = Readonly<Record<string, unknown>>
const rows = (answer: { results: unknown[] } | undefined): Row[] => (answer?.results ?? []) as Row[]

/** Builds the store over a D1 binding; `onQuery` counts queries for tests and metrics. */
export function d1GraphStore(db: D1Like, onQuery: (count: number) => void = () => {}): GraphStore {
  const all = async (sql: string, ...values: (string | number)[]): Promise<Row[]> => {
    onQuery(1)
    return rows(
      await db
        .prepare(sql)
        .bind(...values)
        .all(),
    )
  }
  return {
    async active(site) {
      const [row] = await all(
        `SELECT version, slot, model, ?1 <> '' AND EXISTS (SELECT 1 FROM kg_nodes n
           WHERE n.slot = kg_active.slot AND n.site = ?1 AND n.site <> '') AS own
         FROM kg_active WHERE one = 1`,
        site,
      )
      if (!row) return null
      const slot = row['slot'] === 1 ? 1 : 0
      return {
        version: String(row['version']),
        slot,
        model: String(row['model']),
        site,
        own: row['own'] === 1,
      }
    },

    async lookup(graph, phrases, terms): Promise<Lookup> {
      onQuery(3)
      const [names, stats, pairs] = await db.batch([
        db
          .prepare(
            `SELECT n.term, n.rid, n.rank FROM json_each(?2) q
             CROSS JOIN kg_names n ON n.slot = ?1 AND n.term = q.value AND n.site IN ('', ?3)`,
          )
          .bind(graph.slot, JSON.stringify(phrases), graph.site),
        db
          .prepare(
            `SELECT t.term, t.df, t.idf, t.vec FROM json_each(?2) q
             CROSS JOIN kg_terms t ON t.slot = ?1 AND t.term = q.value`,
          )
          .bind(graph.slot, JSON.stringify(terms)),
        db
          .prepare(
            `SELECT p.pair, p.a, p.b, a.nodes FROM kg_active a
             LEFT JOIN kg_pairs p ON p.slot = ?1 AND p.site IN ('', ?2) WHERE a.one = 1`,
          )
          .bind(graph.slot, graph.site),
      ])
      return {
        names: rows(names).map((r) => ({
          term: String(r['term']),
          rid: Number(r['rid']),
          rank: Number(r['rank']),
        })),
        terms: rows(stats).map((r) => ({
          term: String(r['term']),
          df: Number(r['df']),
          idf: Number(r['idf']),
          v: String(r['vec']),
        })),
        pairs: rows(pairs)
          .filter((r) => r['pair'] !== null)
          .map((r) => ({ pair: Number(r['pair']), a: Number(r['a']), b: Number(r['b']) })),
        size: Number(rows(pairs)[0]?.['nodes'] ?? 0),
      }
    },

    search: (graph, queries, hitsMax) => searchAll(all, graph, queries, hitsMax),

    async nodes(graph, rids): Promise<NodeRow[]> {
      if (rids.length === 0) return []
      const found = await all(
        `SELECT n.rid, n.id, n.category, n.kind, n.name, n.limits FROM json_each(?2) q
         CROSS JOIN kg_nodes n ON n.slot = ?1 AND n.rid = q.value AND n.site IN ('', ?3)`,
        graph.slot,
        JSON.stringify(rids),
        graph.site,
      )
      return found.map(nodeRow)
    },

    async texts(graph, rids): Promise<Map<number, string>> {
      if (rids.length === 0) return new Map()
      const found = await all(
        `SELECT n.rid, n.text FROM json_each(?2) q
         CROSS JOIN kg_nodes n ON n.slot = ?1 AND n.rid = q.value AND n.site IN ('', ?3)`,
        graph.slot,
        JSON.stringify(rids),
        graph.site,
      )
      return new Map(found.map((r) => [Number(r['rid']), String(r['text'])]))
    },

    // INDEXED BY: without statistics the planner scans the slot instead of probing by `dst`.
    async edges(graph, rids, edgesMax): Promise<EdgeRow[]> {
      if (rids.length === 0) return []
      const found = await all(
        `SELECT e.src, e.dst, e.kind, e.derived FROM json_each(?2) q
           CROSS JOIN kg_edges e ON e.slot = ?1 AND e.src = q.value AND e.site IN ('', ?4)
         UNION ALL
         SELECT e.src, e.dst, e.kind, e.derived FROM json_each(?2) q
           CROSS JOIN kg_edges e INDEXED BY kg_edges_dst
             ON e.slot = ?1 AND e.dst = q.value AND e.site IN ('', ?4)
         LIMIT ?3`,
        graph.slot,
        JSON.stringify(rids),
        edgesMax,
        graph.site,
      )
      return found.map((r) => ({
        from: Number(r['src']),
        to: Number(r['dst']),
        kind: String(r['kind']),
        derived: Number(r['derived']) === 1,
      }))
    },
  }
}

/**
 * One query for all questions: a correlated sub-select per question keeps FTS5's own top-k. A site with
 * nodes of its own asks its full text besides; ranks of the two are not comparable and take turns.
 */
async function searchAll(
  all: (sql: string, ...values: (string | number)[]) => Promise<Row[]>,
  graph: ActiveGraph,
  queries: readonly FtsQuery[],
  hitsMax: number,
): Promise<FtsHit[]> {
  if (queries.length === 0) return []
  const table = graph.slot === 1 ? 'kg_fts_1' : 'kg_fts_0'
  const open = `(SELECT json_group_array(r) FROM (
       SELECT rowid AS r FROM ${table} WHERE ${table} MATCH q.value
       ORDER BY bm25(${table}, ${weights}) LIMIT ?2))`
  const ours = `(SELECT json_group_array(r) FROM (
       SELECT rowid - ?3 AS r FROM kg_fts_own
       WHERE kg_fts_own MATCH '(' || q.value || ') AND own: ' || ?4
         AND rowid BETWEEN ?3 AND ?3 + 999999999
       ORDER BY bm25(kg_fts_own, ${weights}, 0) LIMIT ?2))`
  const asked = [JSON.stringify(queries.map((q) => q.match)), hitsMax]
  const found = graph.own
    ? await all(
        `SELECT q.key AS i, ${open} AS hits, ${ours} AS own FROM json_each(?1) q`,
        ...asked,
        ownRow(graph.slot, 0),
        siteToken(graph.site),
      )
    : await all(`SELECT q.key AS i, ${open} AS hits FROM json_each(?1) q`, ...asked)
  return found.flatMap((r) => {
    const step = queries[Number(r['i'])]?.step ?? 0
    return inTurns(ridsIn(r['own']), ridsIn(r['hits']), hitsMax).map((rid) => ({ step, rid }))
  })
}

function ridsIn(list: unknown): number[] {
  const hits: unknown = JSON.parse(typeof list === 'string' ? list : '[]')
  return Array.isArray(hits) ? hits.map(Number) : []
}

function inTurns(own: readonly number[], open: readonly number[], max: number): number[] {
  const out: number[] = []
  for (let i = 0; i < Math.max(own.length, open.length); i++) {
    for (const rid of [own[i], open[i]]) if (rid !== undefined) out.push(rid)
  }
  return out.slice(0, max)
}

function nodeRow(r: Row): NodeRow {
  const limits = r['limits']
  return {
    rid: Number(r['rid']),
    id: String(r['id']),
    category: String(r['category']),
    kind: String(r['kind']),
    name: String(r['name']),
    limit: typeof limits === 'string' ? (JSON.parse(limits) as LimitData) : null,
  }
}
