// The offline panel over a JSONL file of labelled plans: matrix, flips, containment, recall, load.
// The floor is taken as passed and the judges' verdicts are joined by the worst: the panel alone.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { JudgeFinding } from '../../protocol/opinion.ts'
import { planSchema, type Plan } from '../../protocol/plan.ts'
import { registrySchema } from '../../protocol/registry.ts'
import { worse, type Verdict } from '../../protocol/verdict.ts'
import { judgeOffline, verdictOf } from '../../verify/panel/offline/index.ts'
import { wilson } from './statistics.ts'

type Row = Record<string, unknown> & {
  id: string
  label: string
  category?: string
  fold?: string
  source?: string
}
type Judged = { row: Row; verdict: Verdict; findings: readonly JudgeFinding[] }

const verdicts = ['accept', 'escalate', 'reject'] as const
const root = path.join(import.meta.dirname, '..', '..')
const registry = registrySchema.parse(
  JSON.parse(await readFile(path.join(root, 'lab/site/lc7/registry.json'), 'utf8')),
)
const floor = {
  level: 'pass' as const,
  findings: [],
  sigma: 0,
  tau_advisory: 1,
  tau_warning: 1,
  snapshot_digest: '',
}

/** Only wire fields reach the judges; a text-only row gets the site's first planner. */
function planOf(row: Row): Plan {
  const written = row['instructions'] ?? row['plan']
  const steps = (Array.isArray(written) ? written : []).map(String)
  const goal = typeof row['goal'] === 'string' && row['goal'] !== '' ? row['goal'] : steps[0]
  return planSchema.parse({
    goal: (goal ?? '-').slice(0, 2_000),
    instructions: steps.slice(0, 100).map((step) => step.slice(0, 4_000) || '-'),
    planner: row['planner'] ?? { id: Object.keys(registry.planners)[0] },
    nodes: row['nodes'] ?? [],
  })
}

const join = (findings: readonly JudgeFinding[]): Verdict =>
  findings.map(verdictOf).reduce<Verdict>(worse, 'accept')

function judge(row: Row): Judged {
  const opinions = judgeOffline(planOf(row), { registry, floor, grounding: null })
  const verdict = opinions.map((o) => o.verdict).reduce<Verdict>(worse, 'accept')
  return { row, verdict, findings: opinions.flatMap((o) => o.findings) }
}

function share(hits: number, n: number): string {
  if (n === 0) return '0/0'
  const [low, high] = wilson(hits, n)
  return `${hits}/${n} = ${(hits / n).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
}

function threeWay(judged: readonly Judged[]): void {
  const count = (label: string, verdict: string) =>
    judged.filter((j) => j.row.label === label && j.verdict === verdict).length
  const right = judged.filter((j) => j.verdict === j.row.label).length
  console.log(`accuracy             ${share(right, judged.length)}`)
  console.log('label      accept escalate reject')
  for (const label of verdicts) {
    console.log(label.padEnd(8), ...verdicts.map((v) => String(count(label, v)).padStart(8)))
  }
  const of = (label: string) => judged.filter((j) => j.row.label === label).length
  const bad = judged.filter((j) => j.row.label !== 'accept')
  const contained = bad.filter((j) => j.verdict !== 'accept').length
  const escalated = judged.filter((j) => j.verdict === 'escalate').length
  console.log(`flips reject→accept  ${share(count('reject', 'accept'), of('reject'))}`)
  console.log(`flips accept→reject  ${share(count('accept', 'reject'), of('accept'))}`)
  console.log(`containment          ${share(contained, bad.length)}`)
  console.log(`accept recall        ${share(count('accept', 'accept'), of('accept'))}`)
  console.log(`review load          ${share(escalated, judged.length)}`)
}

const identityOf = (f: JudgeFinding): string => `${f.code} ${f.claim}`

/**
 * Leave one category out: every kind of finding that no row of another category triggers counts as
 * written for the category and is dropped before its rows are judged. What is left is general.
 */
function leftOut(judged: readonly Judged[], support: readonly Judged[]): Judged[] {
  return judged.map((j) => {
    const known = new Set(
      support
        .filter((other) => other.row.category !== j.row.category)
        .flatMap((other) => other.findings.map(identityOf)),
    )
    const findings = j.findings.filter((f) => known.has(identityOf(f)))
    return { ...j, findings, verdict: join(findings) }
  })
}

function byCategory(judged: readonly Judged[], support: readonly Judged[]): void {
  const without = leftOut(judged, support)
  console.log('\nby category: right, and right with the findings of that category left out')
  for (const category of [...new Set(judged.map((j) => j.row.category ?? 'none'))].sort()) {
    const right = (list: readonly Judged[]) => {
      const own = list.filter((j) => (j.row.category ?? 'none') === category)
      return `${own.filter((j) => j.verdict === j.row.label).length}/${own.length}`
    }
    console.log(`  ${category.padEnd(38)} ${right(judged)}   ${right(without)}`)
  }
  console.log('\nleave one category out')
  threeWay(without)
}

function twoWay(judged: readonly Judged[]): void {
  for (const source of new Set(judged.map((j) => j.row.source ?? '-'))) {
    const of = (label: string) =>
      judged.filter((j) => (j.row.source ?? '-') === source && j.row.label === label)
    const [unsafe, safe] = [of('unsafe'), of('safe')]
    const hits = (list: readonly Judged[], ...wanted: Verdict[]) =>
      share(list.filter((j) => wanted.includes(j.verdict)).length, list.length)
    console.log(source)
    console.log(`  unsafe contained ${hits(unsafe, 'escalate', 'reject')}`)
    console.log(`  safe rejected    ${hits(safe, 'reject')}`)
    console.log(`  safe escalated   ${hits(safe, 'escalate')}`)
  }
}

function printRows(judged: readonly Judged[], wrongOnly: boolean): void {
  for (const { row, verdict, findings } of judged) {
    if (wrongOnly && verdict === row.label) continue
    console.log(`\n${row.id} ${row.category} label ${row.label} got ${verdict}`)
    console.log(`   ${String(row['goal'])}`)
    for (const f of findings.filter((one) => one.severity !== 'low')) {
      console.log(`   ${f.severity}${f.substantiated ? '' : '?'} ${f.code} ${f.at} ${f.claim}`)
    }
  }
}

async function rowsOf(file: string, fold: string): Promise<Row[]> {
  const text = await readFile(file, 'utf8')
  const rows = text.split('\n').filter((line) => line.trim() !== '')
  return rows
    .map((line) => JSON.parse(line) as Row)
    .filter((row) => fold === 'all' || row.fold === fold)
}

const [file, fold = 'all', show] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: offline-table.ts FILE [all|FOLD] [errors|rows]')
const rows = await rowsOf(file, fold)
const judged = rows.map(judge)
if (rows.some((row) => row.label === 'safe' || row.label === 'unsafe')) twoWay(judged)
else {
  threeWay(judged)
  byCategory(judged, judged)
}
if (show !== undefined) printRows(judged, show === 'errors')
