// Hides what a site names from the vendors of models. The same text has the same placeholder in every
// prompt of a plan; the placeholder says of which kind it is. What comes back is put back for people.
// Danger: a text that is hidden in one place and stands in another, or in another spelling; so prompts are
// hidden value by value where they are made, and looked through once more where they leave (`reveals`).
import type { HideRule } from '../../protocol/hide.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Registry } from '../../protocol/registry.ts'
import { collect, patternsOf, type Kept } from './collect.ts'
import { anyDoubtful } from './doubtful.ts'
import { folded, formsOf, isCommon } from './forms.ts'

export type Hiding = {
  /** The value with placeholders, for a prompt; of keys only those under a named field of arguments. */
  readonly hide: (value: JsonValue) => JsonValue
  readonly hideText: (text: string) => string
  /** True when a value that was hidden differs from what stood there. */
  readonly isHidden: (value: JsonValue) => boolean
  /** True when a text that is about to leave still says what is hidden. */
  readonly reveals: (text: string) => boolean
  /** A model's answer (JSON) with the texts put back. */
  readonly putBack: (answer: string) => string
}

export const nothingHidden: Hiding = {
  hide: (value) => value,
  hideText: (text) => text,
  isHidden: () => false,
  reveals: () => false,
  putBack: (answer) => answer,
}

/** Nothing may leave: a person decides. */
const noVendor: Hiding = { ...nothingHidden, reveals: () => true }

/** A word that stands nowhere in plan or site, so that neither can write a placeholder of its own. */
function markFor(plan: Plan, registry: Registry): string {
  const said = JSON.stringify([plan, registry]).toLowerCase()
  for (let n = 1; ; n += 1) {
    const mark = n === 1 ? 'hidden' : `hidden-${n}`
    if (!said.includes(`[${mark} `)) return mark
  }
}

const never = /(?!)/u

class Hider {
  readonly #mark: string
  readonly #byText: ReadonlyMap<string, string>
  readonly #byFolded: ReadonlyMap<string, string>
  readonly #all: RegExp
  readonly #each: readonly { readonly forms: RegExp; readonly placeholder: string }[]
  readonly #rules: readonly { readonly kind: string; readonly patterns: readonly RegExp[] }[]
  readonly #fields: ReadonlyMap<string, string>
  readonly #guarded: RegExp
  readonly #texts: ReadonlyMap<string, string>

  constructor(rules: readonly HideRule[], kept: readonly Kept[], mark: string) {
    this.#mark = mark
    const counts = new Map<string, number>()
    const placed = kept.map(({ kind, text }) => {
      const n = (counts.get(kind) ?? 0) + 1
      counts.set(kind, n)
      return { text, placeholder: `[${mark} ${kind} ${n}]` }
    })
    // The longest first: a name inside of a longer one would leave the rest of it standing.
    const sorted = placed.toSorted((a, b) => b.text.length - a.text.length)
    const either = (some: readonly { text: string }[]): RegExp =>
      some.length === 0 ? never : new RegExp(some.map(({ text }) => formsOf(text)).join('|'), 'giu')
    this.#all = either(sorted)
    this.#guarded = either(sorted.filter(({ text }) => !isCommon(text)))
    this.#each = sorted.map(({ text, placeholder }) => ({
      forms: new RegExp(`^(?:${formsOf(text)})$`, 'iu'),
      placeholder,
    }))
    this.#byText = new Map(placed.map(({ text, placeholder }) => [text, placeholder]))
    // The first of two that fold to one, as `#each` would find it.
    this.#byFolded = new Map(
      placed.toReversed().map(({ text, placeholder }) => [folded(text), placeholder]),
    )
    this.#texts = new Map(placed.map(({ text, placeholder }) => [placeholder, text]))
    this.#rules = rules.map((rule) => ({ kind: rule.kind, patterns: patternsOf(rule) }))
    this.#fields = new Map(rules.flatMap(({ fields, kind }) => fields.map((name) => [name, kind])))
  }

  /** Numbers that stand in any prompt by chance are hidden only where their field stands. */
  hideNumber(value: number, key: string | null): JsonValue {
    const text = String(value)
    const known = this.#byText.get(text)
    const hidden = known !== undefined && (!isCommon(text) || this.#fields.has(key ?? ''))
    if (hidden) return known
    const matched = this.hideText(text)
    return matched === text || isCommon(text) ? value : matched
  }

  hideText = (text: string): string => {
    const one = (found: string): string =>
      this.#byText.get(found) ??
      this.#byFolded.get(folded(found)) ??
      this.#each.find(({ forms }) => forms.test(found))?.placeholder ??
      `[${this.#mark}]`
    let out = text.replaceAll(this.#all, one)
    for (const { kind, patterns } of this.#rules) {
      for (const pattern of patterns) {
        out = this.#outside(out, (part) => part.replaceAll(pattern, `[${this.#mark} ${kind}]`))
      }
    }
    return out
  }

  /** Changes what stands between placeholders. */
  #outside(text: string, change: (part: string) => string): string {
    return text
      .split(this.#placeholders())
      .map((part, i) => (i % 2 === 0 ? change(part) : part))
      .join('')
  }

  #placeholders(): RegExp {
    return new RegExp(String.raw`(\[${this.#mark}(?: [a-z-]+(?: \d+)?)?\])`)
  }

  /** `inArgs`: the keys are the plan's own. All others are the gateway's, and stay as they are. */
  hide(value: JsonValue, key: string | null, inArgs = false): JsonValue {
    if (typeof value === 'string') return this.hideText(value)
    if (typeof value === 'number') return this.hideNumber(value, key)
    const kind = this.#fields.get(key ?? '')
    if (typeof value === 'boolean' && kind !== undefined) return `[${this.#mark} ${kind}]`
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.hide(item, key, inArgs))
    const below = this.#fields.has(key ?? '')
    const under = (name: string): string => (below ? (key ?? name) : name)
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonValue>).map(([name, item]) => [
        inArgs && below ? this.hideText(name) : name,
        this.hide(item, under(name), inArgs || name === 'args'),
      ]),
    )
  }

  isHidden = (value: JsonValue): boolean => this.#placeholders().test(JSON.stringify(value))

  reveals = (text: string): boolean => {
    const left = text.split(this.#placeholders()).filter((_, i) => i % 2 === 0)
    const patterns = this.#rules.flatMap((rule) => rule.patterns)
    return left.some(
      (part) =>
        part.search(this.#guarded) >= 0 || patterns.some((pattern) => part.search(pattern) >= 0),
    )
  }

  putBack = (answer: string): string =>
    answer
      .split(this.#placeholders())
      .map((part, i) => {
        const text = i % 2 === 0 ? undefined : this.#texts.get(part)
        return text === undefined ? part : JSON.stringify(text).slice(1, -1)
      })
      .join('')
}

/** What is hidden of one plan under the rules of its site; the same for every prompt of the plan. */
export function hidingOf(
  rules: readonly HideRule[] | undefined,
  plan: Plan,
  registry: Registry,
): Hiding {
  if (rules === undefined || rules.length === 0) return nothingHidden
  const kept = collect(rules, plan, registry)
  if (kept.length > limits.hiddenTextsMax || anyDoubtful(kept, rules, plan, registry)) {
    return noVendor
  }
  const hider = new Hider(rules, kept, markFor(plan, registry))
  const { hideText, isHidden, reveals, putBack } = hider
  return { hide: (value) => hider.hide(value, null), hideText, isHidden, reveals, putBack }
}
