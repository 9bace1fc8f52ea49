// Accept needs positive evidence: every liquid holds at least one word that the site's common
// vocabulary knows, and nothing is unlabelled or unidentified (POL-18).
import { unidentifiedMaterial } from '../lexicon/materials.ts'
import { found, type Rule } from '../rule.ts'
import { str } from '../view/roles.ts'
import { anyOf, mentions } from '../view/text.ts'

const disposal = anyOf('report*|photograph|quarantine|set aside|ask')

export const knownMaterials: Rule = {
  id: 'known_materials',
  pol: 'POL-18',
  eye: 'safety',
  check: (view) => {
    const open = [...view.told, ...view.names].find((unit) => mentions(unit, unidentifiedMaterial))
    const handles = view.ofRole('deposit', 'aspirate', 'pick', 'store', 'heat', 'spin').length > 0
    const onlyAside =
      view.ofRole('deposit', 'aspirate', 'heat', 'spin').length === 0 &&
      view.told.some((unit) => mentions(unit, disposal)) &&
      view.ofRole('store').every((n) => str(n, 'store_id') === 'quarantine')
    const unlabelled =
      open === undefined || !(handles || view.textOnly) || onlyAside
        ? []
        : [
            found('safety', 'JUDGE_NO_POSITIVE_EVIDENCE', open.at, {
              ask: 'person',
              basis: 'words',
              claim: 'Unlabelled or unidentified material is handled.',
            }),
          ]
    const strange = view.ofRole('deposit', 'aspirate').filter((n) => {
      const named = [str(n, 'liquid'), str(n, 'labware')].some((name) => view.liquid(name).known)
      return !named
    })
    return [
      ...unlabelled,
      ...strange.slice(0, 5).map((n) =>
        found('safety', 'JUDGE_NO_POSITIVE_EVIDENCE', n.at, {
          ask: 'person',
          basis: 'structure',
          claim: 'No word of the liquid names a known material.',
        }),
      ),
    ]
  },
}
