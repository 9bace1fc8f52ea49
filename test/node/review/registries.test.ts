// A registry is parsed once for each stored text, and never taken for another.
import { expect, test } from 'vitest'
import { registryOf } from '../../../durable-objects/review/registries.ts'
import { registrySchema, type Registry } from '../../../protocol/registry.ts'

const text = (n: number): string =>
  JSON.stringify({ registry_version: String(n), tools: [], planners: {}, rules: [] })

test('the same text is parsed once, another text for itself, and the least used is parsed again', () => {
  const parsed: string[] = []
  const parse = (value: unknown): Registry => {
    const registry = registrySchema.parse(value)
    parsed.push(registry.registry_version)
    return registry
  }
  const of = (n: number): Registry => registryOf(text(n), parse)
  const first = of(1)
  expect(of(1)).toBe(first)
  expect(of(2).registry_version).toBe('2')
  expect(parsed).toEqual(['1', '2'])
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
