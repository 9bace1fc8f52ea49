// The search index of a graph: fields, gazetteer, term statistics, and an embedding per node.
import chemicals from './facts/chemicals.json' with { type: 'json' }
import {
  decodeInt8,
  embedLocal,
  encodeInt8,
  localDimensions,
  localModel,
  lsaRank,
  type TermVector,
} from '../verify/ground/embed.ts'
import type { GraphEdge, GraphNode } from './graph.ts'
import { gazetteer, searchFields, type Fields, type Gazette } from './index-fields.ts'
import { termSpace, type SparseRow } from './lsa.ts'
import type { Progress } from './progress.ts'

export type GraphIndex = {
  readonly model: string
  readonly dimensions: number
  /** One per node, in node order: search tokens and the embedding (base64 of signed bytes). */
  readonly vectors: readonly (Fields & { readonly v: string })[]
  /** Terms with their share in the index, and the gazetteer. */
  readonly terms: readonly (
    | { readonly t: string; readonly df: number; readonly idf: number; readonly v: string }
    | { readonly g: string; readonly id: string; readonly rank: number }
  )[]
}

const seed = 20_261_129

type Bag = Map<string, number>

/** How much one occurrence counts by the field it is in. */
const fieldWeights = { name: 2, alias: 2, near: 0.3, text: 1, concept: 2 } as const

function bagOfFields(f: Fields): Bag {
  const bag: Bag = new Map()
  for (const key of ['name', 'alias', 'near', 'text', 'concept'] as const) {
    for (const t of f[key].split(' ')) {
      if (t !== '') bag.set(t, (bag.get(t) ?? 0) + fieldWeights[key])
    }
  }
  return bag
}

/** Builds the index; the steps are reported because they take seconds. */
export function indexGraph(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  progress: Progress,
): GraphIndex {
  const iterations = 2
  const bar = progress.start('index', iterations + 3)
  const fields = searchFields(nodes, edges)
  bar.tick('fields')
  const bags = fields.map(bagOfFields)
  const df = new Map<string, number>()
  // Statistics are those of public nodes: a site's words must not move what others find.
  const open = bags.filter((_, i) => nodes[i]?.site === undefined)
  for (const bag of open) for (const t of bag.keys()) df.set(t, (df.get(t) ?? 0) + 1)
  const vocabulary = [...df].filter(([, n]) => n >= 2).map(([t]) => t)
  vocabulary.sort()
  const place = new Map(vocabulary.map((t, i) => [t, i]))
  const idf = (t: string): number => Math.log((open.length + 1) / ((df.get(t) ?? 0) + 0.5))
  bar.tick('terms')
  const rows = open.map((bag) => weighted(bag, place, idf))
  const space = termSpace(rows, vocabulary.length, { rank: lsaRank, seed, iterations }, (s) =>
    bar.tick(s),
  )
  const known = new Map<string, TermVector>()
  const termRows = vocabulary.map((t, i) => {
    const v = scaled(space[i] ?? new Float64Array(lsaRank))
    known.set(t, { idf: idf(t), vector: decodeInt8(v) })
    return { t, df: df.get(t) ?? 0, idf: Number(idf(t).toPrecision(6)), v }
  })
  bar.tick('term vectors')
  const vectors = fields.map((f, i) => {
    const node = nodes[i]
    const text = node ? `${node.name} ${node.aliases.join(' ')} ${node.text.slice(0, 300)}` : ''
    return { ...f, v: encodeInt8(embedLocal(text, bags[i] ?? new Map(), known)) }
  })
  bar.end()
  const preferred = new Set(chemicals.map((c) => c.id))
  const names = gazetteer(nodes, preferred).map((g: Gazette) => ({
    g: g.term,
    id: g.id,
    rank: g.rank,
  }))
  return {
    model: localModel,
    dimensions: localDimensions,
    vectors,
    terms: [...termRows, ...names],
  }
}

/** All term vectors share one scale, so that their relative lengths survive. */
function scaled(v: Float64Array): string {
  let raw = ''
  for (const x of v)
    raw += String.fromCharCode(Math.max(-127, Math.min(127, Math.round(x * 512))) & 0xff)
  return btoa(raw)
}

function weighted(
  bag: Bag,
  place: ReadonlyMap<string, number>,
  idf: (t: string) => number,
): SparseRow {
  const row = new Map<number, number>()
  let sum = 0
  for (const [t, count] of bag) {
    const at = place.get(t)
    if (at === undefined) continue
    const w = Math.log(1 + count) * idf(t)
    row.set(at, w)
    sum += w * w
  }
  const norm = Math.sqrt(sum) || 1
  for (const [at, w] of row) row.set(at, w / norm)
  return row
}
