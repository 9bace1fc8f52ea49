// The offline panel over a JSONL file of labelled plans: matrix, flips, containment, recall, load.
// The floor is taken as passed and the judges' verdicts are joined by the worst: the panel alone.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { planSchema, type Plan } from '../protocol/plan.ts'
import { registrySchema } from '../protocol/registry.ts'
import { worse, type Verdict } from '../protocol/verdict.ts'
import { judgeOffline } from '../verify/panel/offline/index.ts'
import { wilson } from './statistics.ts'

type Row = Record<string, unknown> & {
  id: string
  label: string
  category?: string
  fold?: string
  source?: string
}
type Judged = { row: Row; verdict: Verdict; codes: string[] }

const verdicts = ['accept', 'escalate', 'reject'] as const
const root = path.join(import.meta.dirname, '..')
const registry = registrySchema.parse(
  JSON.parse(await readFile(path.join(root, 'site/lc7/registry.json'), 'utf8')),
)
const floor = {
  level: 'pass' as const,
  findings: [],
  sigma: 0,
  tau_advisory: 1,
  tau_warning: 1,
  snapshot_digest: '',
}

function planOf(row: Row): Plan {
  const steps = row['instructions'] ?? row['plan']
  const first = Array.isArray(steps) ? String(steps[0]) : ''
  return planSchema.parse({
    goal: (typeof row['goal'] === 'string' && row['goal'] !== '' ? row['goal'] : first).slice(
      0,
      2_000,
    ),
    instructions: (Array.isArray(steps) ? steps : [])
      .slice(0, 100)
      .map((s) => String(s).slice(0, 4_000) || '-'),
    planner: row['planner'] ?? { id: 'planner-wetlab-01' },
    nodes: row['nodes'] ?? [],
  })
}

function judge(row: Row): Judged {
  const opinions = judgeOffline(planOf(row), { registry, floor, grounding: null })
  const verdict = opinions.map((o) => o.verdict).reduce<Verdict>(worse, 'accept')
  const codes = opinions.flatMap((o) =>
    o.findings.map(
      (f) => `${f.severity}${f.substantiated ? '' : '?'} ${f.code} ${f.at} ${f.claim}`,
    ),
  )
  return { row, verdict, codes }
}

const share = (hits: number, n: number): string => {
  const [low, high] = wilson(hits, n)
  return `${hits}/${n} = ${n === 0 ? '-' : (hits / n).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
}

function threeWay(judged: readonly Judged[]): void {
  const count = (label: string, verdict: string) =>
    judged.filter((j) => j.row.label === label && j.verdict === verdict).length
  const right = judged.filter((j) => j.verdict === j.row.label).length
  console.log(`n ${judged.length}  accuracy ${share(right, judged.length)}`)
  console.log('label      accept escalate reject')
  for (const label of verdicts) {
    console.log(label.padEnd(10), ...verdicts.map((v) => String(count(label, v)).padStart(7)))
  }
  const bad = judged.filter((j) => j.row.label !== 'accept')
  const good = judged.filter((j) => j.row.label === 'accept')
  const rejects = judged.filter((j) => j.row.label === 'reject')
  console.log(
    `flips reject→accept ${share(rejects.filter((j) => j.verdict === 'accept').length, rejects.length)}`,
  )
  console.log(
    `flips accept→reject ${share(good.filter((j) => j.verdict === 'reject').length, good.length)}`,
  )
  console.log(`containment ${share(bad.filter((j) => j.verdict !== 'accept').length, bad.length)}`)
  console.log(
    `accept recall ${share(good.filter((j) => j.verdict === 'accept').length, good.length)}`,
  )
  console.log(
    `review load ${share(judged.filter((j) => j.verdict === 'escalate').length, judged.length)}`,
  )
}

/** Accuracy inside each category: what is left out in turn, since rules are fixed and not fitted. */
function byCategory(judged: readonly Judged[]): void {
  const categories = [...new Set(judged.map((j) => j.row.category ?? 'none'))].sort()
  for (const category of categories) {
    const own = judged.filter((j) => j.row.category === category)
    const rest = judged.filter((j) => j.row.category !== category)
    const right = (list: readonly Judged[]) => list.filter((j) => j.verdict === j.row.label).length
    console.log(
      `  ${category.padEnd(38)} ${right(own)}/${own.length}   without it ${(right(rest) / Math.max(1, rest.length)).toFixed(3)}`,
    )
  }
}

function twoWay(judged: readonly Judged[]): void {
  for (const source of new Set(judged.map((j) => j.row.source ?? '-'))) {
    const own = judged.filter((j) => (j.row.source ?? '-') === source)
    const unsafe = own.filter((j) => j.row.label === 'unsafe')
    const safe = own.filter((j) => j.row.label === 'safe')
    console.log(source)
    console.log(
      `  unsafe contained ${share(unsafe.filter((j) => j.verdict !== 'accept').length, unsafe.length)}`,
    )
    console.log(
      `  safe rejected    ${share(safe.filter((j) => j.verdict === 'reject').length, safe.length)}`,
    )
    console.log(
      `  safe escalated   ${share(safe.filter((j) => j.verdict === 'escalate').length, safe.length)}`,
    )
  }
}

const [file, fold, show] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: offline-table.ts FILE [FOLD|all] [errors|rows]')
const text = await readFile(file, 'utf8')
const rows = text
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as Row)
const chosen = rows.filter((row) => fold === undefined || fold === 'all' || row.fold === fold)
const judged = chosen.map(judge)
if (rows.some((row) => row.label === 'safe' || row.label === 'unsafe')) twoWay(judged)
else {
  threeWay(judged)
  byCategory(judged)
}
if (show !== undefined) {
  for (const j of judged) {
    if (show === 'errors' && j.verdict === j.row.label) continue
    console.log(
      `\n${j.row.id} ${j.row.category} label ${j.row.label} got ${j.verdict} — ${String(j.row['goal'])}`,
    )
    for (const code of j.codes.filter((c) => !c.startsWith('low'))) console.log(`   ${code}`)
  }
}
