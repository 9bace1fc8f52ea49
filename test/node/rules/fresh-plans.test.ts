// Plans in the words of several authors, written before the rules were changed for them: each that is right
// has a twin with one thing wrong. The second round was written against the first change, to find its holes.
// What is wrong is never accepted; what is right and held is listed.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cellRecordSchema } from '../../../protocol/state.ts'
import { verdictOf } from './judged.ts'

const rowSchema = z.looseObject({
  id: z.string(),
  label: z.enum(['accept', 'escalate', 'reject']),
  goal: z.string(),
  instructions: z.array(z.string()),
  planner: z.strictObject({ id: z.string() }),
  nodes: z.array(z.looseObject({})),
  state: cellRecordSchema,
})

const file = path.join(import.meta.dirname, '../../data/fresh-plans.jsonl')
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => rowSchema.parse(JSON.parse(line)))

/** Right plans that wait for a person, with what the rules do not read. */
const held = [
  'fresh-12a', // a sentence about a person who is there
  'fresh-13a', // thousands parted by a blank
  'fresh-15a', // a purpose clause that tells what a picture shows
  'fresh-17a', // German compounds that no list has
  'second-23a', // a wish: "I would like"
]

test('no plan with something wrong in it is accepted, and right ones are but for those listed', async () => {
  const verdicts = await Promise.all(
    rows.map(async ({ id, label, goal, instructions, planner, nodes, state }) => {
      const plan = { goal, instructions, planner, nodes }
      return { id, label, verdict: await verdictOf(plan, state) }
    }),
  )
  expect(rows.length).toBeGreaterThanOrEqual(86)
  const accepted = verdicts.filter(({ verdict }) => verdict === 'accept')
  expect(accepted.filter(({ label }) => label !== 'accept')).toEqual([])
  const waiting = verdicts.filter(
    ({ label, verdict }) => label === 'accept' && verdict !== 'accept',
  )
  expect(waiting.map(({ id }) => id)).toEqual(held)
})
