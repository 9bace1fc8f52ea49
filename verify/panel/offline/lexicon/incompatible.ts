// Pairs of hazard groups that must not meet in one container, each with what happens.
import type { HazardGroup } from './substances.ts'

export type IncompatiblePair = {
  readonly a: HazardGroup
  readonly b: HazardGroup
  /** `always`: also dilute. `strong`: only when neither partner is dilute. */
  readonly when: 'always' | 'strong'
  readonly product: string
}

const pair = (a: HazardGroup, b: HazardGroup, when: 'always' | 'strong', product: string) => ({
  a,
  b,
  when,
  product,
})

export const incompatiblePairs: readonly IncompatiblePair[] = [
  pair('acid', 'hypochlorite', 'always', 'chlorine gas'),
  pair('ammonia', 'hypochlorite', 'always', 'chloramine gas'),
  pair('guanidinium', 'hypochlorite', 'always', 'cyanogen chloride and chlorine'),
  pair('organic', 'hypochlorite', 'always', 'chlorinated toxic vapours and heat'),
  pair('aldehyde', 'hypochlorite', 'always', 'toxic gas and heat'),
  pair('peroxide', 'hypochlorite', 'always', 'rapid oxygen release'),
  pair('cyanide', 'hypochlorite', 'always', 'cyanogen chloride'),
  pair('azide', 'hypochlorite', 'always', 'toxic and explosive chlorine azide'),
  pair('acid', 'azide', 'always', 'hydrazoic acid'),
  pair('acid', 'cyanide', 'always', 'hydrogen cyanide'),
  pair('acid', 'sulfide', 'always', 'hydrogen sulfide'),
  pair('acid', 'guanidinium', 'strong', 'toxic thiocyanate products'),
  pair('azide', 'halogenated', 'always', 'explosive azides'),
  pair('azide', 'heavy_metal', 'always', 'explosive metal azides'),
  pair('oxidiser', 'organic', 'strong', 'fire or explosion'),
  pair('oxidiser', 'flammable', 'strong', 'fire or explosion'),
  pair('peroxide', 'ketone', 'always', 'explosive ketone peroxides'),
  pair('water_reactive', 'aqueous', 'always', 'violent gas release'),
  pair('water_reactive', 'alcohol', 'always', 'violent gas release'),
  pair('acid_chloride', 'base', 'strong', 'violent heat and gas'),
  pair('acid_chloride', 'alcohol', 'strong', 'violent heat and gas'),
  pair('acid', 'base', 'strong', 'violent heat'),
  pair('acid', 'carbonate', 'strong', 'gas in a closed vessel'),
  pair('acid', 'water_reactive', 'always', 'violent gas release'),
  pair('base', 'halogenated', 'strong', 'violent reaction'),
]
