// `npm run bench [-- NAME …] [--json]`: every benchmark, or the named ones. Figures are medians of one run
// on one machine; what can be compared across machines are the ratios to a peer of the same run.
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import type { BenchCase } from './case.ts'

const suites = [
  'contain',
  'screen',
  'half',
  'injection',
  'panel',
  'execution',
  'hub',
  'stop',
  'neighbours',
] as const
type Suite = (typeof suites)[number]

const load: Record<Suite, () => Promise<{ cases: () => Promise<BenchCase[]> }>> = {
  contain: () => import('./contain.ts'),
  screen: () => import('./screen.ts'),
  half: () => import('./half.ts'),
  injection: () => import('./injection.ts'),
  panel: () => import('./panel.ts'),
  execution: () => import('./execution.ts'),
  hub: () => import('./hub.ts'),
  stop: () => import('./stop.ts'),
  neighbours: () => import('./neighbours.ts'),
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    })
  } catch (cause) {
    const [what] = (cause instanceof Error ? cause.message : String(cause)).split('. ')
    process.stderr.write(`${what}; the option is --json\n`)
    process.exit(2)
  }
}
const { values, positionals } = readArguments()
const isSuite = (name: string): name is Suite => (suites as readonly string[]).includes(name)
const wanted = positionals.length === 0 ? [...suites] : positionals
const unknown = wanted.filter((name) => !isSuite(name))
if (unknown.length > 0) {
  process.stderr.write(`bench knows ${suites.join(', ')}; not ${unknown.join(', ')}\n`)
  process.exit(2)
}

const cases: BenchCase[] = []
let failed = 0
for (const name of wanted.filter(isSuite)) {
  process.stderr.write(`measuring ${name} …\n`)
  try {
    cases.push(...(await (await load[name]()).cases()))
  } catch (cause) {
    failed += 1
    process.stderr.write(
      `${name}: ${cause instanceof Error ? (cause.stack ?? '') : String(cause)}\n`,
    )
  }
}

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory_gib: Math.round(totalmem() / 2 ** 30),
  node: process.version,
}
if (values.json) process.stdout.write(`${JSON.stringify({ machine, cases })}\n`)
else {
  process.stdout.write(
    `${machine.cpu}, ${machine.cores} cores, ${machine.memory_gib} GiB, Node ${machine.node}\n`,
  )
  for (const one of cases) {
    const versus = one.versus
      .map((v) => `${v.ratio}× ${v.peer} (${v.median} ${one.unit})`)
      .join(', ')
    process.stdout.write(
      `${one.name}: median ${one.median} ${one.unit}, p95 ${one.p95} ${one.unit}${versus === '' ? '' : `; ${versus}`}\n`,
    )
  }
}
// Drivers keep their connections, and with them this process.
process.exit(failed === 0 ? 0 : 1)
