// Which releases may follow one another: numbers of rows and frames move by one at a time.
import { expect, it } from 'vitest'
import { versionGaps, versions } from '../../../protocol/versions.ts'

it('a deployment moves by one of each number, either way, and by no more', () => {
  for (const name of Object.keys(versions) as (keyof typeof versions)[]) {
    for (const by of [-2, -1, 0, 1, 2]) {
      const gaps = versionGaps({ ...versions, [name]: versions[name] + by })
      expect(gaps.length, `${name} ${by}`).toBe(Math.abs(by) > 1 ? 1 : 0)
      if (gaps.length > 0) expect(gaps[0]).toContain(name)
    }
  }
  // A release that names none is the one before.
  expect(versionGaps({})).toEqual([])
})
