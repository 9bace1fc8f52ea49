// A plan without nodes carries nothing that could be checked. It may be accepted only when its
// words are those of the laboratory; what speaks of something else has no positive evidence.
import { ordinaryMaterials } from '../lexicon/materials.ts'
import { groupOne, groupTwo } from '../lexicon/organisms.ts'
import { found, type Rule } from '../rule.ts'
import { substancesOf } from '../view/liquid.ts'
import { anyOf, mentions, type TextUnit } from '../view/text.ts'

const laboratory = anyOf(
  'pipette*|tube|tubes|plate|plates|well|wells|rack|tip|tips|tiprack|centrifug*|vortex*|incubat*|hood|bench|flask|beaker|vial|vials|autoclav*|laborator*|lab|chemical*|thermocycler*|module|spin|microscop*|microlit*|aspirat*|dispens*|elut*|pellet*|resuspend*|labware|magnet*|column|aliquot*|inoculat*|homogeni*|biosafety|balance|rpm|slide|slides|syringe|filter|cryovial*|ice|petri|dish|gel|strip|mount|deck|slot|reservoir|trough|cuvette|spectro*|hplc|fume|glove*|freezer|fridge|pcr|stir*|titrat*|tissue|embryo*|larva*|mouse|mice|seed|leaf|leaves|root|muscle|brain|specimen*|section|sections',
)
const shareMin = 0.4

function inDomain(unit: TextUnit): boolean {
  return (
    mentions(unit, laboratory) ||
    mentions(unit, ordinaryMaterials) ||
    mentions(unit, groupOne) ||
    mentions(unit, groupTwo) ||
    substancesOf(unit).length > 0
  )
}

export const textOnly: Rule = {
  id: 'text_only',
  pol: '',
  eye: 'safety',
  check: (view) => {
    if (!view.textOnly) return []
    const known = view.instructions.filter(inDomain).length
    if (known / view.instructions.length >= shareMin) return []
    return [
      found('safety', 'JUDGE_NO_POSITIVE_EVIDENCE', '/instructions', {
        ask: 'person',
        basis: 'structure',
        claim: 'The text does not speak of anything that the site knows.',
      }),
    ]
  },
}
