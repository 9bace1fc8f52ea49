// `eval opentrons FOLDER`: real protocols of the vendor with their starting lists confirmed, and faults seeded
// into those that run. By dry run and rules alone. The folder stays where it is: nothing of it is kept here.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { convert } from '../../../site-kit/opentrons/plan.ts'
import { readProtocol, type Loaded } from '../../../site-kit/opentrons/read.ts'
import { trialSite, tryPlan, type Trial } from '../../../verify/onboard/trial.ts'
import { whysOf } from '../../../verify/onboard/why.ts'
import { randomFrom } from '../faults/draft.ts'
import { kinds } from './kinds.ts'

const rowSchema = z.looseObject({ id: z.string(), expected: z.string() })

/** `stopped`: something is wrong, and it is named. `held`: something is not known, or a person is to be told. */
type Outcome = 'passed' | 'held' | 'stopped'
type Tried = { readonly outcome: Outcome; readonly by: readonly string[] }

type OpentronsDocument = {
  readonly seed: number
  readonly protocols: readonly ({ readonly id: string; readonly runs: boolean } & Tried)[]
  readonly kinds: readonly {
    readonly kind: string
    readonly seeded: number
    readonly stopped: number
    /** Protocols in which it was not stopped. */
    readonly missed: readonly string[]
  }[]
}

const at = Date.UTC(2026, 10, 30)

/** What stays on or held at the end is told to a person: the vendor leaves it so as well, and it stops nothing. */
const told = new Set(['DRYRUN_LEFT_ON', 'DRYRUN_LEFT_HELD'])

function outcomeOf(trials: readonly Trial[]): Tried {
  const whys = trials.flatMap(whysOf)
  const stops = whys.filter(
    ({ effect, code }) =>
      ['reject', 'not_well_formed', 'escalate'].includes(effect) && !told.has(code),
  )
  const by = [...new Set((stops.length > 0 ? stops : whys).map(({ code }) => code))]
  return { outcome: stops.length > 0 ? 'stopped' : whys.length > 0 ? 'held' : 'passed', by }
}

async function tried(loaded: Loaded, name: string): Promise<Tried> {
  const { site, plans } = convert(loaded, name)
  const file = await trialSite(site)
  const trials: Trial[] = []
  for (const plan of plans) trials.push(await tryPlan(file, plan, at))
  return outcomeOf(trials)
}

/**
 * Tries every protocol, then each kind of fault in at most `each` of those that run and are not stopped, neither
 * whole nor cut to the commands that faults go into.
 */
export async function runOpentrons(
  folder: string,
  { seed, each }: { readonly seed: number; readonly each: number },
): Promise<OpentronsDocument> {
  const lists = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  const rows = lists.flatMap((name) =>
    readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => rowSchema.parse(JSON.parse(line))),
  )
  const protocols: (OpentronsDocument['protocols'][number] & { loaded: Loaded })[] = []
  for (const { id, expected } of rows) {
    const file = path.join(folder, 'originals', `${id}.json`)
    const loaded = readProtocol(JSON.parse(readFileSync(file, 'utf8')), file)
    protocols.push({ id, runs: expected === 'runs', loaded, ...(await tried(loaded, id)) })
  }
  const bases: { readonly id: string; readonly short: Loaded }[] = []
  for (const { id, runs, outcome, loaded } of protocols) {
    if (!runs || outcome === 'stopped') continue
    // A fault behind the first plan of a long protocol would not be seen at all.
    const short = { ...loaded, commands: loaded.commands.slice(0, commandsMax) }
    // What is stopped without a fault, because its end is cut off, would count every fault as found.
    if ((await tried(short, id)).outcome !== 'stopped') bases.push({ id, short })
  }
  const random = randomFrom(seed)
  const found: OpentronsDocument['kinds'][number][] = []
  for (const [kind, change] of Object.entries(kinds)) {
    let [seeded, stopped] = [0, 0]
    const missed: string[] = []
    for (const { id, short } of bases) {
      const commands = seeded < each ? change(short, random) : null
      if (commands === null) continue
      seeded += 1
      if ((await tried({ ...short, commands }, id)).outcome === 'stopped') stopped += 1
      else missed.push(id)
    }
    found.push({ kind, seeded, stopped, missed })
  }
  return {
    seed,
    protocols: protocols.map(({ id, runs, outcome, by }) => ({ id, runs, outcome, by })),
    kinds: found,
  }
}

/** Leaves room in one plan for what a fault adds. */
const commandsMax = 200

export function printOpentrons({ seed, protocols, kinds: rows }: OpentronsDocument): void {
  const out = (line: string): void => void process.stdout.write(`${line}\n`)
  for (const runs of [true, false]) {
    const those = protocols.filter((one) => one.runs === runs)
    const count = (outcome: Outcome) => those.filter((one) => one.outcome === outcome).length
    out(
      `${those.length} that ${runs ? 'run at' : 'are refused by'} the vendor: ${count('passed')} passed, ` +
        `${count('held')} held, ${count('stopped')} stopped`,
    )
    for (const { id, outcome, by } of those)
      if (outcome !== 'passed') out(`  ${id} ${outcome}: ${by.join(' ')}`)
  }
  out(`\nfaults, seed ${seed}: kind | seeded | stopped | not stopped in`)
  for (const { kind, seeded, stopped, missed } of rows)
    out(`${kind} | ${seeded} | ${stopped} | ${missed.join(' ')}`)
  const sum = (of: 'seeded' | 'stopped') => rows.reduce((n, row) => n + row[of], 0)
  const share = sum('seeded') === 0 ? 0 : (100 * sum('stopped')) / sum('seeded')
  out(
    `${rows.filter(({ seeded }) => seeded > 0).length} kinds, ${sum('stopped')} of ${sum('seeded')} stopped (${share.toFixed(1)} %)`,
  )
}
