// The linear-time proof: admits what sites need, refuses every classic way to stall a matcher.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkLinear } from '../../../verify/linear-regex/check.ts'
import { limits } from '../../../protocol/limits.ts'
import { unreachable } from '../../../protocol/result.ts'

const codeOf = (pattern: string, flags = ''): string => {
  const result = checkLinear(pattern, flags)
  return result.ok ? 'ok' : result.error.code
}

describe('checkLinear', () => {
  it.each([
    ['^#[a-z0-9-]{2,40}$'],
    ['^([A-P]([1-9]|1[0-9]|2[0-4])|ALL|COL[0-9]{1,2})$'],
    ['^[0-9]+\\.[0-9]+\\.[0-9]+([-+][A-Za-z0-9.-]+)?$'],
    ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$'],
    ['^https://[a-z0-9-]+(\\.[a-z0-9-]+)*\\.lab\\.internal(/.*)?$'],
    ['^\\p{L}+(?: \\p{L}+)*$'],
    ['\\w{1,64}@example'],
    ['error: .*'],
    ['(?<year>[0-9]{4})-(?<month>[0-9]{2})'],
    [''],
    ['^(?:)$'],
  ])('admits %s with and without the unicode flag', (pattern) => {
    expect(codeOf(pattern)).toBe('ok')
    expect(codeOf(pattern, 'u')).toBe('ok')
    expect(codeOf(pattern, 'iu')).toBe('ok')
  })

  it.each([
    ['^(a+)+$', 'nested repetition'],
    ['^(a|a)*$', 'an alternative twice'],
    ['^(a|aa)+$', 'overlapping alternatives'],
    ['(\\w+\\s?)+$', 'words with optional space'],
    ['^(.*,)*x', 'any text before a separator'],
    ['^a*a*$', 'two neighbouring loops'],
    ['(.*)(.*)(.*)x', 'three neighbouring loops'],
    ['a+b', 'an unanchored leading loop'],
    ['\\s+$', 'unanchored trailing space'],
    ['^a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?b$', 'many optional parts'],
    ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*@x$', 'the classic e-mail check'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'the classic class-name check'],
    ['^(?:x[a-z]*)*$', 'a loop that its own body can restart'],
    ['^[kK]*\u212a*$', 'loops that only folding makes overlap', 'iu'],
  ])('refuses %s: %s', (pattern, _why, flags = '') => {
    expect(codeOf(pattern, flags)).toBe('SUPER_LINEAR')
  })

  it.each([
    ['(x)\\1', 'BACKREFERENCE'],
    ['(?<a>x)\\k<a>', 'BACKREFERENCE'],
    ['(?=a)a', 'LOOK_AROUND'],
    ['(?<!a)b', 'LOOK_AROUND'],
    ['(?i:a)', 'GROUP_MODIFIER'],
    ['(a*)*b', 'NULLABLE_LOOP'],
    ['(a?){30}', 'NULLABLE_LOOP'],
    ['a{9000}', 'TOO_LARGE'],
    ['((((', 'SYNTAX'],
    ['a{2,1}', 'SYNTAX'],
  ])('refuses %s as %s', (pattern, code) => {
    expect(codeOf(pattern)).toBe(code)
  })

  it('refuses the set notation flag, whose classes it does not read', () => {
    expect(codeOf('a', 'v')).toBe('FLAGS')
  })

  it('names the place of the refused part', () => {
    const result = checkLinear('ab(?=c)')
    expect(!result.ok && result.error.at).toBe(2)
  })

  it('admits the longest pattern and refuses one character more', () => {
    expect(codeOf(`^${'a'.repeat(limits.regexCharsMax - 1)}`)).toBe('ok')
    expect(codeOf(`^${'a'.repeat(limits.regexCharsMax)}`)).toBe('TOO_LARGE')
  })

  it('admits the limit on written-out repetition and refuses one more', () => {
    expect(codeOf(`^a{${limits.regexStatesMax}}$`)).toBe('ok')
    expect(codeOf(`^a{${limits.regexStatesMax + 1}}$`)).toBe('TOO_LARGE')
  })

  it('admits every pattern of the example site', () => {
    const site = path.join(import.meta.dirname, '../../../lab/site/lc7/registry.json')
    const patterns = [...readFileSync(site, 'utf8').matchAll(/"pattern": ("(?:[^"\\]|\\.)*")/g)]
    expect(patterns.length).toBeGreaterThan(5)
    for (const [, text] of patterns) expect(codeOf(JSON.parse(text ?? '""') as string)).toBe('ok')
  })
})

/**
 * Steps of a naive backtracking search, written apart from the proof as the thing it must bound.
 * A pattern is a tree of arrays so that the same tree gives the source and the matcher.
 */
type Tree =
  | { k: 'c'; c: string }
  | { k: 'cat'; of: Tree[] }
  | { k: 'alt'; of: Tree[] }
  | { k: 'rep'; of: Tree; min: number; max: number }

function source(t: Tree): string {
  if (t.k === 'c') return t.c
  if (t.k === 'cat') return t.of.map((x) => `(?:${source(x)})`).join('')
  if (t.k === 'alt') return `(?:${t.of.map(source).join('|')})`
  const high = t.max === Infinity ? '' : String(t.max)
  return `(?:${source(t.of)}){${t.min},${high}}`
}

function searchSteps(tree: Tree, text: string, stepsMax: number): number {
  let steps = 0
  const run = (t: Tree, at: number, then: (at: number) => boolean): boolean => {
    if (steps > stepsMax) return true
    switch (t.k) {
      case 'c':
        steps += 1
        return text[at] === t.c && then(at + 1)
      case 'cat': {
        const from = (i: number, p: number): boolean => {
          const item = t.of[i]
          return item === undefined ? then(p) : run(item, p, (q) => from(i + 1, q))
        }
        return from(0, at)
      }
      case 'alt':
        return t.of.some((x) => run(x, at, then))
      case 'rep': {
        const more = (n: number, p: number): boolean =>
          (n < t.max && run(t.of, p, (q) => (q === p && n >= t.min ? false : more(n + 1, q)))) ||
          (n >= t.min && then(p))
        return more(0, at)
      }
      default:
        return unreachable(t)
    }
  }
  for (let start = 0; start <= text.length; start += 1) {
    if (run(tree, start, () => true)) break
  }
  return steps
}

const tree: fc.Arbitrary<Tree> = fc.letrec<{ t: Tree }>((tie) => ({
  t: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('a', 'b', 'c').map((c): Tree => ({ k: 'c', c })),
    fc.array(tie('t'), { minLength: 1, maxLength: 3 }).map((of): Tree => ({ k: 'cat', of })),
    fc.array(tie('t'), { minLength: 2, maxLength: 3 }).map((of): Tree => ({ k: 'alt', of })),
    fc
      .tuple(tie('t'), fc.constantFrom([0, 1], [0, 3], [1, 2], [0, Infinity], [1, Infinity]))
      .map(([of, [min = 0, max = 1]]): Tree => ({ k: 'rep', of, min, max })),
  ),
})).t

