// Words of the injection screen: patterns as data, hits as facts, one result per plan.

export const categories = [
  'override',
  'new-task',
  'role',
  'jailbreak',
  'prompt-leak',
  'fake-turn',
  'reviewer',
  'concealment',
  'exfiltration',
  'safety-bypass',
  'privilege',
  'hidden-text',
  'destruction',
] as const

export type Category = (typeof categories)[number]

/**
 * Where a pattern runs. `words`: lower case, no accents, single spaces, `|` between sentences;
 * tried at the start of each word. `scan`: the same text for scripts without spaces; searched.
 * `raw`: lower case with punctuation kept; searched, and only when one of `needs` occurs.
 */
export type PatternView = 'words' | 'scan' | 'raw'

export interface PatternRow {
  readonly id: string
  readonly category: Category
  /** Evidence in (0, 1]. Rows are combined as 1 − Π(1 − weight). */
  readonly weight: number
  /** Expression with <slot>, ~N (a gap of up to N words, or N characters in `scan`) and % (a word's end). */
  readonly pattern: string
  readonly reason: string
  /** Texts that must hit; the tests and the approval run them. */
  readonly examples: readonly string[]
  /** Texts that come close and must not hit; the tests run them. */
  readonly counter_examples?: readonly string[]
  /** A negation in front ("never disable …") turns an order into a rule and voids the hit. */
  readonly negatable?: boolean
  /** An order to the reader: with another subject in front it keeps little of its weight. */
  readonly order?: boolean
  /** For `raw`: literals of which at least one must occur. */
  readonly needs?: readonly string[]
}

/** One data file. */
export interface PatternSet {
  readonly language: string
  readonly view: PatternView
  /** For `scan`: the script that must occur before the set is tried. */
  readonly script?: Script
  /** For each slot its alternatives, joined by `|`. */
  readonly slots: Readonly<Record<string, string>>
  readonly patterns: readonly PatternRow[]
}

export const scripts = ['han', 'kana', 'hangul', 'thai', 'arabic', 'devanagari'] as const

export type Script = (typeof scripts)[number]

export interface InjectionHit {
  readonly pattern: string
  readonly category: Category
  readonly language: string
  /** Names of the transformations from the text to what matched, e.g. `base64>words`. */
  readonly view: string
  /** JSON pointer of the text in which the match begins. */
  readonly at: string
  /** UTF-16 span in that text; the whole encoded run when the match lies in decoded text. */
  readonly span: readonly [number, number]
  readonly weight: number
}

export type InjectionLevel = 'pass' | 'advisory' | 'warning'

/** Which bound was passed; the screen then answers `warning`. */
export type InjectionLimit = 'TEXTS' | 'CHARS' | 'WORK' | 'DECODED_CHARS' | 'FUZZY_WINDOWS'

export interface InjectionResult {
  /** σ(T) = 0.65·r + 0.35·f, in [0, 1]. */
  readonly sigma: number
  readonly r: number
  readonly f: number
  readonly level: InjectionLevel
  readonly hits: readonly InjectionHit[]
  readonly limit: InjectionLimit | null
}

export interface ScreenText {
  /** JSON pointer into the plan. */
  readonly at: string
  readonly text: string
}

export interface Thresholds {
  readonly advisory: number
  readonly warning: number
}
