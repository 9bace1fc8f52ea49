// Bounds of the injection screen. Past any of them the answer is `warning` with the bound's name.

export const injectionLimits = {
  /** As many strings as a plan can hold values. */
  textsMax: 20_000,
  /** More than the bytes of the largest plan. */
  charsMax: 400_000,
  /** Pattern trials over all texts and views; a 120 KB plan of ordinary prose needs about 40,000. */
  attemptsMax: 400_000,
  /** Characters produced by decoding, over all texts; base64 in base64 shrinks, so this is ample. */
  decodedCharsMax: 400_000,
  /** Decoded runs of one text (a table of hashes has many and none decodes to prose). */
  runsMax: 2_000,
  /** Encodings inside encodings. */
  depthMax: 3,
  /** Comparisons by edit distance, the only costly step. */
  fuzzyWindowsMax: 2_000,
  /** Hits kept per result; the score counts all of them. */
  hitsMax: 64,
  /** Rows of a site's own pattern set, and the characters one of its matches can span. */
  siteRowsMax: 200,
  matchCharsMax: 700,
  /** Steps of one trial per character it reads. */
  trialStepsMax: 400,
} as const
