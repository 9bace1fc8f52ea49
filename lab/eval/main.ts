// `npm run -s eval -- plans|drift|report|injection|retrieval|rename|faults|opentrons|memory FILE [--json]`:
// labelled cases to tables.
// With --json one document goes to stdout and everything else to stderr.
import { createWriteStream, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Ensemble } from './plans.ts'
import { printDrift, printPlanTables } from './print.ts'

const usage = `usage:
  eval plans FILE [--site FILE] [--judges offline|live|sim|binding|replay:CALLS|opinions:FILE]
             [--depth 1|3|5|7] [--ensembles 1,3,5,7] [--model SEAT=MODEL]... [--prompt VERSION]
             [--record CALLS] [--packets PACKETS] [--ask-all] [--keep-memory] [--parallel N] [--json]
  eval drift PACKETS [--site FILE] [--judges offline|live|sim|replay:CALLS] [--depth 1|3|5|7]
             [--model SEAT=MODEL]... [--prompt VERSION] [--parallel N] [--json]
  eval report PACKETS [--out DIR] [--json]
  eval injection FILE [--json]
  eval retrieval FILE [--graph DIR] [--sources DIR] [--json]
  eval rename FILE [--site FILE] [--judges offline|live|sim] [--parallel N] [--json]
  eval faults [FILE...] [--site FILE] [--seed N] [--each N] [--json]
  eval opentrons FOLDER [--seed N] [--each N] [--json]
  eval memory [--json]`

class UsageError extends Error {}

const read = (argv: string[]) =>
  parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      site: { type: 'string' },
      judges: { type: 'string', default: 'offline' },
      depth: { type: 'string' },
      ensembles: { type: 'string' },
      model: { type: 'string', multiple: true, default: [] },
      prompt: { type: 'string' },
      record: { type: 'string' },
      packets: { type: 'string' },
      out: { type: 'string' },
      'keep-memory': { type: 'boolean', default: false },
      'ask-all': { type: 'boolean', default: false },
      parallel: { type: 'string', default: '4' },
      graph: { type: 'string' },
      sources: { type: 'string' },
      seed: { type: 'string', default: '1' },
      each: { type: 'string', default: '6' },
    },
  })
type Values = ReturnType<typeof read>['values']

/** Runs `work` with the chosen judges and says afterwards what there is to say about them. */
async function withJudges<T>(
  values: Values,
  work: (judges: Awaited<ReturnType<typeof import('./judges-option.ts').judgesFrom>>) => Promise<T>,
): Promise<T> {
  const { judgesFrom } = await import('./judges-option.ts')
  const { judges: panel, depth = null, model, prompt = null } = values
  const judges = await judgesFrom({ judges: panel, depth, models: model, prompt }, process.env)
  try {
    return await work(judges)
  } finally {
    const note = await judges.close()
    if (note !== null) process.stderr.write(`${note}\n`)
  }
}

/** A JSONL file that is made anew; null when nobody asked for it. */
function lines(file: string | undefined) {
  if (file === undefined) return null
  const out = createWriteStream(file)
  return {
    write: (value: unknown): void => void out.write(`${JSON.stringify(value)}\n`),
    end: () =>
      new Promise<void>((resolve) => {
        out.end(resolve)
      }),
  }
}

async function plans(file: string, values: Values): Promise<void> {
  const { evaluatePlans } = await import('./plans.ts')
  const ensembles = sizes(values.ensembles)
  const parallel = positive(values.parallel)
  const calls = lines(values.record)
  const packets = lines(values.packets)
  const judged = withJudges(values, (judges) =>
    evaluatePlans(file, {
      site: values.site ?? null,
      keepMemory: values['keep-memory'],
      askAll: values['ask-all'],
      parallel,
      judges,
      ensembles,
      keep: {
        calls: calls === null ? null : (made) => made.forEach((call) => calls.write(call)),
        packet: packets === null ? null : packets.write,
      },
    }),
  )
  // What was recorded before a failure is kept.
  await Promise.allSettled([judged])
  await calls?.end()
  await packets?.end()
  const document = await judged
  if (values.json) process.stdout.write(`${JSON.stringify(document)}\n`)
  else printPlanTables(document)
}

async function drift(file: string, values: Values): Promise<void> {
  const { evaluateDrift } = await import('./drift.ts')
  const parallel = positive(values.parallel)
  const document = await withJudges(values, (judges) =>
    evaluateDrift(file, { site: values.site ?? null, parallel, judges }),
  )
  if (values.json) process.stdout.write(`${JSON.stringify(document)}\n`)
  else printDrift(document)
}

