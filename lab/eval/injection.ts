// `eval injection FILE`: the injection screen over labelled texts, as a table or as JSON.
// Rows: { id, text, label: injection|benign, source?, category? }, one JSON object a line.
import { readFileSync } from 'node:fs'
import {
  defaultInjectionLibrary,
  defaultThresholds,
  screenTexts,
  type InjectionLibrary,
} from '../../verify/screen/injection/index.ts'
import { confusion, rocArea, wilson, type Confusion, type Interval } from './rates.ts'

export interface InjectionRow {
  readonly id: string
  readonly text: string
  readonly label: 'injection' | 'benign'
  readonly source: string
  readonly category: string
}

export interface ScoredRow extends InjectionRow {
  readonly sigma: number
  readonly ms: number
  readonly limit: string | null
}

/** Categories whose injections carry no textual cue; `dev_core` leaves them out. */
const uncued = new Set(['indirect-plain', 'tool-output-plain'])

/** The text of a mistake in the input, for people: names the line. */
export class InputError extends Error {}

/** Parses JSON lines. Rows with other labels are skipped and counted; a bad line throws. */
export function parseRows(text: string): { rows: InjectionRow[]; otherLabels: number } {
  const rows: InjectionRow[] = []
  let otherLabels = 0
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const bad = (why: string): never => {
      throw new InputError(`line ${index + 1}: ${why}`)
    }
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      bad('not JSON')
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) bad('not an object')
    const row = value as Readonly<Record<string, unknown>>
    const { id, text: body, label, source, category } = row
    if (typeof body !== 'string') bad('"text" is not a string')
    if (typeof label !== 'string') bad('"label" is not a string')
    if (label !== 'injection' && label !== 'benign') {
      otherLabels += 1
      continue
    }
    rows.push({
      id: typeof id === 'string' || typeof id === 'number' ? String(id) : `line-${index + 1}`,
      text: body as string,
      label,
      source: typeof source === 'string' ? source : 'unknown',
      category: typeof category === 'string' ? category : 'unknown',
    })
  }
  return { rows, otherLabels }
}

/** Scores every row by itself, as a plan of one text, and times it. */
export function scoreRows(rows: readonly InjectionRow[], library: InjectionLibrary): ScoredRow[] {
  const opts = { library, thresholds: defaultThresholds }
  // A short warm-up, so that the first rows do not carry the engine's compilation.
  for (const row of rows.slice(0, 50)) screenTexts([{ at: '', text: row.text }], opts)
  return rows.map((row) => {
    const start = performance.now()
    const { sigma, limit, level } = screenTexts([{ at: '', text: row.text }], opts)
    const ms = performance.now() - start
    // A passed bound answers warning whatever the score is, and must count as flagged.
    return { ...row, sigma: limit !== null && level === 'warning' ? 1 : sigma, ms, limit }
  })
}

interface Rates extends Confusion {
  readonly tau: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly fpr: number
  readonly precision_ci95: Interval
  readonly recall_ci95: Interval
  readonly fpr_ci95: Interval
}

const share = (a: number, b: number): number => (b === 0 ? 0 : a / b)

function ratesAt(rows: readonly ScoredRow[], tau: number): Rates {
  const c = confusion(
    rows,
    (row) => row.label === 'injection',
    (row) => row.sigma >= tau,
  )
  const precision = share(c.tp, c.tp + c.fp)
  const recall = share(c.tp, c.tp + c.fn)
  return {
    tau,
    ...c,
    precision,
    recall,
    f1: share(2 * precision * recall, precision + recall),
    fpr: share(c.fp, c.fp + c.tn),
    precision_ci95: wilson(c.tp, c.tp + c.fp),
    recall_ci95: wilson(c.tp, c.tp + c.fn),
    fpr_ci95: wilson(c.fp, c.fp + c.tn),
  }
}

interface GroupRates {
  readonly injections: number
  readonly benign: number
  readonly recall: number | null
  readonly fpr: number | null
  readonly advisory_recall: number | null
  readonly advisory_fpr: number | null
}

function groupRates(rows: readonly ScoredRow[]): GroupRates {
  const injections = rows.filter((row) => row.label === 'injection')
  const benign = rows.filter((row) => row.label === 'benign')
  const flagged = (of: readonly ScoredRow[], tau: number): number | null =>
    of.length === 0 ? null : of.filter((row) => row.sigma >= tau).length / of.length
  const { warning, advisory } = defaultThresholds
  return {
    injections: injections.length,
    benign: benign.length,
    recall: flagged(injections, warning),
    fpr: flagged(benign, warning),
    advisory_recall: flagged(injections, advisory),
    advisory_fpr: flagged(benign, advisory),
  }
}

