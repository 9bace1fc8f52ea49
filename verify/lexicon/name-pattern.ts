// One expression for many declared names, whatever separators they are written with.

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** `door_switch` is also written `door switch`, `Door-switch` and `doorswitch`. */
const spellings = (name: string): string =>
  name
    .split(/[\s_-]+/)
    .filter((part) => part !== '')
    .map(escaped)
    .join(String.raw`[\s_-]?`)

const edge = String.raw`[\p{L}\p{N}]`

/** Finds any of the names where it stands by itself, the longest first; null without names. */
export function namePattern(names: readonly string[]): RegExp | null {
  const spelled = names
    .toSorted((a, b) => b.length - a.length)
    .map(spellings)
    .filter((one) => one !== '')
  return spelled.length === 0
    ? null
    : new RegExp(`(?<!${edge}[-_.]?)(?:${spelled.join('|')})(?![-_.]?${edge})`, 'giu')
}
