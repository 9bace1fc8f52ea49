import { readFileSync } from 'node:fs'
import { registrySchema } from './protocol/registry.ts'
import { planSchema } from './protocol/plan.ts'
import { cellRecordSchema } from './protocol/state.ts'
import { topologicalOrder } from './protocol/graph.ts'
import { readScene } from './verify/read/index.ts'
import { emptyTrace } from './verify/simulate/trace.ts'
import { judgeByRules } from './verify/rules/index.ts'
import * as voc from './verify/read/vocabulary.ts'
import * as lex from './verify/lexicon/substances.ts'
const [file, siteFile, only] = process.argv.slice(2)
const raw = JSON.parse(readFileSync(siteFile!, 'utf8'))
const registry = registrySchema.parse(raw)
const vocabulary: any = (voc as any).vocabulary
import { runWithRules } from './verify/rules/run.ts'
const count: Record<string, Record<string, number>> = {}
const codes: Record<string, number> = {}
let ms = 0
for (const line of readFileSync(file!, 'utf8').split('\n').filter(Boolean)) {
  const row = JSON.parse(line)
  if (only && row.id !== only) continue
  const plan = planSchema.parse({ goal: row.goal, instructions: row.instructions, planner: row.planner ?? { id: 'x' }, nodes: row.nodes })
  const rec = cellRecordSchema.parse(row.state ?? {})
  const state = { cell: 'c', version: 1, inventory: rec.inventory, facts: rec.facts.map((f) => ({ ...f, source: 'person' as const, by: 'p', at_ms: Date.now() })), approvals: rec.approvals }
  const t = performance.now()
  const scene = readScene(plan, topologicalOrder(plan.nodes), registry, state as any, vocabulary)
  const trace = process.env.NOSIM ? emptyTrace : runWithRules(scene, registry, state as any, { now_ms: Date.now(), vocabulary })
  const found = judgeByRules({ scene, trace, registry, state: state as any, planner: plan.planner.id })
  ms += performance.now() - t
  const verdict = found.breaches.some((b) => b.verdict === 'reject') ? 'reject' : found.breaches.length + found.unknowns.length + found.doubts.length > 0 ? 'escalate' : 'accept'
  ;((count[row.label] ??= {})[verdict] ??= 0), count[row.label]![verdict]++
  const list = [...found.breaches.map((b) => `B!${b.verdict[0]} ${b.code} ${b.at} ${JSON.stringify(b.facts)}`), ...found.unknowns.map((u) => `U ${u.code} ${u.at} ${JSON.stringify(u.facts)}`), ...found.doubts.map((d) => `D ${d.code} ${d.subject} ${d.text}`)]
  for (const c of new Set([...found.breaches.map((b) => b.code), ...found.unknowns.map((b) => b.code), ...found.doubts.map((b) => b.code)])) if (row.label === 'accept') codes[c] = (codes[c] ?? 0) + 1
  if (only || process.env.V) {
    console.log(`## ${row.id} ${row.label} -> ${verdict} | ${row.rationale ?? ''}`)
    if (only || (process.env.V === 'bad' ? verdict !== row.label : true)) { for (const l of list) console.log('   ', l) }
    if (only) { console.log(row.goal, row.instructions); console.log(JSON.stringify(scene.sentences, null, 1)); for (const s of scene.steps) console.log(s.node.id, s.node.tool, s.opaque, s.uncovered, JSON.stringify(s.acts)) ; console.log(trace.steps?.map((s: any) => s.sentence)) }
  }
}
console.log(count, 'ms/plan', ms)
console.log('on accept rows:', codes)
