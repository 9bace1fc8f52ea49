// Which characters of a sentence are already spoken for, so that every look-up costs the length of a
// word and never the number of names.
import type { Span } from './clauses.ts'

export class Cover {
  readonly #length: number
  /** Made when something is covered: most sentences have nothing to cover. */
  #taken: Uint8Array | null = null

  constructor(length: number, spans: Iterable<Span> = []) {
    this.#length = length
    for (const span of spans) this.add(span)
  }

  add({ start, end }: Span): void {
    this.#taken ??= new Uint8Array(this.#length)
    this.#taken.fill(1, start, end)
  }

  /** Every character of the span is covered. */
  holds({ start, end }: Span): boolean {
    const taken = this.#taken
    if (taken === null) return false
    for (let i = start; i < end; i++) if (taken[i] !== 1) return false
    return end > start
  }

  /** Some character of the span is covered. */
  touches({ start, end }: Span): boolean {
    const taken = this.#taken
    if (taken === null) return false
    for (let i = start; i < end; i++) if (taken[i] === 1) return true
    return false
  }

  at(place: number): boolean {
    return this.#taken?.[place] === 1
  }
}
