// LabSafety Bench, train split: scenarios, and unsafe decisions with their consequence.
import { createHash } from 'node:crypto'
import type { GraphBuilder } from '../graph.ts'
import { cut } from '../graph.ts'
import type { SourceDir, SourceModule } from '../source.ts'
import { stated } from '../source.ts'

const name = 'labsafety-bench-train'

const hazardKinds: Readonly<Record<string, string>> = {
  Most_Common_Hazards: 'Most common hazards',
  Improper_Operation_Issues: 'Improper operation issues',
  Most_Likely_Safety_Incidents: 'Most likely safety incidents',
  Negative_Lab_Environment_Impacts: 'Negative lab environment impacts',
}

export const labsafety: SourceModule = { name, parse }

/** Ten hex digits of SHA-1 of the text: a name, not a protection. */
const key = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 10)

function parse(dir: SourceDir, graph: GraphBuilder): void {
  for (const [id, label] of Object.entries(hazardKinds)) {
    graph.node({
      id: `lsb-cat:${id}`,
      category: 'failures',
      kind: 'hazard-category',
      name: label,
      source: name,
    })
  }
  const edge = stated(graph, name)
  const scenarioOf = new Map<number, string>()
  for (const rec of dir.lines('scenarios.jsonl')) {
    const text = rec.str('scenario')
    const id = `lsb-sc:${key(text)}`
    scenarioOf.set(rec.num('id'), id)
    const hazards = rec.rec('hazards')
    const issues = hazards.keys().flatMap((k) => hazards.strs(k))
    graph.node({
      id,
      category: 'failures',
      kind: 'lab-scenario',
      name: `Lab scenario: ${cut(text, 120)}`,
      text: `${text} ${issues.join(' ')}`,
      aliases: issues,
      source: name,
    })
    for (const k of hazards.keys()) {
      if (!hazardKinds[k]) rec.fail(`a known kind of hazards, found "${k}"`)
      if (hazards.strs(k).length > 0) edge(id, 'has-hazard', `lsb-cat:${k}`, rec.at)
    }
  }
  for (const rec of dir.lines('decisions.jsonl')) {
    const text = rec.str('decision')
    const id = `lsb-de:${key(text)}`
    graph.node({
      id,
      category: 'failures',
      kind: 'unsafe-decision',
      name: `Unsafe decision: ${text}`,
      text: rec.str('consequence'),
      source: name,
    })
    const scenario = scenarioOf.get(rec.num('scenario'))
    if (scenario) edge(id, 'unsafe-in', scenario, rec.at)
  }
}
