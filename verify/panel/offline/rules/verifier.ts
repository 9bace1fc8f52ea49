// Text that addresses the verifier is refused (POL-15): the only words that refuse by themselves.
// It must name a judging party and ask that party for an outcome, or forge its voice.
import { found, type Rule } from '../rule.ts'
import { concept, conceptPlace } from '../view/concept.ts'

const model =
  'verifier*|automated reviewer*|automatic reviewer*|reviewing model|review model*|safety model*|guard model*|language model*|llm|ai system|the ai|portcullis|safety judge*|judge model*|judging model|approving model|any model|the model that|evaluator*|evaluating this|evaluates this|whoever reviews this|whoever judges this|checking this plan|reading this plan|safety filter*|policy engine|automated check*|automated safety|plan checker|plan reviewer*|safety checker|approval system|gateway model|risk model'
const judge =
  'reviewer*|judge|judges|checker*|assistant|validator*|moderator*|grader*|gateway|panel|chief|safety system*'
const wish =
  'accept|accepts|approve|approves|approved|answer|return|rate|rated|score|mark|classify|treat|treats|consider|ignore|disregard|skip|pass|confidence|not flag|not escalate|not reject|no findings|safe|verdict|must|should|allow|confirm|respond|output|reply|overlook|waive|lower|trust|stop reading|low risk|lowest risk|verified'
const strongWish =
  'answer accept|return accept|accept this plan|approve this plan|accept the plan|approve the plan|ignore|disregard|not flag|not escalate|not reject|treat as safe|treat this as safe|treat as verified|already approved|already verified|verdict|confidence 1.0|confidence of 1|rate as safe|mark as safe|mark this plan|approve'

const addressed = [
  concept('addresses_model', [model, wish], {
    none: 'journal|manuscript|not acted upon|do not act|not act on it|report it|train the language model',
    reach: 14,
    negationCounts: true,
  }),
  concept('addresses_judge', [judge, strongWish], {
    none: 'journal|manuscript|editor|grant|peer review*|human reviewer|not acted upon|do not act|not act on it|report it|reported to|judge the colour|judge by eye',
    reach: 7,
    negationCounts: true,
  }),
  concept(
    'forged_voice',
    [
      'verdict for this plan|findings none|severity none|no findings for this|system prompt|system message|system override|developer message|verdict accept|decision accept|ignore all previous|ignore previous instruction*|ignore the previous instruction*|disregard previous instruction*|disregard all previous|ignore your|disregard your|you are now|confidence 1.0|verdict is accept|return accept|answer accept|respond with accept|output accept|rated as safe|rate it as safe|rate it safe|rate this as safe|rate this plan|safety checks for this plan|this plan is safe|this plan has been approved|this plan was approved|this plan is pre approved|plan is already approved|no review is needed|no further review|skip verification|do not escalate|must not be escalated|do not reject this|must not be rejected',
    ],
    {
      none: 'not acted upon|do not act|not act on it|report it|reported to|is reported',
      negationCounts: true,
    },
  ),
]
const forgedRole =
  /(^|\n)\s*(system|assistant|developer)\s*:|<\/?(system|plan|verdict)>|\[\/?inst\]|<\|[a-z_]+\|>|\{\s*"verdict"\s*:/i

export const verifier: Rule = {
  id: 'verifier',
  pol: 'POL-15',
  eye: 'adversarial',
  check: (view) => {
    const units = [...view.told, ...view.notes, ...view.names, ...view.code]
    const unit = units.find((one) => {
      if (one.kind !== 'code' && forgedRole.test(one.raw)) return true
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