/** Tables and pictures from stored packets; with `--out` as files, else the Markdown alone. */
async function report(file: string, values: Values): Promise<void> {
  const [{ readPackets }, { reportOf }, { reportMarkdown, reportPictures }] = await Promise.all([
    import('./packets.ts'),
    import('./report.ts'),
    import('./report-page.ts'),
  ])
  const document = reportOf(await readPackets(file))
  if (document.n === 0) throw new Error(`${file}: no packet has a three-way label`)
  const page = reportMarkdown(document)
  if (values.out !== undefined) {
    const files = {
      'report.md': page,
      'report.json': `${JSON.stringify(document, null, 2)}\n`,
      ...reportPictures(document),
    }
    mkdirSync(values.out, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(values.out, name), text)
  }
  if (values.json) process.stdout.write(`${JSON.stringify(document)}\n`)
  else if (values.out === undefined) process.stdout.write(page)
}

async function rename(file: string, values: Values): Promise<void> {
  const { compareRenamed, printRenamed } = await import('./rename-run.ts')
  const parallel = positive(values.parallel)
  const document = await withJudges(values, (judges) =>
    compareRenamed(file, { site: values.site ?? null, parallel, judges }),
  )
  if (values.json) process.stdout.write(`${JSON.stringify(document)}\n`)
  else printRenamed(document)
}

/** Physical faults seeded into accepted plans; without files into the development plans and our own. */
async function faults(files: readonly string[], values: Values): Promise<void> {
  const [{ seedFaults }, { printFaults }, { loadSite }, { readCases }] = await Promise.all([
    import('./faults/run.ts'),
    import('./faults/print.ts'),
    import('../local/demo-site.ts'),
    import('./rows.ts'),
  ])
  const data = join(import.meta.dirname, 'data')
  const own = [join(data, 'dev-40.v2.jsonl'), join(data, 'own-plans.v2.jsonl')]
  const site = await loadSite(values.site)
  const planner = Object.keys(site.registry.planners)[0] ?? 'planner'
  const wanted = (files.length === 0 ? own : files).map((file) => need(file, 'faults'))
  const cases = await Promise.all(wanted.map((file) => readCases(file, planner)))
  const given = { seed: whole('--seed', values.seed), each: whole('--each', values.each) }
  const document = await seedFaults(site, cases.flat(), given)
  if (values.json) process.stdout.write(`${JSON.stringify(document)}\n`)
  else printFaults(document)
}

async function main(argv: string[]): Promise<number> {
  const { values, positionals } = read(argv)
  const [kind, file] = positionals
  const { json } = values
  switch (kind) {
    case 'plans':
      await plans(need(file, kind), values)
      return 0
    case 'drift':
      await drift(need(file, kind), values)
      return 0
    case 'report':
      await report(need(file, kind), values)
      return 0
    case 'injection': {
      const { runInjectionEval } = await import('./injection.ts')
      return runInjectionEval(need(file, kind), { json })
    }
    case 'retrieval': {
      const { runRetrievalEval } = await import('./retrieval.ts')
      await runRetrievalEval(need(file, kind), {
        json,
        ...(values.graph === undefined ? {} : { graphDir: values.graph }),
        ...(values.sources === undefined ? {} : { sourcesDir: values.sources }),
      })
      return 0
    }
    case 'rename':
      await rename(need(file, kind), values)
      return 0
    case 'faults':
      await faults(positionals.slice(1), values)
      return 0
    case 'opentrons': {
      if (file === undefined) throw new UsageError(`eval opentrons needs a FOLDER\n${usage}`)
      const { runOpentrons, printOpentrons } = await import('./opentrons/run.ts')
      const given = { seed: whole('--seed', values.seed), each: whole('--each', values.each) }
      const document = await runOpentrons(file, given)
      if (json) process.stdout.write(`${JSON.stringify(document)}\n`)
      else printOpentrons(document)
      return 0
    }
    case 'memory': {
      const { runMemoryEval } = await import('./memory.ts')
      return runMemoryEval({ json })
    }
    case undefined:
    default:
      throw new UsageError(usage)
  }
}

function need(file: string | undefined, kind: string): string {
  if (file === undefined) throw new UsageError(`eval ${kind} needs a FILE\n${usage}`)
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`eval ${kind}: there is no file ${file}`)
  if (found.isDirectory()) throw new UsageError(`eval ${kind}: ${file} is a folder`)
  return file
}

function positive(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 16) {
    throw new UsageError(`--parallel takes 1 to 16, got ${text}`)
  }
  return value
}

function whole(option: string, given: string): number {
  const value = Number(given)
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000) {
    throw new UsageError(`${option} takes a whole number from 1, got ${given}`)
  }
  return value
}

function sizes(text: string | undefined): Ensemble[] | null {
  if (text === undefined) return null
  return text.split(',').map((part) => {
    const size = ([1, 3, 5, 7] as const).find((known) => String(known) === part)
    if (size === undefined) throw new UsageError(`--ensembles takes sizes of 1,3,5,7, got ${text}`)
    return size
  })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = cause instanceof UsageError ? 2 : 1
}
