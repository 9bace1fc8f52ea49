// Bounds of the injection screen. Past any of them the answer is `warning` with the bound's name.

export const injectionLimits = {
  /** As many strings as a plan can hold values. */
  textsMax: 20_000,
  /** More than the bytes of the largest plan. */
  charsMax: 400_000,
  /** Units of pattern trials (see `costOf`) over all views: ordinary texts need up to 20 a character. */
  workBase: 30_000,
  workPerChar: 28,
  /** Failed trials of one costly pattern in one text: a base, and one for so many characters. */
  failsBase: 200,
  failsCharsPerTrial: 40,
  /** Characters produced by decoding, over all texts; base64 in base64 shrinks, so this is ample. */
  decodedCharsMax: 400_000,
  /** Encodings inside encodings. */
  depthMax: 3,
  /** Comparisons by edit distance, the only costly step: a base, and one for so many characters. */
  fuzzyBase: 256,
  fuzzyCharsPerWindow: 40,
  /** Hits kept per result; the score counts all of them. */
  hitsMax: 64,
  /** Rows of a site's own pattern set, and the characters one of its matches can span. */
  siteRowsMax: 200,
  matchCharsMax: 700,
  /** Ways in which one trial can walk, and steps for each character it reads. */
  trialPathsMax: 60_000,
  trialStepsMax: 400,
} as const

/**
 * Thresholds set where the false-alarm rate on the development texts stays under its bound
 * (`advisory` 5 %, `warning` 1 %), not where F1 is best: see docs/screen-injection.md.
 */
export const defaultThresholds = { advisory: 0.25, warning: 0.35 } as const