describe('the proof against measured work', () => {
  it('bounds the steps of a backtracking search on every text it is tried with', () => {
    let admitted = 0
    fc.assert(
      fc.property(
        tree,
        fc.array(fc.constantFrom('a', 'b', 'c', 'ab', 'aab', 'abc'), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.integer({ min: 1, max: 40 }),
        (t, unit, times) => {
          const proof = checkLinear(source(t), '', { stepsPerCharMax: 200 })
          if (!proof.ok) return
          admitted += 1
          const text = unit.join('').repeat(times)
          const bound = proof.value.stepsPerChar * (text.length + 1)
          expect(searchSteps(t, text, bound + 1)).toBeLessThanOrEqual(bound)
        },
      ),
      { numRuns: 400 },
    )
    expect(admitted).toBeGreaterThan(100)
  })

  it('refuses what a measured search shows to grow faster than the text', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('a', 'b', 'ab', 'aab', 'abc'), (t, unit) => {
        const short = searchSteps(t, unit.repeat(60), 200_000)
        const long = searchSteps(t, unit.repeat(120), 200_000)
        if (long < 3 * short + 2_000) return
        expect(checkLinear(source(t), '', { stepsPerCharMax: 200 }).ok).toBe(false)
      }),
      { numRuns: 400 },
    )
  })
})
