// A registry is parsed once for each stored text, and never taken for another.
import { expect, test } from 'vitest'
import { registryOf } from '../../../durable-objects/review/registries.ts'
import type { Registry } from '../../../protocol/registry.ts'

test('the same text is parsed once, another text for itself, and the least used is parsed again', () => {
  const parsed: unknown[] = []
  const parse = (value: unknown): Registry => {
    parsed.push(value)
    return { of: value } as unknown as Registry
  }
  const of = (n: number): Registry => registryOf(`{"n":${n}}`, parse)
  const first = of(1)
  expect(of(1)).toBe(first)
  expect(of(2)).not.toBe(first)
  expect(parsed).toEqual([{ n: 1 }, { n: 2 }])
  for (const n of [3, 4, 5]) of(n)
  expect(of(1)).not.toBe(first)
})

test('a text that cannot be read is asked about every time', () => {
  const refuse = (): Registry => {
    throw new RangeError('unreadable')
  }
  expect(() => registryOf('{}', refuse)).toThrow('unreadable')
  expect(() => registryOf('{}', refuse)).toThrow('unreadable')
})
