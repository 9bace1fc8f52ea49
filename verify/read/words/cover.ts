// Which characters of a sentence are already spoken for, so that every look-up costs the length of a
// word and never the number of names.
import type { Span } from './clauses.ts'

export class Cover {
  readonly #taken: Uint8Array

  constructor(length: number, spans: Iterable<Span> = []) {
    this.#taken = new Uint8Array(length)
    for (const span of spans) this.add(span)
  }

  add({ start, end }: Span): void {
    this.#taken.fill(1, start, end)
  }

  /** Every character of the span is covered. */
  holds({ start, end }: Span): boolean {
    for (let i = start; i < end; i++) if (this.#taken[i] !== 1) return false
    return end > start
  }

  /** Some character of the span is covered. */
  touches({ start, end }: Span): boolean {
    for (let i = start; i < end; i++) if (this.#taken[i] === 1) return true
    return false
  }

  at(place: number): boolean {
    return this.#taken[place] === 1
  }
}
