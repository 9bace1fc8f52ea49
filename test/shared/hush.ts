// Lines that the tests of a file expect on the console stay out of the output of a run: what is left there is
// worth reading.
import { afterAll, beforeAll } from 'vitest'

/** Called at the top of a file or of a `describe`: what matches is not printed, everything else is. */
export function hush(...expected: readonly RegExp[]): void {
  const { error, warn } = console
  const quiet =
    (say: typeof error): typeof error =>
    (...words: unknown[]) => {
      if (!expected.some((one) => one.test(words.map(String).join(' ')))) say(...words)
    }
  beforeAll(() => Object.assign(console, { error: quiet(error), warn: quiet(warn) }))
  afterAll(() => Object.assign(console, { error, warn }))
}
