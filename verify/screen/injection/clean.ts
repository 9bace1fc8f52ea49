// Texts in which nothing was found, and what reading them took. A plan is screened when it is submitted and
// again when it is bound, and plans share their small words: a text that is known to be clean is charged to
// the budget as if it were read. What is found never comes from here, only that there is nothing to find.
import type { Budget } from './budget.ts'

interface Cost {
  readonly work: number
  readonly decodedChars: number
  readonly fuzzyWindows: number
}

/** Texts kept, and the longest of them; past the first bound the memory starts anew. */
const textsMax = 4_096
const charsMax = 400

/** What is left of a budget, to tell later what was taken. */
export const leftOf = ({ work, decodedChars, fuzzyWindows }: Budget): Cost => ({
  work,
  decodedChars,
  fuzzyWindows,
})

export class CleanTexts {
  #costs = new Map<string, Cost>()

  /** True when the text is known to be clean; its cost is then taken from the budget. */
  charge(text: string, budget: Budget): boolean {
    const cost = this.#costs.get(text)
    if (cost === undefined) return false
    budget.work -= cost.work
    budget.decodedChars -= cost.decodedChars
    budget.fuzzyWindows -= cost.fuzzyWindows
    if (budget.work < 0) budget.passed ??= 'WORK'
    else if (budget.decodedChars < 0) budget.passed ??= 'DECODED_CHARS'
    else if (budget.fuzzyWindows < 0) budget.passed ??= 'FUZZY_WINDOWS'
    return true
  }

  /** Forgets all texts, as a process that has just begun; what is found does not change. */
  forget(): void {
    this.#costs = new Map()
  }

  /** Keeps a text in which nothing was found; `before` is what was left when its reading began. */
  keep(text: string, before: Cost, budget: Budget): void {
    if (text.length > charsMax || budget.passed !== null) return
    if (this.#costs.size >= textsMax) this.#costs = new Map()
    this.#costs.set(text, {
      work: before.work - budget.work,
      decodedChars: before.decodedChars - budget.decodedChars,
      fuzzyWindows: before.fuzzyWindows - budget.fuzzyWindows,
    })
  }
}
