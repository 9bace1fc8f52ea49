// Everything that reading needs beside plan, site and state: word lists that belong to no lab.
import { englishAsks, type AskWords } from '../lexicon/asks.ts'
import { substanceLexicon, type SubstanceLexicon } from '../lexicon/substances.ts'

export type Vocabulary = {
  readonly substances: SubstanceLexicon
  /** Words that ask for acts, in English. */
  readonly asks: AskWords
}

/** The shipped vocabulary. */
export const vocabulary: Vocabulary = { substances: substanceLexicon, asks: englishAsks }
