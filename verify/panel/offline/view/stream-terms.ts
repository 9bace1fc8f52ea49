// Reads what a waste stream accepts out of the site's own description: the words before the first
// "no", "nothing" or "never" are accepted, the words after it are excluded.
import type { HazardGroup } from '../lexicon/substances.ts'
import { anyOf, mentions, textUnit, type Words } from './text.ts'

export type StreamTerms = {
  readonly accepts: ReadonlySet<HazardGroup>
  readonly excludes: ReadonlySet<HazardGroup>
}

const terms: readonly { readonly words: Words; readonly group: HazardGroup }[] = [
  { words: anyOf('acid|acids|acidic'), group: 'acid' },
  { words: anyOf('base|bases'), group: 'base' },
  { words: anyOf('ammoniacal|ammonia'), group: 'ammonia' },
  { words: anyOf('hypochlorite|bleach*'), group: 'hypochlorite' },
  { words: anyOf('oxidiser|oxidisers|oxidizer|oxidizers'), group: 'oxidiser' },
  { words: anyOf('peroxide|peroxides'), group: 'peroxide' },
  { words: anyOf('azide'), group: 'azide' },
  { words: anyOf('cyanide'), group: 'cyanide' },
  { words: anyOf('sulfide|sulphide'), group: 'sulfide' },
  { words: anyOf('guanidin*'), group: 'guanidinium' },
  {
    words: anyOf('organic|organics|non halogenated solvents|halogenated solvents'),
    group: 'organic',
  },
  { words: anyOf('phenol|chloroform'), group: 'halogenated' },
  { words: anyOf('formaldehyde|glutaraldehyde'), group: 'aldehyde' },
  { words: anyOf('buffers|media|aqueous'), group: 'aqueous' },
]

function groupsIn(text: string): Set<HazardGroup> {
  const unit = textUnit(text, { at: '', kind: 'name', node: null })
  const groups = new Set(terms.filter((t) => mentions(unit, t.words)).map((t) => t.group))
  const plain = text.toLowerCase()
  if (/(^|[^-a-z])halogenated/.test(plain) && !plain.includes('non-halogenated')) {
    groups.add('halogenated')
  }
  if (plain.includes('non-halogenated')) groups.add('flammable')
  return groups
}

/** Parses one description; an empty one accepts nothing. */
export function streamTerms(description: string): StreamTerms {
  const cut = description.search(/\b(no|nothing|never)\b/i)
  const before = cut < 0 ? description : description.slice(0, cut)
  const after = cut < 0 ? '' : description.slice(cut)
  const excludes = groupsIn(after)
  const accepts = groupsIn(before)
  for (const group of excludes) accepts.delete(group)
  return { accepts, excludes }
}
