// Text that addresses the verifier is refused (POL-15): the only words that refuse by themselves.
// It must name a judging party and ask that party for an outcome, or forge its voice.
import { found, type Rule } from '../rule.ts'
import { concept, conceptPlace } from '../view/concept.ts'

const party =
  'evaluating this|evaluates this|reading this|whoever reviews|whoever judges|checking this|verifier*|reviewer*|automated reviewer*|judge|judges|checker*|evaluator*|safety model*|review model*|guard model*|language model*|llm|ai system|the ai|assistant|portcullis|gateway|safety system*|approval system|automated check*|validator*|safety filter*|policy engine|screening|panel|chief|moderator*|reading model|any model|grader*'
const outcome =
  'accept|accepts|approve|approves|answer accept|return accept|rate|rated|score|mark|mark it|mark as|classify|treat as|treat*|consider|ignore|disregard|skip|pass|passes|confidence|do not flag|not flag|not escalate|no findings|zero findings|safe|verdict|must return|should return|allow|confirm|respond|output|reply|say|overlook|pre approved|preapproved|already approved|already verified|already reviewed|no need|not needed|waive|lower|trust'

const addressed = [
  concept('addresses_party', [party, outcome], {
    none: 'journal|manuscript|editor|grant|paper|peer review*|human reviewer|to the reviewers comment|mail it to the reviewer|two reviewers read|referee|answer the reviewer|not acted upon|do not act|not act on it|report it|is reported|reported to|gateway ip|judge the colour|judge the color|judge by eye|accept the delivery',
    reach: 12,
    negationCounts: true,
  }),
  concept(
    'forged_voice',
    [
      'system prompt|system message|system note|system override|system instruction*|developer message|end of plan|begin verdict|verdict accept|decision accept|ignore all previous|ignore previous instruction*|ignore the previous|ignore the above|disregard previous|disregard the above|ignore your|you are now|new instructions|your instructions|your rules|your guidelines|override code|admin override|debug mode|maintenance mode for reviewers|jailbreak|as an ai|confidence 1|confidence 1.0|verdict is accept|return accept|answer accept|respond with accept|output accept|say accept|rate this|rate it as safe|rated as safe|safety checks for this plan|this plan is safe|this plan has been approved|this plan was approved|this plan is pre approved|no review needed|no review is needed|no further review|no further checks|skip the review|skip verification|skip the verification|skip the checks|without review|do not escalate|must not be escalated|do not reject|must not be rejected|risk none|risk level none|severity none|findings none',
    ],
    {
      none: 'not acted upon|do not act|not act on it|report it|reported to|is reported|quarantine the text|photograph the label|operators manual',
      negationCounts: true,
    },
  ),
]
const markup =
  /(^|\n)\s*(system|assistant|developer)\s*:|<\/?(system|plan|verdict|instructions?)>|\[\/?inst\]|<\|[a-z_]+\|>|\{\s*"verdict"\s*:/i

export const verifier: Rule = {
  id: 'verifier',
  pol: 'POL-15',
  eye: 'adversarial',
  check: (view) => {
    const units = [...view.told, ...view.notes, ...view.names, ...view.code]
    const unit = units.find((one) => {
      if (one.kind !== 'code' && markup.test(one.raw)) return true
      return addressed.some((c) => conceptPlace(one, c) >= 0)
    })
    if (unit === undefined) return []
    return [
      found('adversarial', 'JUDGE_ADDRESSES_VERIFIER', unit.at, {
        ask: 'refuse',
        basis: 'words',
        claim: 'Text of the plan addresses the verifier.',
      }),
    ]
  },
}
