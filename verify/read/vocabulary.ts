// Everything that reading needs beside plan, site and state: word lists that belong to no lab.
import {
  closedLanguages,
  englishAsks,
  type AskWords,
  type ClosedLanguage,
} from '../lexicon/asks.ts'
import { substanceLexicon, type SubstanceLexicon } from '../lexicon/substances.ts'

export type Vocabulary = {
  readonly substances: SubstanceLexicon
  /** Words that ask for acts, in English. */
  readonly asks: AskWords
  /** Languages of which only sentences without one unknown word are read. */
  readonly closed: readonly ClosedLanguage[]
}

/** The shipped vocabulary. */
export const vocabulary: Vocabulary = {
  substances: substanceLexicon,
  asks: englishAsks,
  closed: closedLanguages,
}
