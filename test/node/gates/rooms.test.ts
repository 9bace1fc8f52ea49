// Nothing of the product leans on lab/ or test/: tsc -b refuses an import that no reference allows,
// and here no reference of a product room, followed to its end, allows one.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '..', '..', '..')
type Project = { references?: { path: string }[]; include?: string[] }
const project = async (folder: string): Promise<Project> =>
  JSON.parse(await readFile(path.join(root, folder, 'tsconfig.json'), 'utf8')) as Project

/** Folders, relative to the root, that a project refers to or takes files from. */
async function reaches(folder: string): Promise<string[]> {
  const { references = [], include = [] } = await project(folder)
  return [...references.map((r) => r.path), ...include].map((p) => path.posix.join(folder, p))
}

const outside = (at: string): boolean => /^(?:lab|test)\//.test(at) || at.startsWith('..')

describe('the rooms of the product', () => {
  it('refer to nothing in lab/ or test/', async () => {
    const rooms = ((await project('.')).references ?? [])
      .map((r) => r.path)
      .filter((folder) => !outside(folder))
    expect(rooms).toContain('worker')
    const reached = await Promise.all(rooms.map(reaches))
    expect(reached.flat().filter(outside)).toEqual([])
  })

  it('would be caught: the rooms of the lab and of the tests do refer to them', async () => {
    expect((await reaches('lab/eval')).filter(outside)).toContain('lab/local')
    expect((await reaches('test/node')).filter(outside)).toContain('test/shared')
  })
})
