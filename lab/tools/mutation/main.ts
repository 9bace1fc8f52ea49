// `npm run test:mutation -- [group...] [--only FILE]`: mutants of the pure rooms against the tests that reach
// them, a group of files at a time, and the table of what was killed. Survivors that change nothing stand in
// `excused.json` with their reason; a file below the least score, or an excuse without its mutant, fails.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { placeOf, tableOf, type Excuse, type Mutant } from './score.ts'

type Group = {
  readonly group: string
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
}

const here = import.meta.dirname
const root = path.join(here, '../../..')
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(here, name), 'utf8'))

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true }, list: { type: 'boolean' } },
})
const all = read('groups.json') as Group[]
const unknown = positionals.filter((name) => !all.some(({ group }) => group === name))
if (unknown.length > 0) {
  throw new Error(`no group ${unknown.join()}; there are ${all.map(({ group }) => group).join()}`)
}
const groups = positionals.length === 0 ? all : all.filter((one) => positionals.includes(one.group))

/** Plays the mutants of one group; its tests see them one at a time. */
async function play({ group, mutate, tests }: Group): Promise<Mutant[]> {
  process.env['PORTCULLIS_MUTATION_TESTS'] = tests.join(',')
  const results = await new Stryker({
    configFile: 'stryker.config.json',
    mutate: [...(values.only ?? mutate)],
    tempDirName: `.build/stryker-${group}`,
    reporters: ['progress-append-only'],
  }).runMutationTest()
  return results.map(({ fileName, mutatorName, status, location, replacement }) => {
    const file = path.isAbsolute(fileName) ? path.relative(root, fileName) : fileName
    const place = placeOf(readFileSync(path.join(root, file), 'utf8'), location)
    return { file, mutator: mutatorName, status, ...place, replacement: replacement ?? '' }
  })
}

const mutants: Mutant[] = []
for (const group of groups) mutants.push(...(await play(group)))
const { rows, wrong, survivors } = tableOf(mutants, read('excused.json') as Excuse[])
console.table(rows)
for (const one of survivors) {
  console.log(
    `${one.file}:${one.at} [${one.status}] ${one.mutator}: ${one.text}  =>  ${one.replacement}`,
  )
}
for (const line of wrong) console.error(line)
if (wrong.length > 0) process.exitCode = 1