function groupBy(
  rows: readonly ScoredRow[],
  keyOf: (row: ScoredRow) => string,
): Record<string, GroupRates> {
  const groups = Map.groupBy(rows, keyOf)
  const sorted = [...groups].toSorted((a, b) => (a[0] < b[0] ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, of]) => [key, groupRates(of)]))
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

const sweepTaus = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9]

/** The whole report as one JSON-able value. */
export function injectionReport(rows: readonly ScoredRow[], otherLabels: number) {
  const core = rows.filter((row) => !uncued.has(row.category.split(':')[0] ?? ''))
  const times = rows.map((row) => row.ms).toSorted((a, b) => a - b)
  const { warning, advisory } = defaultThresholds
  const isInjection = (row: ScoredRow): boolean => row.label === 'injection'
  return {
    n: rows.length,
    other_labels: otherLabels,
    warning: ratesAt(rows, warning),
    advisory: ratesAt(rows, advisory),
    auc: rocArea(rows, isInjection, (row) => row.sigma),
    ms_median: quantile(times, 0.5),
    ms_p95: quantile(times, 0.95),
    dev_core: {
      n: core.length,
      warning: ratesAt(core, warning),
      advisory: ratesAt(core, advisory),
      auc: rocArea(core, isInjection, (row) => row.sigma),
    },
    sweep: sweepTaus.map((tau) => ratesAt(core, tau)),
    // A source is a repository; its files are a finer grain than the figures bear.
    by_source: groupBy(rows, (row) => row.source.split(' ')[0] ?? row.source),
    by_category: groupBy(rows, (row) => row.category.split(':')[0] ?? row.category),
    rows: rows.map(({ id, label, sigma }) => ({ id, label, sigma })),
  }
}

type Report = ReturnType<typeof injectionReport>

const percent = (x: number | null): string =>
  x === null ? '     –' : `${(100 * x).toFixed(1)} %`.padStart(7)

const line = (name: string, r: Rates): string =>
  `${name.padEnd(22)} tau ${r.tau.toFixed(2)}  P${percent(r.precision)}  R${percent(r.recall)} ` +
  `[${percent(r.recall_ci95[0]).trim()}, ${percent(r.recall_ci95[1]).trim()}]  F1${percent(r.f1)}  ` +
  `FPR${percent(r.fpr)} [${percent(r.fpr_ci95[0]).trim()}, ${percent(r.fpr_ci95[1]).trim()}]`
const groupLine = ([name, g]: [string, GroupRates]): string =>
  `  ${name.slice(0, 40).padEnd(42)} ${String(g.injections).padStart(5)} ${percent(g.recall)}  ` +
  `${String(g.benign).padStart(5)} ${percent(g.fpr)}`

function table(report: Report): string {
  const head = `  ${''.padEnd(42)} ${'inj.'.padStart(5)}  recall  ${'ben.'.padStart(5)}     FPR`
  return [
    `${report.n} texts, AUC ${report.auc.toFixed(3)}, ms median ${report.ms_median.toFixed(3)}, p95 ${report.ms_p95.toFixed(3)}`,
    line('all, warning', report.warning),
    line('all, advisory', report.advisory),
    line('cued only, warning', report.dev_core.warning),
    line('cued only, advisory', report.dev_core.advisory),
    'sweep (cued only)',
    ...report.sweep.map((r) => line('', r)),
    'by source, at the warning threshold',
    head,
    ...Object.entries(report.by_source).map(groupLine),
    'by category',
    head,
    ...Object.entries(report.by_category).map(groupLine),
    '',
  ].join('\n')
}

/** Runs the evaluation and prints it. Answers the exit code: 2 for an unreadable or bad file. */
export async function runInjectionEval(
  file: string,
  options: { readonly json: boolean },
): Promise<number> {
  try {
    const { rows, otherLabels } = parseRows(readFileSync(file, 'utf8'))
    if (rows.length === 0) throw new InputError('no row is labelled injection or benign')
    const report = injectionReport(scoreRows(rows, defaultInjectionLibrary()), otherLabels)
    process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : table(report))
    return await Promise.resolve(0)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`eval injection: ${file}: ${message}\n`)
    return 2
  }
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  const file = args.find((x) => !x.startsWith('--'))
  if (file === undefined) {
    process.stderr.write('usage: injection.ts FILE [--json]\n')
    process.exitCode = 2
  } else process.exitCode = await runInjectionEval(file, { json: args.includes('--json') })
}
