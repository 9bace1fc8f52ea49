// Names in canonical form: case, look-alikes and prefixes never pass for a registered name.
import { assert as holds, constantFrom, integer, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  editDistance,
  hasInvisible,
  imitated,
  likeness,
  skeleton,
} from '../../../verify/screen/names.ts'
import { codesOf, findingsOf, planOf } from '../support/snapshot.ts'

describe('likeness of names', () => {
  test.each([
    ['py-sbx-01', 'py-sbx-01', 'exact'],
    ['PY-SBX-01', 'py-sbx-01', 'spelling'],
    ['py_sbx_01', 'py-sbx-01', 'spelling'],
    ['py-sbx-O1', 'py-sbx-01', 'spelling'],
    ['рy-sbx-01', 'py-sbx-01', 'spelling'],
    ['ｐｙ-sbx-01', 'py-sbx-01', 'spelling'],
    ['py-sbx-02', 'py-sbx-01', 'none'],
    ['py-sbx-1', 'py-sbx-01', 'none'],
    ['lc7-relaese', 'lc7-release', 'near'],
    ['lc7-releases', 'lc7-release', 'near'],
    ['lc8-release', 'lc7-release', 'near'],
    ['vendor-root-2025', 'vendor-root-2024', 'none'],
    ['rnodel-signer', 'model-signer', 'spelling'],
    ['mcp__lab__door_unlock', 'door.unlock', 'spelling'],
    ['door.lock', 'door.unlock', 'none'],
    ['arm', 'ann', 'none'],
  ])('%s against %s: %s', (given, registered, expected) => {
    expect(likeness(given, registered)).toBe(expected)
  })

  test('a registered name imitates nothing', () => {
    expect(imitated('py-sbx-01', ['py-sbx-01', 'py-sbx-O1'])).toBeNull()
    expect(imitated('py-sbx-0l', ['r-sbx-01', 'py-sbx-01'])).toEqual({
      name: 'py-sbx-01',
      how: 'spelling',
    })
  })

  test('invisible characters are seen', () => {
    expect(hasInvisible('py\u200b-sbx')).toBe(true)
    expect(hasInvisible('py\u{e0061}')).toBe(true)
    expect(hasInvisible('py-sbx')).toBe(false)
  })

  test('the cut-off distance agrees with a plain one', () => {
    const seed = Date.now() % 1_000_000
    console.log(`names seed ${seed}`)
    const word = string({ unit: constantFrom('a', 'b', 'c'), maxLength: 7 })
    holds(
      property(word, word, integer({ min: 0, max: 3 }), (a, b, max) => {
        const full = plainDistance(a, b)
        const cut = editDistance(a, b, max)
        return full <= max ? cut === full : cut > max
      }),
      { seed, numRuns: 2_000 },
    )
  })

  test('a skeleton is its own skeleton', () => {
    const seed = Date.now() % 1_000_000
    console.log(`skeleton seed ${seed}`)
    holds(
      property(string({ unit: 'grapheme', maxLength: 20 }), (name) => {
        expect(skeleton(skeleton(name))).toBe(skeleton(name))
      }),
      { seed, numRuns: 1_000 },
    )
  })
})

/** Optimal string alignment by the textbook table. */
function plainDistance(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number): number => d[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      let cost = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(i - 2, j - 2) + 1)
      }
      const row = d[i]
      if (row !== undefined) row[j] = cost
    }
  }
  return at(a.length, b.length)
}

describe('look-alikes in prose and arguments', () => {
  const lock = [{ tool: 'door.lock', args: { door_id: 'enclosure_A' } }]
  const named = (instruction: string) => codesOf(planOf(lock, { instructions: [instruction] }))

  test.each([
    'Run it in py-sbx-0l.',
    'Run it in pу-sbx-01.',
    'Signed by lс7-release.',
    'planner-wetIab-0l said so.',
    'Write to help@vendor-supp0rt.example.',
  ])('refuses %j', (instruction) => {
    expect(named(instruction)).toEqual(['NAME_NOT_CANONICAL block'])
  })

  test.each([
    'Run it in the Py-Sbx-01 sandbox, py sbx 01.',
    'Take hood 1 and hs_1, then tube 12 at 0.5 mL.',
    'Signed by LC7-Release, asked by planner wetlab 01.',
    'S. cerevisiae à 95 °C, 10 µL, naïve cells.',
    'Write to help@vendor-support.example.',
  ])('takes the ordinary spelling in %j', (instruction) => {
    expect(named(instruction)).toEqual([])
  })

  test('flags a tool under a prefixed name', () => {
    expect(named('Then call mcp__cell__door_unlock.')).toEqual(['NAME_NOT_CANONICAL flag'])
  })

  test('the span points at the name', () => {
    const text = 'Run it in py-sbx-0l.'
    const [found] = findingsOf(planOf(lock, { instructions: [text] }))
    expect(found?.at).toBe('/instructions/0')
    expect(text.slice(...(found?.span ?? [0, 0]))).toMatch(/^py-sbx-0l/)
  })
})
