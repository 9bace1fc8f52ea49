// Instructions that no step carries out, steps that no instruction asks for, and text that nobody
// read. Agreement of text and steps is necessary for acceptance by rules; silence is no consent.
import type { Step } from '../read/scene.ts'
import { breach, doubt, type Found, type Rule } from './rule.ts'

/** A hidden step of these families acts on people, leaves the lab or takes a guard away. */
function isRefusedWhenHidden(step: Step): boolean {
  return step.acts.some(
    ({ act }) =>
      act === 'send_out' ||
      act === 'administer' ||
      act === 'load_program' ||
      act === 'unlock' ||
      act === 'delete_record',
  )
}

function hidden(step: Step): Found {
  if (step.acts.length > 0 && isRefusedWhenHidden(step)) {
    return {
      breaches: [
        breach('STEP_NOT_ASKED', { step }, { verdict: 'reject', facts: { node: step.node.id } }),
      ],
    }
  }
  return {
    doubts: [doubt('STEP_NOT_ASKED', step.at, 'Which instruction asks for this step?', 'scope')],
  }
}

export const askedFor: Rule = {
  id: 'asked_for',
  check: ({ scene }) => {
    if (scene.text_only) {
      return {
        doubts: [
          doubt(
            'TEXT_ONLY',
            '/nodes',
            'Does the text ask for ordinary work of this lab only?',
            'scope',
          ),
        ],
      }
    }
    const found = scene.unasked.flatMap((i) => {
      const step = scene.steps[i]
      return step === undefined ? [] : [hidden(step)]
    })
    const lost = scene.sentences
      .filter((s) => s.asks.length > 0 && s.carried_by.length === 0 && !s.unread)
      .map((s) =>
        doubt(
          'SENTENCE_NOT_CARRIED',
          `/instructions/${s.instruction}`,
          'Which step carries this instruction out, or who does it by hand?',
          'scope',
        ),
      )
    const unread = scene.sentences
      .filter((s) => s.unread)
      .map((s) =>
        doubt(
          'TEXT_NOT_READ',
          `/instructions/${s.instruction}`,
          'What does this instruction say?',
          'language',
          false,
        ),
      )
    return {
      breaches: found.flatMap((f) => f.breaches ?? []),
      doubts: [...found.flatMap((f) => f.doubts ?? []), ...lost, ...unread],
    }
  },
}
