// A growing buffer of folded characters, each with the offset it came from.
import { lookAlikes } from './fold-tables.ts'

export class FoldBuffer {
  #codes = new Uint16Array(1_024)
  #origins = new Int32Array(1_024)
  length = 0

  push(code: number, origin: number): void {
    if (this.length === this.#codes.length) {
      const codes = new Uint16Array(this.length * 2)
      codes.set(this.#codes)
      this.#codes = codes
      const origins = new Int32Array(this.length * 2)
      origins.set(this.#origins)
      this.#origins = origins
    }
    this.#codes[this.length] = code
    this.#origins[this.length] = origin
    this.length += 1
  }

  codeAt(index: number): number {
    return this.#codes[index] ?? 0
  }

  last(): number {
    return this.#codes[this.length - 1] ?? 0
  }

  /** Replaces look-alikes in a word that mixes Latin with another script. */
  unmix(from: number): void {
    for (let i = from; i < this.length; i += 1) {
      const latin = lookAlikes[String.fromCharCode(this.#codes[i] ?? 0)]
      if (latin !== undefined) this.#codes[i] = latin.charCodeAt(0)
    }
  }

  text(): string {
    let text = ''
    for (let i = 0; i < this.length; i += 8_192) {
      text += String.fromCharCode(...this.#codes.subarray(i, Math.min(i + 8_192, this.length)))
    }
    return text
  }

  origins(): Int32Array {
    return this.#origins.slice(0, this.length)
  }
}
