// The invariants that code and tests cite by number are written down, and each that is held is shown by a
// test that names it.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSources, type Source } from '../../../lab/tools/tidy.ts'

const root = path.join(import.meta.dirname, '..', '..', '..')
const file = 'docs/invariants.md'

type Invariant = { number: number; status: string; where: string[]; tests: string[]; body: string }

const filesIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+\.tsx?)`/g)].flatMap(([, name]) => (name === undefined ? [] : [name]))

/** The sections of the document, each with what it says about itself. */
function invariantsIn(text: string): Invariant[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((body) => {
      const field = (name: string): string =>
        new RegExp(`^- ${name}: ([\\s\\S]*?)(?=^- |(?![\\s\\S]))`, 'm').exec(body)?.[1]?.trim() ??
        ''
      return {
        number: Number.parseInt(body, 10),
        status: field('Status'),
        where: filesIn(field('Where')),
        tests: filesIn(field('Tests')),
        body,
      }
    })
}

/** Every invariant number that a text cites: `invariant 3`, `invariants 3, 4 and 8`. */
function citedIn(text: string): number[] {
  const flat = text.replaceAll(/\n\s*(?:\/\/|\*|#)?\s*/g, ' ')
  return [...flat.matchAll(/\binvariants? (\d+(?:(?:, | and |, and )\d+)*)/gi)].flatMap(
    ([, list]) => (list ?? '').split(/\D+/).filter(Boolean).map(Number),
  )
}

/** What is wrong between the document and the sources. */
async function faults(all: readonly Source[], invariants: readonly Invariant[]): Promise<string[]> {
  const out: string[] = []
  const numbers = new Set(invariants.map(({ number }) => number))
  for (const source of all) {
    if (source.file === file) continue
    for (const number of citedIn(source.text)) {
      if (!numbers.has(number)) out.push(`${source.file}: there is no invariant ${number}`)
    }
  }
  for (const { number, status, where, tests, body } of invariants) {
    if (!['held', 'in part', 'not yet'].includes(status)) out.push(`${number}: status ${status}`)
    if (status !== 'held' && !body.includes('- Missing: ')) out.push(`${number}: what is missing?`)
    if (status !== 'not yet' && (where.length === 0 || tests.length === 0)) {
      out.push(`${number}: where is it held, and which tests show it?`)
    }
    for (const name of [...where, ...tests]) {
      if (!existsSync(path.join(root, name))) out.push(`${number}: ${name} does not exist`)
    }
    for (const name of tests) {
      const text = all.find((source) => source.file === name)?.text ?? ''
      if (!citedIn(text).includes(number)) out.push(`${number}: ${name} does not name it`)
    }
  }
  return out
}

describe('the invariants', () => {
  it('that are cited are written down, and those that are held have a test that names them', async () => {
    const invariants = invariantsIn(await readFile(path.join(root, file), 'utf8'))
    expect(invariants.map(({ number }) => number)).toEqual(
      Array.from({ length: 15 }, (_, i) => i + 1),
    )
    expect(await faults(await readSources(root), invariants)).toEqual([])
  })

  it('would be caught with a number that is not there, or a test that does not name its own', async () => {
    expect(citedIn('// (invariants 3, 4\n// and 18), Invariant 2.')).toEqual([3, 4, 18, 2])
    const [one] = invariantsIn(
      '## 1. A\n\nB.\n\n- Status: held\n- Where: `a.ts`\n- Tests: `b.ts`\n',
    )
    expect(one).toMatchObject({ number: 1, status: 'held', where: ['a.ts'], tests: ['b.ts'] })
    const source = { file: 'x.ts', text: `// as invariant ${98 + 1} says` }
    const found = await faults([source], one === undefined ? [] : [one])
    expect(found).toContain(`x.ts: there is no invariant ${98 + 1}`)
    expect(found).toContain('1: a.ts does not exist')
    expect(found).toContain('1: b.ts does not name it')
  })
})
