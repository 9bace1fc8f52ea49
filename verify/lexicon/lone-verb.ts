// A clause that says one thing: one verb, one subject. "2 mL of acid is added to A1" is such a clause; "The officer
// is content, the exhaust is running, and 2 mL of acid is added" says three, and what is carried out in one of
// them says nothing of the others.
import grammar from './grammar.json' with { type: 'json' }
import { tellsAt, type Clause } from './clauses.ts'
import nouns from './nouns.json' with { type: 'json' }

const auxiliaries = new Set(grammar.order_auxiliaries)
const receivers = new Set(grammar.receivers)
const past = new Set(grammar.past_tense)
const adverbs = new Set(grammar.order_adverbs)
const holds = new Set(grammar.holds)
const joins = new Set(grammar.joins)
const subjects = new Set([...grammar.subjects, ...nouns.determiners])

export type LoneVerb =
  /** `is added`, `shall gently be warmed`: the participle. */
  | { readonly kind: 'passive'; readonly participle: string }
  /** `A1 gets 50 µL`. */
  | { readonly kind: 'receives' }

const isAdverb = (token: string): boolean => adverbs.has(token) || token.endsWith('ly')
const isVerb = (tokens: readonly string[], at: number): boolean =>
  auxiliaries.has(tokens[at] ?? '') || receivers.has(tokens[at] ?? '') || tellsAt(tokens, at)

/** `lowered to 20 °C and held for 5 min`: the same verb goes on, with an amount that steps are compared with. */
const goesOn = (tokens: readonly string[], at: number): boolean =>
  tokens[at - 1] === 'and' && holds.has(tokens[at] ?? '') && /^\d/.test(tokens[at + 2] ?? '')

/** `and the exhaust …`, `with the fan running`: a subject of its own behind a word that joins. */
const isJoined = (tokens: readonly string[]): boolean =>
  tokens.some(
    (token, at) =>
      joins.has(token) &&
      (subjects.has(tokens[at + 1] ?? '') ||
        tokens.slice(at + 1).some((later) => later.endsWith('ing'))),
  )

/** What the only verb of a clause says is done; null: it says more, something else, or is told of the past. */
export function loneVerb({ text, tokens }: Clause): LoneVerb | null {
  // A comma inside a number parts nothing.
  if (/,(?!\d)|[()[\]]/u.test(text) || tokens.some((token) => past.has(token))) return null
  const first = tokens.findIndex((_, at) => isVerb(tokens, at))
  if (first < 0 || isJoined(tokens)) return null
  if (receivers.has(tokens[first] ?? '') && /^\d/.test(tokens[first + 1] ?? '')) {
    return tokens.some((_, at) => at > first && isVerb(tokens, at)) ? null : { kind: 'receives' }
  }
  let at = first
  // `shall`, `is to be`: one verb in several words, adverbs between them.
  while (at < tokens.length && (auxiliaries.has(tokens[at] ?? '') || isAdverb(tokens[at] ?? ''))) {
    at += 1
  }
  const participle = tokens[at]
  if (at === first || participle === undefined) return null
  return tokens.some((_, k) => k > at && isVerb(tokens, k) && !goesOn(tokens, k))
    ? null
    : { kind: 'passive', participle }
}
