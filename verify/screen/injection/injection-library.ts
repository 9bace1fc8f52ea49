// The tables of the screen in one value: patterns, phrases, vocabulary. Built once, then shared.
import { loadInjectionSets } from '../../lexicon/injection.ts'
import phrasesFile from '../../lexicon/injection/phrases.json' with { type: 'json' }
import vocabularyFile from '../../lexicon/injection/vocabulary.json' with { type: 'json' }
import { CleanTexts } from './clean.ts'
import { buildPhrasebook, type Phrasebook } from './fuzzy.ts'
import { compileLibrary, type PatternLibrary } from './library.ts'
import { reverse, rot13 } from './respell.ts'
import { buildSegmenter, type Segmenter } from './segment.ts'
import type { PatternSet } from './types.ts'
import { WordTable } from './words.ts'

/** The screen's tables, built once for each set of patterns and kept by the caller. */
export interface InjectionLibrary {
  readonly patterns: PatternLibrary
  readonly phrasebook: Phrasebook
  readonly segmenter: Segmenter
  readonly words: WordTable
  readonly clean: CleanTexts
}

let loaded: readonly PatternSet[] | null = null

/** The shipped pattern sets, read on first use. */
export function shippedSets(): readonly PatternSet[] {
  loaded ??= loadInjectionSets()
  return loaded
}

/** Builds the tables from the shipped sets and, in addition, a site's own. Takes milliseconds. */
export function buildInjectionLibrary(siteSets: readonly PatternSet[] = []): InjectionLibrary {
  const phrasebook = buildPhrasebook(phrasesFile.phrases)
  const vocabulary = vocabularyFile.words
  const core = vocabulary.filter((x) => x.length >= 4)
  const segmenter = buildSegmenter(vocabulary)
  const turned = { rot13: new Set(core.map(rot13)), reversed: new Set(core.map(reverse)) }
  return {
    patterns: compileLibrary([...shippedSets(), ...siteSets]),
    phrasebook,
    segmenter,
    words: new WordTable(phrasebook, segmenter, turned),
    clean: new CleanTexts(),
  }
}

let shipped: InjectionLibrary | null = null

/** The library without site patterns, built on first use. */
export function defaultInjectionLibrary(): InjectionLibrary {
  shipped ??= buildInjectionLibrary()
  return shipped
}
