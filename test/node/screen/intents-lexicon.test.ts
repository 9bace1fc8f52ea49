// Every row of the lexicon of intents: its examples raise it, its counter-examples do not.
import { describe, expect, it } from 'vitest'
import { conceptPlace } from '../../../verify/lexicon/concept.ts'
import { intents } from '../../../verify/lexicon/intents.ts'
import { textUnit } from '../../../verify/lexicon/text.ts'

const rows = intents.map((intent) => [intent.row.id, intent] as const)

describe('the rows of the intents', () => {
  it('have names of their own', () => {
    expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length)
  })
  it.each(rows)('%s', (_, { row, concept }) => {
    const hits = (text: string): boolean => conceptPlace(textUnit(text, ''), concept) >= 0
    expect(row.examples.filter((text) => !hits(text))).toEqual([])
    expect(row.counter_examples.filter(hits)).toEqual([])
  })
})
