// `npm run eval -- rename FILE`: judges plans under the names of the lab and under meaningless ones, and
// prints where verdicts or findings differ. Findings are compared by code and place.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadSite, provenFile } from '../local/demo-site.ts'
import { registrySchema } from '../../protocol/registry.ts'
import type { JudgesChoice } from './judges-option.ts'
import { evaluatePlans } from './plans.ts'
import { Renaming } from './rename.ts'
import { readCases } from './rows.ts'

export type Difference = {
  readonly id: string
  readonly label: string
  readonly verdict: readonly [string, string]
  /** Codes with places that only one of the two has. */
  readonly lost: string[]
  readonly gained: string[]
}

export type RenameDocument = {
  readonly n: number
  readonly same: number
  readonly verdicts_differ: number
  readonly differences: Difference[]
}

const without = (list: readonly string[], other: readonly string[]): string[] =>
  list.filter((item) => !other.includes(item))

/** Judges every row twice. Throws when the renamed site is no valid site. */
export async function compareRenamed(
  file: string,
  options: {
    readonly site: string | null
    readonly parallel: number
    readonly judges: JudgesChoice
  },
): Promise<RenameDocument> {
  const { registry, proven } = await loadSite(options.site ?? undefined)
  const fallback = Object.keys(registry.planners)[0] ?? 'planner'
  const cases = await readCases(file, fallback)
  const renaming = new Renaming(registry)
  const dir = await mkdtemp(path.join(tmpdir(), 'portcullis-rename-'))
  const run = {
    keepMemory: false,
    parallel: options.parallel,
    judges: options.judges,
    askAll: false,
    ensembles: null,
    keep: { calls: null, packet: null },
  }
  try {
    const site = path.join(dir, 'site.json')
    const other = registrySchema.parse(renaming.registry())
    await writeFile(site, JSON.stringify(other))
    // The same lab under other names: what has run there has run.
    const says = 'as before the renaming'
    const rows = await renaming.proven(proven, other)
    await writeFile(provenFile(site), JSON.stringify({ says, rows }))
    const lines = cases.map(({ id, label, category, plan, state }) => {
      const renamed = renaming.row({ plan, state })
      return JSON.stringify({ id, label, category, ...renamed.plan, state: renamed.state ?? {} })
    })
    const renamedFile = path.join(dir, 'rows.jsonl')
    await writeFile(renamedFile, `${lines.join('\n')}\n`)
    const before = await evaluatePlans(file, { ...run, site: options.site })
    const after = await evaluatePlans(renamedFile, { ...run, site })
    const byId = new Map(after.rows.map((row) => [row.id, row]))
    const differences = before.rows.flatMap((row): Difference[] => {
      const again = byId.get(row.id)
      if (again === undefined) throw new Error(`${row.id} was judged once`)
      const there = again.places.map((found) => {
        const [code, at] = found.split(' ')
        return `${code} ${renaming.pointerBack(at ?? '')}`
      })
      const lost = without(row.places, there)
      const gained = without(there, row.places)
      if (row.verdict === again.verdict && lost.length + gained.length === 0) return []
      const { id, label } = row
      return [{ id, label, verdict: [row.verdict, again.verdict], lost, gained }]
    })
    return {
      n: cases.length,
      same: cases.length - differences.length,
      verdicts_differ: differences.filter(({ verdict: [a, b] }) => a !== b).length,
      differences,
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Prints the document for people. */
export function printRenamed(document: RenameDocument): void {
  const { n, same, verdicts_differ, differences } = document
  process.stdout.write(`${same} of ${n} the same; verdicts of ${verdicts_differ} differ\n`)
  for (const { id, label, verdict, lost, gained } of differences) {
    process.stdout.write(`${id} (${label}): ${verdict[0]} → ${verdict[1]}\n`)
    for (const found of lost) process.stdout.write(`  - ${found}\n`)
    for (const found of gained) process.stdout.write(`  + ${found}\n`)
  }
}
