// The table of failures: every test that it names exists, under the title that it gives. A row whose test was
// renamed or taken out is a failure that nobody plays any more.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSources, type Source } from '../../../lab/tools/tidy.ts'

const root = path.join(import.meta.dirname, '..', '..', '..')
const file = 'docs/failures.md'

/** The audit's findings and the reported failures, each of which has a row. */
const findings = [
  ...Array.from({ length: 19 }, (_, i) => `F${i + 1}`),
  ...[26, 27, 28, ...Array.from({ length: 17 }, (_, i) => 37 + i)].map((n) => `R${n}`),
]

type Row = { findings: string[]; tests: { file: string; titles: string[] }[]; text: string }

/** The rows of every table whose last column names tests. */
function rowsIn(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`test/'))
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      const named = (cells.at(-2) ?? '').split(/(?=`test\/)/).filter((part) => part !== '')
      return {
        findings: cells[1]?.match(/\b[FR]\d+\b/g) ?? [],
        tests: named.map((part) => ({
          file: /^`([^`]+)`/.exec(part)?.[1] ?? '',
          titles: [...part.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
        })),
        text: line,
      }
    })
}

function faults(sources: readonly Source[], rows: readonly Row[]): string[] {
  const out: string[] = []
  const told = new Set(rows.flatMap((row) => row.findings))
  for (const finding of findings) if (!told.has(finding)) out.push(`${finding} has no test`)
  for (const { tests } of rows) {
    for (const { file: name, titles } of tests) {
      const text = sources.find((source) => source.file === name)?.text
      if (text === undefined) out.push(`${name} does not exist`)
      for (const title of titles) {
        if (text?.includes(title) === false) out.push(`${name}: no test “${title}”`)
      }
    }
  }
  return out
}

describe('the table of failures', () => {
  it('names for every finding a test that exists', async () => {
    const rows = rowsIn(await readFile(path.join(root, file), 'utf8'))
    expect(rows.length).toBeGreaterThan(50)
    expect(faults(await readSources(root), rows)).toEqual([])
  })

  it('would be caught with a title, a file or a finding that is gone', () => {
    const rows = rowsIn(
      '| F1, R26 | A | `test/a.test.ts`: “is”, “was”; `test/b.test.ts`: “is” |\n| no row |',
    )
    expect(rows).toHaveLength(1)
    const found = faults([{ file: 'test/a.test.ts', text: "it('is', …)" }], rows)
    expect(found).toContain('test/a.test.ts: no test “was”')
    expect(found).not.toContain('test/a.test.ts: no test “is”')
    expect(found).toContain('test/b.test.ts does not exist')
    expect(found).toContain('F2 has no test')
    expect(found).not.toContain('R26 has no test')
  })
})
