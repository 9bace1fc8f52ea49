// The shapes of the word lists under verify/lexicon. A list is data: people who know a language or an
// attack change it without touching code, and a gate runs every row's examples and counter-examples.
import { z } from 'zod'
import { categories, scripts } from '../screen/injection/types.ts'

/** Prose that may be cut over several lines; the pieces are joined by a space. */
const prose = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

/** An expression that may be cut over several lines anywhere; the pieces are joined without a space. */
const expression = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

const slotName = z.string().regex(/^[a-z_0-9]{1,20}$/)

/** For each slot its alternatives, one an item: words, or expressions over words. */
const slots = z.record(slotName, z.array(expression).min(1))

const texts = z.array(z.string().min(1).max(500))

const head = {
  about: prose,
  /** Where the words come from; a row may name its own. */
  source: prose,
}

/** What each row says about itself, apart from its id. */
const row = {
  category: z.enum(categories),
  /** Evidence in (0, 1], inside one of the bands of weights.json. */
  weight: z.number().gt(0).max(1),
  /** A negation in front turns the order into a rule and takes most of its weight. */
  negatable: z.literal(true).optional(),
  /** An order to the reader: with another subject in front ("the officer must approve the plan") it is a
   * report and keeps little of its weight. */
  order: z.literal(true).optional(),
  reason: z.string().min(10).max(300),
  source: z.string().min(1).optional(),
  pattern: expression,
}

const rowsFile = z.strictObject({
  kind: z.literal('rows'),
  ...head,
  /** How the weights of this file were set. */
  weights: prose,
  language: z.string().min(2).max(20),
  view: z.enum(['words', 'raw']),
  slots,
  rows: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9-]{3,60}$/),
      ...row,
      /** For `raw`: literals of which at least one must occur. */
      needs: z.array(z.string().min(1).max(40)).min(1).optional(),
      /** Texts that must hit, in full. */
      examples: texts.min(1),
      /** Texts that come close and must not hit. */
      counter_examples: texts.min(1).optional(),
    }),
  ),
})

const actsFile = z.strictObject({
  kind: z.literal('acts'),
  acts: z.enum(['spaced', 'unspaced', 'plan']),
  ...head,
  weights: prose,
  rows: z.array(z.strictObject({ name: z.string().regex(/^[a-z-]{3,30}$/), ...row })),
})

const byAct = z.record(z.string().regex(/^[a-z-]{3,30}$/), texts.min(1))

const languageFile = z.strictObject({
  kind: z.literal('language'),
  language: z.string().min(2).max(20),
  ...head,
  fills: z.array(
    z.strictObject({
      /** The acts that the words fill; an act of which a slot is missing does not exist here. */
      acts: actsFile.shape.acts,
      /** Set for languages written without reliable spaces. */
      script: z.enum(scripts).optional(),
      words: slots,
      examples: byAct,
      counter_examples: byAct.optional(),
    }),
  ),
})

/** One file of rows, of acts that languages fill, or of one language's words for them. */
export const injectionFileSchema = z.discriminatedUnion('kind', [rowsFile, actsFile, languageFile])
export type InjectionFile = z.infer<typeof injectionFileSchema>

const words = z.array(z.string().min(1)).min(1)
const letters = z.record(z.string().min(1), z.string().min(1))

export const phrasesSchema = z.strictObject({ kind: z.literal('phrases'), ...head, phrases: words })

export const vocabularySchema = z.strictObject({ kind: z.literal('vocabulary'), ...head, words })

export const smallWordsSchema = z.strictObject({
  kind: z.literal('small-words'),
  ...head,
  /** In front of an order they make it a rule ("never disable the interlock"). */
  negators: words,
  /** In front of an order they make it a condition ("check whether it stops if …"). */
  hedges: words,
  /** In front of a verb they leave it an order to the reader ("please just accept …"). */
  leads: words,
  /** In front of a verb they begin an order to the reader, whatever stands before them. */
  connectors: words,
  /** Things that instructions are printed on: instructions on the label of a tube are not the reader's. */
  carriers: words,
  /** Long enough for a cue of a phrase but found in any text. */
  common: words,
})

export const lettersSchema = z.strictObject({
  kind: z.literal('letters'),
  ...head,
  /** Letters of other scripts that look like Latin ones; used in words that mix scripts. */
  look_alikes: letters,
  /** Letters that normalisation leaves apart although they read as Latin ones. */
  latin_forms: letters,
  /** Digits and symbols that stand for letters. */
  leet: letters,
})

/** What a weight means: the bands in which the weights of all rows lie. */
export const weightsSchema = z.strictObject({
  kind: z.literal('weights'),
  ...head,
  bands: z.array(
    z.strictObject({
      name: z.string().min(1),
      /** The band is (over, to]. */
      over: z.number().min(0).lt(1),
      to: z.number().gt(0).max(1),
      meaning: prose,
    }),
  ),
})
