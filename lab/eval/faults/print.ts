// The tables of `eval faults`, for people.
import type { FaultsDocument } from './run.ts'

const share = (part: number, of: number): string =>
  of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`

/** Prints every kind, then the sums, then the plans that were not changed. */
export function printFaults(document: FaultsDocument): void {
  const out = (line: string): void => void process.stdout.write(`${line}\n`)
  out('kind | oracle | seeded | stopped | by dry run | held | missed')
  for (const row of document.rows) {
    const { id, oracle, seeded, stopped, by_dry_run, held, missed, example } = row
    const why = example === null ? '' : `  ← ${example.plan} ${example.held_by.join(' ')}`
    out(`${id} | ${oracle} | ${seeded} | ${stopped} | ${by_dry_run} | ${held} | ${missed}${why}`)
  }
  const { kinds, seeded, stopped, by_dry_run, held, missed, by_oracle, unchanged } = document
  out(`\n${kinds} kinds, ${seeded} faults, seed ${document.seed}`)
  out(`stopped ${stopped} (${share(stopped, seeded)}), by dry run or site rule ${by_dry_run}`)
  out(`stopped or held ${stopped + held} (${share(stopped + held, seeded)}), missed ${missed}`)
  for (const [oracle, sums] of Object.entries(by_oracle)) {
    out(`  ${oracle}: ${sums.stopped} stopped and ${sums.held} held of ${sums.seeded}`)
  }
  out('\nthe same changes without their fault, stopped by the dry run:')
  for (const { id, seeded: n, by_dry_run: wrong, stops } of document.controls) {
    out(
      `  ${id}: ${wrong} of ${n}${stops === null ? '' : ` ← ${stops.plan} ${stops.by.join(' ')}`}`,
    )
  }
  out(
    `\nunchanged: ${unchanged.n} plans, ${unchanged.stopped.length} stopped, ${unchanged.held.length} held`,
  )
  for (const { id, by } of unchanged.stopped) out(`  stopped ${id}: ${by.join(' ')}`)
  for (const { id, missing } of unchanged.held)
    out(`  held ${id}: ${missing.slice(0, 3).join('; ')}`)
}
