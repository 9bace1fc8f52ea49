// A value or a sentence that was to be filled in and was not: a template whose hole nobody closed tells
// nothing, and a call that carries its marks writes them into a record or a message.
import lists from '../lexicon/placeholders.json' with { type: 'json' }
import { actsOf, unknown, wordsOfRole, type Rule } from './rule.ts'

const marks = lists.anywhere.map(({ pattern }) => new RegExp(pattern, 'u'))
const empty = new Set(lists.whole)

/** True where a text carries the mark of a hole. */
export const hasHole = (text: string): boolean => marks.some((mark) => mark.test(text))

const saysNothing = (text: string): boolean => empty.has(text.trim().toLowerCase())

/** Programs have braces, dollars and blanks of their own. */
const programs = ['run_code', 'load_program'] as const

/** Holes of a template, in prose and in the arguments. */
export const placeholders: Rule = {
  id: 'placeholders',
  check: ({ scene }) => {
    const coded = new Set(
      actsOf(scene, ...programs).flatMap(({ act }) =>
        ['code', 'program', 'text'].flatMap((role) => wordsOfRole(act, role).map(({ at }) => at)),
      ),
    )
    const prose = [
      { at: '/goal', text: scene.goal },
      ...scene.instructions.map((text, i) => ({ at: `/instructions/${i}`, text })),
    ].filter(({ text }) => hasHole(text))
    const args = scene.steps.flatMap((step) =>
      step.texts
        .filter(({ at }) => !coded.has(at))
        .filter(({ text, role }) => hasHole(text) || (role === 'value' && saysNothing(text)))
        .map(({ at }) => ({ step, at })),
    )
    const what = 'A place that was to be filled in is still open.'
    return {
      unknowns: [
        ...prose.map(({ at }) => unknown('PLACEHOLDER_LEFT', { step: null, at }, what)),
        ...args.map((where) => unknown('PLACEHOLDER_LEFT', where, what)),
      ].slice(0, 20),
    }
  },
}
