// Pairs of hazard groups that must not meet in one container, each with what happens.
import type { HazardGroup } from './substances.ts'

type IncompatiblePair = {
  readonly a: HazardGroup
  readonly b: HazardGroup
  /** `always`: also dilute. `strong`: only when neither partner is dilute. */
  readonly when: 'always' | 'strong'
  /** Some pairs are dangerous by themselves, some are ordinary work that a person looks at. */
  readonly ask: 'refuse' | 'person'
  readonly product: string
}

const never = (a: HazardGroup, b: HazardGroup, when: 'always' | 'strong', product: string) => ({
  a,
  b,
  when,
  ask: 'refuse' as const,
  product,
})
const careful = (a: HazardGroup, b: HazardGroup, product: string) => ({
  a,
  b,
  when: 'strong' as const,
  ask: 'person' as const,
  product,
})

export const incompatiblePairs: readonly IncompatiblePair[] = [
  never('acid', 'hypochlorite', 'always', 'chlorine gas'),
  never('ammonia', 'hypochlorite', 'always', 'chloramine gas'),
  never('guanidinium', 'hypochlorite', 'always', 'cyanogen chloride and chlorine'),
  never('organic', 'hypochlorite', 'always', 'chlorinated toxic vapours and heat'),
  never('aldehyde', 'hypochlorite', 'always', 'toxic gas and heat'),
  never('peroxide', 'hypochlorite', 'always', 'rapid oxygen release'),
  never('cyanide', 'hypochlorite', 'always', 'cyanogen chloride'),
  never('azide', 'hypochlorite', 'always', 'toxic and explosive chlorine azide'),
  never('acid', 'azide', 'always', 'hydrazoic acid'),
  never('acid', 'cyanide', 'always', 'hydrogen cyanide'),
  never('acid', 'sulfide', 'always', 'hydrogen sulfide'),
  never('azide', 'halogenated', 'always', 'explosive azides'),
  never('azide', 'heavy_metal', 'always', 'explosive metal azides'),
  never('oxidiser', 'organic', 'strong', 'fire or explosion'),
  never('oxidiser', 'flammable', 'strong', 'fire or explosion'),
  never('strong_oxidiser', 'polyol', 'strong', 'fire'),
  never('peroxide', 'ketone', 'always', 'explosive ketone peroxides'),
  never('water_reactive', 'aqueous', 'always', 'violent gas release'),
  never('water_reactive', 'alcohol', 'always', 'violent gas release'),
  never('acid', 'water_reactive', 'always', 'violent gas release'),
  careful('acid', 'guanidinium', 'toxic thiocyanate products'),
  careful('acid_chloride', 'base', 'violent heat and gas'),
  careful('acid_chloride', 'alcohol', 'violent heat and gas'),
  careful('acid', 'base', 'violent heat'),
  careful('acid', 'carbonate', 'gas in a closed vessel'),
  careful('base', 'halogenated', 'violent reaction'),
]
