// Meaningless ids of the right form, and a search for names in prose.

export type Names = ReadonlyMap<string, string>

// No vowels and no digits: nothing that reads like a word, a unit or a number.
const letters = 'bcdfghjkmnpqrtvwxz'

/** A maker of ids that never repeat and keep only the form that schemas and patterns ask for. */
export function freshNames(): (like: string) => string {
  let count = 0
  return (like) => {
    let n = (count += 1)
    let tail = ''
    for (let i = 0; i < 4; i += 1) {
      tail += letters[n % letters.length]
      n = Math.floor(n / letters.length)
    }
    const id = `zq${tail}`
    if (like.startsWith('#')) return `#${id}`
    // A host or domain keeps what its pattern fixes: the last labels.
    const host = /^[a-z0-9-]+((?:\.[a-z0-9-]+)*\.(?:[a-z]{2,}))$/.exec(like)
    if (host !== null && /\.(?:internal|example|com|org|net)$/.test(like)) return `${id}${host[1]}`
    if (/^[A-Z]{1,5}-[A-Z0-9-]{1,24}$/.test(like)) return `ZQ-${tail.toUpperCase()}`
    return id
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** `plate_12` also stands in prose as `plate 12` and `Plate-12`. */
function spellings(name: string): string {
  const parts = name.split(/[\s_-]+/).filter((part) => part !== '')
  return parts.map(escaped).join('[\\s_-]?')
}

/**
 * Changes whole names in a text, longest first, whatever their case and separators. Names of one or
 * two letters are left: they are no names in prose.
 */
export function proseRenamer(names: Names): (text: string) => string {
  const fold = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '')
  const byFold = new Map([...names].map(([from, to]) => [fold(from), to]))
  const list = [...names.keys()].filter((name) => fold(name).length > 2)
  if (list.length === 0) return (text) => text
  const alternatives = list
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map((name) => spellings(name))
    .join('|')
  // Inside a longer id it is no name: the arm A1 is not named by the record EQ-ARM-A1.
  const edge = String.raw`[\p{L}\p{N}]`
  const found = new RegExp(`(?<!${edge}[-_.]?)(?:${alternatives})(?![-_.]?${edge})`, 'giu')
  // `Park the arm` names no place: it is a verb with its object.
  const isVerb = (hit: string, before: string, after: string): boolean =>
    /^\p{L}+$/u.test(hit) && /^\s+(?:the|an?)\s/i.test(after) && /(?:^|[.,;:!?]\s*)$/.test(before)
  return (text) =>
    text.replaceAll(found, (hit: string, at: number) =>
      isVerb(hit, text.slice(0, at), text.slice(at + hit.length))
        ? hit
        : (byFold.get(fold(hit)) ?? hit),
    )
}
