// Code that does not end, whatever its form; and code that ends, however it looks.
import { describe, expect, it } from 'vitest'
import { endingOfCode } from '../../../verify/rules/endless.ts'
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
    '"',
  ])('%j', (code) => {
    expect(endingOfCode(code)).toBeNull()
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
