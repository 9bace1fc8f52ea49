// What a device may answer, and what becomes of it: always a bounded result that reads the same on both
// sides, whatever was sent.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalForm, digest } from '../../../protocol/digest.ts'
import { limits } from '../../../protocol/limits.ts'
import { nodeResultSchema } from '../../../protocol/node-result.ts'
import { parseJsonText } from '../../../protocol/parse.ts'
import { PartStore } from '../../../robot-agent/part-store.ts'
import { resultOf } from '../../../robot-agent/result-of.ts'
import { scratch } from '../support/scratch.ts'

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
const blob = (bytes: Buffer | string) =>
  `blob:${createHash('sha256').update(bytes).digest('base64url')}`

describe('an answer', () => {
  test('with a zero below zero is kept, and never told as zero', () => {
    const { result } = resultOf({ structuredContent: { mass_mg: -0 } })
    expect(result).toMatchObject({ data: null, from: 'none', kept: [{ type: 'application/json' }] })
    expect(resultOf({ structuredContent: { mass_mg: 0 } }).result.from).toBe('structured')
  })

  test('is its structured content, and its text only where there is none', () => {
    const structured = { structuredContent: { mass_mg: 50.5 }, ...text('50.5 mg') }
    expect(resultOf(structured).result).toEqual({
      data: { mass_mg: 50.5 },
      from: 'structured',
      kept: [],
      left_out: 0,
    })
    expect(resultOf(text('{"ph":7.31}')).result).toMatchObject({
      data: { ph: 7.31 },
      from: 'json_text',
    })
    expect(resultOf(text('pH 7.31')).result).toMatchObject({ data: 'pH 7.31', from: 'text' })
    expect(resultOf({ content: [] }).result).toMatchObject({ data: null, from: 'none' })
  })

  test.each([
    ['a key twice', '{"mass_mg":50,"mass_mg":5000}'],
    ['no number of JSON', '{"mass_mg":NaN}'],
    ['a number that would be rounded', '{"mass_mg":9007199254740993}'],
    ['a key that changes objects', '{"__proto__":{"mass_mg":50}}'],
    ['a string', '"50"'],
  ])('with %s in its text is that text and no data', (_what, words) => {
    expect(resultOf(text(words)).result).toMatchObject({ data: words, from: 'text' })
  })

  test('at the bound travels, and one byte more is kept by digest', () => {
    const fits = 'x'.repeat(limits.resultBytesMax - '""'.length)
    expect(resultOf(text(fits)).result).toMatchObject({ data: fits, kept: [] })
    const over = `${fits}x`
    const { result, parts } = resultOf(text(over))
    expect(result).toMatchObject({ data: null, from: 'none' })
    expect(result.kept).toEqual([{ type: 'text/plain', bytes: over.length, digest: blob(over) }])
    expect(parts[0]?.bytes.toString()).toBe(over)
  })

  test('of 10 MiB, or nested ten thousand deep, does not travel and stops nothing', () => {
    const big = resultOf({ structuredContent: { rows: 'x'.repeat(10 * 1024 * 1024) } }).result
    expect(big).toMatchObject({ data: null, kept: [{ type: 'application/json' }] })
    const deep = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as unknown
    const { result } = resultOf({ structuredContent: deep })
    expect(result.data).toBe(null)
    expect(result.kept.length + result.left_out).toBe(1)
    expect(resultOf({ structuredContent: { half: '\ud800' } }).result).toMatchObject({
      data: null,
      left_out: 1,
    })
  })

  test('keeps images and files by digest and type, up to the bound, and fetches no link', () => {
    const bytes = Buffer.from([0, 255, 13, 10])
    const image = { type: 'image', mimeType: 'image/png', data: bytes.toString('base64') }
    const hostile = { ...image, mimeType: '\u001b[2Jimage/png' }
    const file = { type: 'resource', resource: { uri: 'x:y', mimeType: 'text/csv', text: 'a,b' } }
    const link = { type: 'resource_link', uri: 'https://elsewhere.example/x' }
    const { result } = resultOf({ content: [image, hostile, file, link, null] })
    expect(result.kept).toEqual([
      { type: 'image/png', bytes: 4, digest: blob(bytes) },
      { type: 'application/octet-stream', bytes: 4, digest: blob(bytes) },
      { type: 'text/csv', bytes: 3, digest: blob('a,b') },
    ])
    expect(result.left_out).toBe(2)
    const many = Array.from({ length: limits.resultPartsMax + 1 }, () => image)
    const { kept, left_out } = resultOf({ content: many }).result
    expect([kept.length, left_out]).toEqual([limits.resultPartsMax, 1])
  })

  test('is, whatever it is, a result that the frame takes and both sides digest alike', async () => {
    const part = fc.record(
      {
        type: fc.constantFrom('text', 'image', 'resource', 'resource_link'),
        text: fc.oneof(fc.string({ unit: 'binary' }), fc.json()),
        data: fc.base64String(),
        mimeType: fc.string(),
        resource: fc.anything(),
      },
      { requiredKeys: ['type'] },
    )
    const answer = fc.record(
      {
        content: fc.oneof(fc.array(part), fc.anything()),
        structuredContent: fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(answer, async (given) => {
        const { result } = resultOf(given)
        const canonical = canonicalForm(result)
        const frame = parseJsonText(`{"result":${canonical}}`)
        if (!frame.ok) throw new Error(frame.error[0]?.code)
        const read = nodeResultSchema.parse((frame.value as { result: unknown }).result)
        expect(await digest('result', read)).toBe(await digest('result', result))
        expect(Buffer.byteLength(canonicalForm(result.data))).toBeLessThanOrEqual(
          limits.resultBytesMax,
        )
      }),
      { numRuns: 2_000 },
    )
  })
})

test('kept parts are files by digest until their time is over', async () => {
  const dir = scratch()
  let now = Date.now()
  const store = new PartStore(
    { state_dir: dir, results_keep_hours: 1 },
    { log: () => {}, nowMs: () => now },
  )
  const { parts } = resultOf({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] })
  store.keep([...parts, ...parts])
  await store.settled()
  const name = blob(Buffer.alloc(3)).slice('blob:'.length)
  const files = path.join(dir, 'results')
  expect(readdirSync(files)).toEqual([name])
  expect(readFileSync(path.join(files, name))).toEqual(Buffer.alloc(3))
  utimesSync(path.join(files, name), new Date(now), new Date(now))
  now += 3_600_001
  store.keep(resultOf({ content: [{ type: 'image', data: 'AAAB', mimeType: 'image/png' }] }).parts)
  await store.settled()
  expect(readdirSync(files)).not.toContain(name)
})

test('a disk that takes no part is logged, and nothing waits for it', async () => {
  const events: string[] = []
  const store = new PartStore(
    { state_dir: '/dev/null/nowhere', results_keep_hours: 1 },
    { log: (_level, event) => events.push(event), nowMs: () => 0 },
  )
  store.keep([{ digest: blob('x'), bytes: Buffer.from('x') }])
  await store.settled()
  expect(events).toEqual(['part_not_kept'])
})
