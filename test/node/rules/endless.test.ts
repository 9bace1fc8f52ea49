// Code that does not end, whatever its form; and code that ends, however it looks.
import { describe, expect, it } from 'vitest'
import { endingOfCode, maxSteps } from '../../../verify/rules/endless.ts'
import { codesOf } from './judged.ts'

describe('a loop that nothing leaves', () => {
  it.each([
    'while True: pass',
    'while True : pass',
    'while\tTrue:pass',
    'while 1:\n  x=1',
    'while(1):\n pass',
    'while not False:\n    y += 1',
    'while "a":\n  pass',
    'while 2 > 1: z()',
    'x = 1\nwhile x:\n  pass',
    'i=0\nwhile i < 10:\n  j = 2\n',
    'while True:\n\n  # a word: break\n  pass\nprint(1)\nbreak_even = 2',
    'if a:\n  while True:\n    pass\n  return',
    'while True:\n  x = "break"',
    'repeat { x <- 1 }',
    'repeat\n{ x <- 1 }',
    'while (TRUE) {}',
    'while (TRUE) Sys.sleep(1)',
    'for(;;) {}',
  ])('%j', (code) => {
    expect(endingOfCode(code)).toBe('never')
  })
})

describe('whether it ends does not show', () => {
  it.each([
    'while True:\n  if a: break',
    'repeat {\n if (x > 3) break\n}',
    'for _ in iter(int, 1): pass',
    'import itertools\nfor i in itertools.count(): print(i)',
    'from itertools import cycle\nfor i in cycle(x): pass',
    'for i in range(10**12): pass',
    'for i in range(1_000_000_000_000): pass',
    'for (i in seq_len(1e12)) {}',
    'import time\ntime.sleep(100000)',
    'Sys.sleep(86400)',
    '[0 for i in range(9**9**9)]',
    'x = input()',
    'def f():\n while True:\n  return 1',
    // A quote that its line does not close: what is text and what is code is a guess.
    '"',
    'x = "a\nprint(1)',
    "# it\nx = 'a",
    '"""a\nprint(1)',
    // A sign that begins a comment in some languages only.
    'this.#a; while (true) {}',
    'while i < 3:#i = 1\n  pass',
  ])('%j', (code) => {
    expect(endingOfCode(code)).toBe('open')
  })
})

describe('code that ends', () => {
  it.each([
    'while i < 10:\n  i += 1',
    'while (i < 10) { i <- i + 1 }',
    'while False: pass',
    's = "while True: pass"',
    '# while True\nprint(1)',
    'x.count("a")',
    'np.repeat(x, 3)',
    'rep(1, 3)',
    'for x in y:\n  print(x)',
    'print(sum(k)/len(k))',
    'while q:\n  q.pop()',
    'while abs(d) > 1e-6:\n  d = f(d)',
    'for i in range(1000):\n  pass',
    'import time\ntime.sleep(2)',
    '',
    'while',
    'while (',
    '"""Fit of two lines.\n\nwhile True: as text\n"""\nprint(1)',
    'x = "a\\\nb"',
    'x = constructor\nwhile i < 3:\n  i += 1',
    "x = 1  # don't",
    'x=1#two',
  ])('%j', (code) => {
    expect(endingOfCode(code)).toBeNull()
  })
})

describe('code that is long to read', () => {
  const long = 65_536
  const filled = (part: string, length: number) => part.repeat(Math.floor(length / part.length))
  const stepsOf = (code: string) => {
    const steps = { taken: 0 }
    const ending = endingOfCode(code, steps)
    return { ending, steps: steps.taken }
  }

  it('looks at no argument of a call that is in no list', () => {
    expect(stepsOf(filled('a(', long))).toEqual({ ending: null, steps: 0 })
    expect(stepsOf(filled('constructor(', long))).toEqual({ ending: null, steps: 0 })
  })

  it.each([
    'while(',
    'while ',
    'while x:',
    'while x:\n',
    'for(',
    'for(;x;)',
    'repeat{',
    'repeat\n',
    'range(',
    'sleep(1,',
    'iter([',
    'until(x){',
    'while x: x -= 1; ',
    'while x:#\n',
  ])('%j again and again: a finding, and no more steps than the cap', (part) => {
    const { ending, steps } = stepsOf(filled(part, long))
    expect(steps).toBeLessThan(maxSteps + 4 * long)
    if (steps > maxSteps) expect(ending).not.toBeNull()
  })

  it('says so when it stopped reading', () => {
    expect(stepsOf(filled('range(', long)).ending).toBe('open')
    expect(stepsOf(filled('while x: x -= 1; ', long)).ending).toBe('open')
  })

  it('reads honest code of that length to its end, with steps in proportion', () => {
    const part = 'for i in range(3):\n  while q > i:\n    q -= f(i)\n'
    const [half, whole] = [stepsOf(filled(part, long / 2)), stepsOf(filled(part, long))]
    expect(whole.ending).toBeNull()
    expect(whole.steps).toBeGreaterThan(half.steps)
    expect(whole.steps).toBeLessThan(2.1 * half.steps)
    expect(stepsOf(`${filled(part, long)}while True: pass`).ending).toBe('never')
  })
})

it('refuses a plan that runs it', () => {
  const node = (code: string) => ({
    tool: 'code.run_sandboxed',
    args: { language: 'python', code, inputs: [] },
    sandbox: 'py-sbx-01',
  })
  expect(codesOf(['Run the fit.'], [node('while 1: pass')])).toContain('CODE_WITHOUT_END')
  expect(codesOf(['Run the fit.'], [node('print(1)')])).not.toContain('CODE_WITHOUT_END')
})
