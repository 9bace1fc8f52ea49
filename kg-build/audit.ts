// `npm run kg:audit -- [--out DIR] [--seed N] [--count N]`: draws edges by a printed seed and prints
// each with both names and the record or rule it comes from, for a person to read and judge.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { GraphEdge, GraphNode } from './graph.ts'
import { seededRandom } from './lsa.ts'
import { optionsOf } from './options.ts'

const values = optionsOf({
  out: { type: 'string', default: '.build/kg' },
  seed: { type: 'string', default: '1' },
  count: { type: 'string', default: '100' },
})

const rows = (file: string): unknown[] =>
  readFileSync(path.join(values.out, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)

const nodes = new Map((rows('nodes.jsonl') as GraphNode[]).map((n) => [n.id, n]))
const edges = rows('edges.jsonl') as GraphEdge[]
const random = seededRandom(Number(values.seed))
const drawn = new Set<number>()
const wanted = Math.min(Number(values.count), edges.length)
while (drawn.size < wanted) drawn.add(Math.floor(random() * edges.length))

const name = (id: string): string => (nodes.get(id)?.name ?? '?').slice(0, 90)
process.stdout.write(`seed ${values.seed}, ${wanted} of ${edges.length} edges\n`)
for (const [i, at] of [...drawn].entries()) {
  const e = edges[at]
  if (!e) continue
  process.stdout.write(
    `${i + 1}. ${e.from} [${name(e.from)}] --${e.kind}--> ${e.to} [${name(e.to)}]\n` +
      `   ${e.derived ? 'derived' : 'stated'}: ${e.source} ${e.record}\n`,
  )
}
