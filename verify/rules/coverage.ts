// The closed world of rules that judge alone: for acts on barriers, energy, motion, speech and change,
// and for anything held, agreement of text and steps is no permission. Permission is an approved rule
// or limit of the site that covers this act on this thing.
import { needsCover } from '../../protocol/acts.ts'
import { unknown, type Rule } from './rule.ts'

/** Tools that nobody described, and acts that nothing covers. */
export const coverage: Rule = {
  id: 'coverage',
  check: ({ scene, trace }) => {
    const covered = new Set(trace.covered.map(({ step, act }) => `${step}/${act}`))
    return {
      unknowns: [
        ...scene.steps
          .filter((step) => step.opaque !== null)
          .map((step) =>
            unknown('TOOL_NOT_DESCRIBED', { step }, 'What the call does is not described.', {
              why: step.opaque ?? '',
              arguments: step.uncovered.join(' ').slice(0, 200),
            }),
          ),
        ...scene.steps.flatMap((step) =>
          step.acts.flatMap((act, i) =>
            needsCover.has(act.family) && !covered.has(`${step.i}/${i}`)
              ? [
                  unknown(
                    'ACT_NOT_COVERED',
                    { step },
                    'No approved rule or limit covers the act.',
                    {
                      act: act.act,
                    },
                  ),
                ]
              : [],
          ),
        ),
      ],
    }
  },
}
