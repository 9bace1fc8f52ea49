// `npm run -s eval -- plans|injection|retrieval|memory FILE [--json]`: labelled cases to tables.
// With --json one document goes to stdout and everything else to stderr.
import { parseArgs } from 'node:util'
import { printPlanTables } from './print.ts'

const usage = `usage:
  eval plans FILE [--site FILE] [--judges offline|live|sim|replay:FILE] [--record FILE]
             [--depth 1|3|5|7] [--keep-memory] [--parallel N] [--json]
  eval injection FILE [--json]
  eval retrieval FILE [--graph DIR] [--sources DIR] [--json]
  eval memory [--json]`

class UsageError extends Error {}

async function main(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      site: { type: 'string' },
      judges: { type: 'string', default: 'offline' },
      depth: { type: 'string' },
      record: { type: 'string' },
      'keep-memory': { type: 'boolean', default: false },
      parallel: { type: 'string', default: '4' },
      graph: { type: 'string' },
      sources: { type: 'string' },
    },
  })
  const [kind, file] = positionals
  const json = values.json
  switch (kind) {
    case 'plans': {
      const { evaluatePlans } = await import('./plans.ts')
      const { judgesFrom } = await import('./judges-option.ts')
      const { judges: panel, depth = null, record = null } = values
      const judges = await judgesFrom({ judges: panel, depth, record }, process.env)
      let note: string | null = null
      const document = await evaluatePlans(need(file, 'plans'), {
        site: values.site ?? null,
        json,
        keepMemory: values['keep-memory'],
        parallel: positive(values.parallel),
        policy: judges.policy,
        vars: judges.vars,
      }).finally(async () => {
        note = await judges.close()
      })
      if (note !== null) process.stderr.write(`${String(note)}\n`)
      if (json) process.stdout.write(`${JSON.stringify(document)}\n`)
      else printPlanTables(document)
      return 0
    }
    case 'injection': {
      const { runInjectionEval } = await import('./injection.ts')
      return runInjectionEval(need(file, 'injection'), { json })
    }
    case 'retrieval': {
      const { runRetrievalEval } = await import('./retrieval.ts')
      return runRetrievalEval(need(file, 'retrieval'), {
        json,
        ...(values.graph === undefined ? {} : { graphDir: values.graph }),
        ...(values.sources === undefined ? {} : { sourcesDir: values.sources }),
      })
    }
    case 'memory': {
      const { runMemoryEval } = await import('./memory.ts')
      return runMemoryEval({ json })
    }
    default:
      throw new UsageError(usage)
  }
}

function need(file: string | undefined, kind: string): string {
  if (file === undefined) throw new UsageError(`eval ${kind} needs a FILE\n${usage}`)
  return file
}

function positive(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 16) {
    throw new UsageError(`--parallel takes 1 to 16, got ${text}`)
  }
  return value
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = cause instanceof UsageError ? 2 : 1
}
