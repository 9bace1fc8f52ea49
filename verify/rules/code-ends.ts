// Code that a plan runs has to end by itself.
import { actsOf, breach, unknown, wordsOfRole, type Rule } from './rule.ts'
import { endingOfCode } from './endless.ts'

/** A loop that nothing leaves is refused; one that may end is a person's. */
export const codeEnds: Rule = {
  id: 'code_ends',
  check: ({ scene }) => {
    const read = actsOf(scene, 'run_code').flatMap(({ step, act }) =>
      wordsOfRole(act, 'code').map(({ at, text }) => ({ step, at, ending: endingOfCode(text) })),
    )
    return {
      breaches: read
        .filter(({ ending }) => ending === 'never')
        .map(({ step, at }) => breach('CODE_WITHOUT_END', { step, at }, { verdict: 'reject' })),
      unknowns: read
        .filter(({ ending }) => ending === 'open')
        .map(({ step, at }) =>
          unknown('CODE_WITHOUT_END', { step, at }, 'Whether the code ends is not known.'),
        ),
    }
  },
}
