// The entries of the knowledge graph behind ids that a packet cites, from the graph that serves now.

/** Ids beyond this many are left out; a packet cites at most so many. */
const idsMax = 500

type Row = { id: string; name: string; category: string; text: string }
export type Cited = {
  graph_version: string | null
  items: {
    id: string
    name: string | null
    category: string | null
    text: string | null
  }[]
}

/** One item for every id that is public or of this site, in the given order; its parts are null when the graph does not hold it. */
export async function citedTexts(
  db: D1Database,
  site: string,
  ids: readonly string[],
): Promise<Cited> {
  const asked = ids.slice(0, idsMax)
  const active = await db
    .prepare('SELECT version, slot FROM kg_active WHERE one = 1')
    .first<{ version: string; slot: number }>()
  const { results } = await db
    .prepare(
      `SELECT n.id, n.name, n.category, n.text FROM json_each(?2) q
       JOIN kg_nodes n ON n.slot = ?1 AND n.id = q.value AND n.site IN ('', ?3)`,
    )
    .bind(active?.slot ?? -1, JSON.stringify(asked), site)
    .all<Row>()
  const known = new Map(results.map((row) => [row.id, row]))
  const items = asked.map((id) => {
    const row = known.get(id)
    return {
      id,
      name: row?.name ?? null,
      category: row?.category ?? null,
      text: row?.text ?? null,
    }
  })
  return { graph_version: active?.version ?? null, items }
}
