// Splits an instruction into clauses and tells procedure from circumstance. A plan that rests on a
// circumstance which no node checks asks somebody to believe its text (POL-15).
import grammar from './grammar.json' with { type: 'json' }
import { ofTexts, remembered } from './remembered.ts'
import { tokenise } from './words.ts'

const conditionals = new Set(grammar.conditionals)
const finiteVerbs = new Set(grammar.finite_verbs)
const imperatives = new Set(grammar.imperatives)
const namedNouns = new Set(grammar.named_nouns)
const openers = new Set(grammar.openers)
const partners = new Set(grammar.partners)
const pastFollowers = new Set(grammar.past_followers)
const pluralVerbs = new Set(grammar.plural_verbs)
const reasons = new Set(grammar.reasons)
const subjects = new Set(grammar.subjects)

export type Clause = {
  /** As it was written, with its commas. */
  readonly text: string
  readonly tokens: readonly string[]
  readonly kind: 'procedure' | 'circumstance' | 'condition' | 'phrase'
  /** The circumstance denies something: "has not", "nobody", "no longer". */
  readonly denies: boolean
}

const clauseEnd = /(?<!\b[A-Z]|\bDr)[.;:!?](?=\s|$)|\s[–—-]\s/u
/** A partner that is in some state, or did something, is a circumstance again. */
const pastOrState = new Set(grammar.past_or_state)
const deniers = new Set(grammar.deniers)

function kindOf(whole: readonly string[]): Clause['kind'] {
  const tokens = withoutPurpose(whole)
  const [first] = tokens
  if (first === undefined) return 'phrase'
  if (conditionals.has(first)) return 'condition'
  // A reason or purpose inside an instruction is a story about it, however it begins.
  if (
    tokens.some((token, at) => reasons.has(token) || (token === 'so' && tokens[at + 1] === 'that'))
  ) {
    return 'circumstance'
  }
  // "Do not …" is an instruction in the negative.
  if (first === 'do' || (imperatives.has(first) && !isNamed(tokens))) return 'procedure'
  // "It is not to be thrown away", "must not be moved": the same, said of the thing.
  if (forbidsSomething(tokens)) return 'procedure'
  let i = 0
  while (i < tokens.length && openers.has(tokens[i] ?? '')) i += 1
  const opened = tokens[i] ?? ''
  if (i > 0 && imperatives.has(opened)) return 'procedure'
  const partner = subjects.has(first) && partners.has(tokens[1] ?? '')
  if (partner && !tokens.some((token) => pastOrState.has(token))) return 'procedure'
  if (tokens.some((_, at) => at > 0 && tellsAt(tokens, at))) return 'circumstance'
  // A sentence about somebody without any number is a story even when its verb is not known.
  const counts = first === 'one' && tokens[1] !== 'of' && !subjects.has(tokens[1] ?? '')
  const measured = counts || tokens.some((token) => /^\d/.test(token))
  return subjects.has(first) && !measured && tokens.length > 2 ? 'circumstance' : 'phrase'
}

const modals = new Set(grammar.modals)

/**
 * "… so that the thaw can be followed": what a step is for, in one possibility. It tells nothing of how things are
 * that anybody would have to believe. A purpose that denies, or tells anything else, stays a story.
 */
function withoutPurpose(tokens: readonly string[]): readonly string[] {
  const so = tokens.findIndex((token, at) => token === 'so' && tokens[at + 1] === 'that')
  if (so < 1) return tokens
  const told = tokens.filter((_, at) => at > so && tellsAt(tokens, at))
  const only = told.length === 1 && told.every((token) => modals.has(token))
  const denies = tokens.some((token, at) => at > so && deniers.has(token))
  return only && !denies ? tokens.slice(0, so) : tokens
}

const bans = new Set(['must', 'shall', 'should', 'may'])

function forbidsSomething(tokens: readonly string[]): boolean {
  return tokens.some((token, at) => {
    if (token !== 'not') return false
    const [before, one, two] = [tokens[at - 1] ?? '', tokens[at + 1], tokens[at + 2]]
    return (one === 'to' && two === 'be') || (bans.has(before) && one === 'be')
  })
}

/** `Plate 5 is in hotel 2`: the first word is a noun with its name, and a verb stands behind it. */
function isNamed(tokens: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = tokens
  if (!namedNouns.has(first) || !/^[\p{L}]{0,4}\p{N}*$/u.test(second)) return false
  const at = /^\p{N}/u.test(third) ? 3 : 2
  return (/\p{N}/u.test(second) || at === 3) && tellsAt(tokens, at)
}

/** True when the word is the finite verb of a story. */
export function tellsAt(tokens: readonly string[], at: number): boolean {
  const token = tokens[at] ?? ''
  if (finiteVerbs.has(token)) return true
  const before = tokens[at - 1] ?? ''
  if (pluralVerbs.has(token) && before.endsWith('s') && !before.endsWith('ss')) return true
  return token.endsWith('ed') && pastFollowers.has(tokens[at + 1] ?? '')
}

/** The clauses of one text, commas included when a new subject begins after them. */
export const clausesOf = remembered(
  (raw): readonly Clause[] =>
    raw.split(clauseEnd).flatMap((part) => {
      const tokens = tokenise(part)
      if (tokens.length === 0) return []
      const denies = tokens.some((token) => deniers.has(token))
      return [{ text: part, tokens, kind: kindOf(tokens), denies }]
    }),
  ofTexts,
)
