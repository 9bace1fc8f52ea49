// The simulated lab cell as a process: `node lab/sim-cell/main.ts --stdio --journal FILE`.
import { parseArgs } from 'node:util'
import { Cell } from './cell.ts'
import { parseFault, type Fault } from './faults.ts'
import { Journal } from './journal.ts'
import { serveOnHttp, serveOnStdio, type Face } from './serve.ts'
import { freshWorld } from './world.ts'

const usage = `usage: node lab/sim-cell/main.ts (--stdio | --http PORT) [options]
  --journal FILE      append what moves to FILE, one JSON line each, synced
  --time-scale N      simulated seconds per real second (default 1)
  --act-ms-max N      no act takes longer than N real milliseconds
  --fault KIND:TOOL   hang, crash, deaf, slow:TOOL@FACTOR, redefine:TOOL@AFTER,
                      redefine-silent:TOOL@AFTER; may be repeated`

function fail(message: string): never {
  process.stderr.write(`sim-cell: ${message}\n${usage}\n`)
  process.exit(2)
}

function positive(text: string, name: string): number {
  const value = Number(text)
  return Number.isFinite(value) && value > 0 ? value : fail(`${name} ${text}: not above 0`)
}

function options() {
  try {
    return parseArgs({
      options: {
        stdio: { type: 'boolean', default: false },
        http: { type: 'string' },
        journal: { type: 'string' },
        'time-scale': { type: 'string', default: '1' },
        'act-ms-max': { type: 'string' },
        fault: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

const given = options()
if (given.help) {
  process.stderr.write(`${usage}\n`)
  process.exit(0)
}
if (given.stdio === (given.http !== undefined)) fail('give either --stdio or --http PORT')

const faults: Fault[] = given.fault.map((text) => {
  const parsed = parseFault(text)
  return parsed.ok ? parsed.value : fail(parsed.error)
})
let face: Face | null = null
const actMsMax = given['act-ms-max']
const cell = new Cell({
  world: freshWorld(),
  journal: new Journal(given.journal ?? null, () => Date.now()),
  timeScale: positive(given['time-scale'], '--time-scale'),
  actMsMax: actMsMax === undefined ? null : positive(actMsMax, '--act-ms-max'),
  faults,
  onRedefined: () => face?.announce(),
  monotonicMs: () => performance.now(),
  crash: () => process.kill(process.pid, 'SIGKILL'),
})

async function shutDown(cause: string): Promise<never> {
  await cell.stopAll(cause)
  await face?.close()
  process.exit(0)
}
process.once('SIGTERM', () => void shutDown('cell switched off'))
process.on('SIGINT', () => {
  // Ctrl-C in a terminal reaches the whole group; on stdio the caller decides, by closing the pipe.
  if (given.http !== undefined) void shutDown('cell switched off')
})

if (given.http === undefined) {
  face = serveOnStdio(cell)
  // A caller that goes away takes its hand off the dead man's switch: motion stops.
  process.stdin.once('close', () => void shutDown('caller gone'))
} else {
  const served = await serveOnHttp(cell, Number(given.http))
  face = served
  process.stdout.write(`${JSON.stringify({ url: served.url })}\n`)
}
