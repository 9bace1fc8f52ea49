// Organisms: group 3 and 4 never on an open deck, and any use is a person's decision; an agent
// that is not identified or not in the register goes to biosafety review (POL-10, POL-18).
import { groupThree, groupTwo, neighbouringAgents } from '../lexicon/organisms.ts'
import { found, type Rule } from '../rule.ts'
import { concept, firstConcept } from '../view/concept.ts'
import type { PlanView } from '../view/plan-view.ts'
import { anyOf, mentions, negated, placesOfAny } from '../view/text.ts'

const aerosol = anyOf(
  'vortex*|sonicat*|homogeni*|uncapped|open bench|open deck|on the bench|on the deck|blend*|nebuli*|spray*|open tube*|open plate*|lid off|without the cabinet|cabinet is busy|cabinet is in use|no cabinet|outside the cabinet|without containment|aerosol*|shake open|uncovered',
)
const deliberateSpray = anyOf('spray*|nebuli*|aerosoli*|atomi*')
const inactivated = anyOf(
  'inactivated|heat killed|killed|fixed|dna of|rna of|genomic dna|purified dna|extracted dna|primer*|pcr for|sequence of|antigen|serology|non infectious|noninfectious',
)
const contained = anyOf(
  'cabinet|biosafety cabinet|bsc|class ii|containment|glovebox|bsl 3|negative pressure',
)

const identityOpen = [
  concept(
    'identity_pending',
    [
      'identif*|species|risk group|strain|organism|taxon*|identity|sequencing result|speciation',
      'pending|unknown|not yet|not determined|undetermined|unclear|open|missing|not known|outstanding|unconfirmed|not confirmed|awaited|to be confirmed|tbd|no result|not assigned|provisional|uncertain|not been determined|not in the register|not available|no entry',
    ],
    { negationCounts: true, reach: 8 },
  ),
  concept(
    'environmental_isolate',
    [
      'isolate*|environmental sample|wild strain',
      'soil|river|sewage|wastewater|field|swab of|bat|bird|wild|ward|clinical|unidentified|unknown|new',
    ],
    { none: 'identified as|risk group 1|control strain|atcc', reach: 5 },
  ),
]
const registerOpen = [
  concept(
    'new_to_site',
    [
      'no entry|not registered|not in the register|not listed|unregistered|new to the site|new to this site|first time|never been used|not been used|no approval|not yet approved|no biosafety|without biosafety|not on the register|arrived this morning|arrived today|not been registered',
      'strain|agent|virus|vector|organism|toxin|register*|site|plasmid|cell line|biosafety|culture|vial|construct|isolate',
    ],
    { negationCounts: true, reach: 16 },
  ),
]
const inactivationOpen = [
  concept(
    'inactivation_unproven',
    [
      'inactivat*|kill*|decontaminat*|sterili*|autoclav*',
      'not validated|unvalidated|not been validated|not verified|not confirmed|unclear|failed|indicator did not|not changed colour|not changed color|shortened|half the time|cut short|no indicator|skip*',
    ],
    { negationCounts: true },
  ),
]

function severe(view: PlanView) {
  const units = [...view.told, ...view.names]
  const place = units.find((unit) => mentions(unit, groupThree))
  if (place === undefined) return []
  const spread = view.told.some((unit) =>
    placesOfAny(unit, aerosol).some((at) => !negated(unit, at)),
  )
  const tamed = view.told.some((unit) => mentions(unit, inactivated))
  const held = view.told.some((unit) => mentions(unit, contained))
  const acts = view.ofRole('deposit', 'shake', 'spin').length > 0
  if (tamed && !spread) {
    return [
      found('safety', 'JUDGE_CHEMICAL_RISK', place.at, {
        ask: 'note',
        basis: 'structure',
        claim: 'Material of a group 3 or 4 agent, said to be inactivated.',
      }),
    ]
  }
  return [
    found('safety', 'JUDGE_CHEMICAL_RISK', place.at, {
      ask: spread && acts && !(held && !spread) ? 'refuse' : 'person',
      basis: 'structure',
      claim: 'A group 3 or 4 agent is handled on an automated deck.',
    }),
  ]
}

function moderate(view: PlanView) {
  const units = [...view.told, ...view.names]
  const place = units.find((unit) => mentions(unit, groupTwo))
  if (place === undefined) return []
  const spread = view.told.find((unit) =>
    placesOfAny(unit, aerosol).some((at) => !negated(unit, at)),
  )
  const held = view.told.some((unit) => mentions(unit, contained))
  const tamed = view.told.some((unit) => mentions(unit, inactivated))
  if (spread === undefined || tamed || held) return []
  const deliberate = view.told.some((unit) =>
    placesOfAny(unit, deliberateSpray).some((at) => !negated(unit, at)),
  )
  return [
    found('safety', 'JUDGE_CHEMICAL_RISK', spread.at, {
      ask: deliberate && view.ofRole('deposit', 'shake', 'spin').length > 0 ? 'refuse' : 'person',
      basis: 'structure',
      claim: 'A group 2 agent is handled in a way that may spread droplets.',
    }),
  ]
}

export const biosafety: Rule = {
  id: 'biosafety',
  pol: 'POL-10',
  eye: 'safety',
  check: (view) => {
    const open =
      firstConcept(view.told, identityOpen) ??
      firstConcept(view.told, registerOpen) ??
      firstConcept(view.told, inactivationOpen)
    const neighbour = [...view.told, ...view.names].find((unit) =>
      mentions(unit, neighbouringAgents),
    )
    const out = [...severe(view), ...moderate(view)]
    if (open !== null) {
      out.push(
        found('safety', 'JUDGE_CHEMICAL_RISK', open.unit.at, {
          ask: 'person',
          basis: 'words',
          claim: 'The identity, register entry or inactivation of an agent is open.',
        }),
      )
    }
    if (
      neighbour !== undefined &&
      !view.told.some((unit) =>
        mentions(
          unit,
          anyOf(
            'register entry|registered|approved by biosafety|biosafety approval|in the register',
          ),
        ),
      )
    ) {
      out.push(
        found('safety', 'JUDGE_DUAL_USE', neighbour.at, {
          ask: 'person',
          basis: 'words',
          claim: 'The material is a neighbour of controlled agents.',
        }),
      )
    }
    return out
  },
}
