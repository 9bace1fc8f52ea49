// Everything that reading needs beside plan, site and state: word lists that belong to no lab.
import { substanceLexicon, type SubstanceLexicon } from '../lexicon/substances.ts'

export type Vocabulary = { readonly substances: SubstanceLexicon }

/** The shipped vocabulary. */
export const vocabulary: Vocabulary = { substances: substanceLexicon }
