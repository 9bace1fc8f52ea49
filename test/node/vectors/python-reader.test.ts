// Another implementation, in Python and written from docs/protocol.md alone, agrees with every vector.
import { execFile } from 'node:child_process'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { scratch } from '../support/scratch.ts'

const run = promisify(execFile)
const vectors = path.join(import.meta.dirname, '..', '..', 'vectors')
const reader = path.join(import.meta.dirname, '..', '..', 'readers', 'python', 'read_vectors.py')

const python = await run('python3', ['-c', 'import cryptography']).then(
  () => true,
  () => false,
)
if (!python) console.warn('python3 with python3-cryptography is missing: the reader is not tried')

type Row = { kind?: string }

async function read(folder: string): Promise<{ code: number; lines: string[] }> {
  const { code, stdout } = await run('python3', ['-B', reader, folder]).then(
    (done) => ({ code: 0, stdout: done.stdout }),
    (failed: { code: number; stdout: string }) => failed,
  )
  return { code, lines: stdout.trim().split('\n') }
}

describe.skipIf(!python)('the reader in Python', () => {
  test('agrees with every vector of every file', async () => {
    const { code, lines } = await read(vectors)
    const rows = async (name: string) => {
      const all = JSON.parse(await readFile(path.join(vectors, `${name}.json`), 'utf8')) as
        | Row[]
        | Record<string, Row[]>
      if (Array.isArray(all)) return all
      const { valid, invalid } = all
      return valid && invalid ? [...valid, ...invalid] : Object.values(all).flat()
    }
    // Each signed text is also tried as every other kind.
    const texts = await rows('tokens')
    const kinds = new Set(texts.map(({ kind }) => kind)).size
    const swapped = kinds * (kinds - 1)
    const expected: string[] = []
    const files = (await readdir(vectors)).map((file) => file.replace(/\.json$/, ''))
    const names = files.filter((name) => name !== 'keys')
    for (const name of names) {
      const more = name === 'tokens' ? swapped : 0
      expected.push(`${name}: ${(await rows(name)).length + more} agreed`)
    }
    expect(lines.toSorted()).toStrictEqual(expected.toSorted())
    expect(code).toBe(0)
  })

  test('says where it disagrees', async () => {
    const folder = scratch()
    await cp(vectors, folder, { recursive: true })
    const file = path.join(folder, 'plans.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('"digest": "plan:S', '"digest": "plan:T'))
    const { code, lines } = await read(folder)
    expect(code).toBe(1)
    expect(lines.filter((line) => line.startsWith('plans: text only: got'))).toHaveLength(1)
  })
})
