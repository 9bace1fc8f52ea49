// An export is read without us: a line that is changed, missing, doubled or moved is found, and so is a page
// that is cut off or of another site.
import { describe, expect, it } from 'vitest'
import { checkExport, exportLine, type ExportItem } from '../../../protocol/export.ts'

async function page(site: string, after: string | null, next: string | null, items: ExportItem[]) {
  const head = { format: 'portcullis-export', v: 1, site, exported_ms: 1, after }
  const all = [
    { kind: 'head', id: site, value: head },
    ...items,
    { kind: 'end', id: site, value: { lines: items.length + 2, next } },
  ]
  const lines: string[] = []
  let chain = ''
  for (const item of all) {
    const line = await exportLine(item, chain)
    chain = line.chain
    lines.push(JSON.stringify(line))
  }
  return lines
}

const item = (id: string): ExportItem => ({ kind: 'plan', id, value: { goal: `of ${id}` } })
const two = async () => [
  ...(await page('s', null, 'x', [item('a'), item('b')])),
  ...(await page('s', 'x', null, [item('c')])),
]

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}
const check = (lines: readonly string[]) => checkExport(each(lines))

describe('an export', () => {
  it('is whole when nobody touched it', async () => {
    expect(await check(await two())).toEqual({ ok: true, lines: 7, next: null, site: 's' })
  })

  it('shows every single line that is taken out, doubled, swapped or changed', async () => {
    const lines = await two()
    for (const [n, line] of lines.entries()) {
      const without = lines.filter((_, i) => i !== n)
      expect(await check(without), `without line ${n + 1}`).not.toMatchObject({
        ok: true,
        next: null,
      })
      expect((await check(lines.toSpliced(n, 0, line))).ok, `line ${n + 1} twice`).toBe(false)
      const changed = lines.with(n, line.replace(/"id":"./, '"id":"q'))
      expect(await check(changed), `line ${n + 1} changed`).toMatchObject({
        ok: false,
        line: n + 1,
      })
    }
    const [a, b, c, ...rest] = lines as [string, string, string]
    expect((await check([a, c, b, ...rest])).ok).toBe(false)
  })

  it('shows a page that is missing, cut off, of another site, or of before', async () => {
    const lines = await two()
    expect(await check(lines.slice(0, 4))).toMatchObject({ ok: true, next: 'x' })
    expect((await check(lines.slice(4))).ok).toBe(false)
    expect((await check(lines.slice(0, 6))).ok).toBe(false)
    const other = await page('t', 'x', null, [])
    expect((await check([...lines.slice(0, 4), ...other])).ok).toBe(false)
    expect((await check([...lines, ...lines])).ok).toBe(false)
    expect((await check([])).ok).toBe(false)
    expect((await check(['no line'])).ok).toBe(false)
  })
})
