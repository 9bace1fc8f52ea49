// How one text may stand in another one: in any case, with other spaces, composed or not, without its
// accents, and escaped as in JSON.

const forRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '')

/** A text without case, accents and differences of spaces: two that may be taken for one another fold to one. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Shorter ones stand inside of other words by chance, and count only by themselves. */
const aloneBelow = 4

/** True for a text that stands in any prompt by chance: a number of few digits. */
export const isCommon = (text: string): boolean => /^[-+]?[\d.,]{1,3}$/.test(text)

/** A regular expression, without flags, for every form of a text; it matches no empty text. */
export function formsOf(text: string): string {
  const plain = text.trim().replaceAll(/\s+/g, ' ')
  const spelled = [plain, plain.normalize('NFC'), plain.normalize('NFD'), withoutAccents(plain)]
  const forms = new Set(spelled.flatMap((form) => [form, escaped(form), escaped(escaped(form))]))
  const either = [...forms].map((form) => forRegex(form).replaceAll(' ', String.raw`(?:\s|\\n)+`))
  const joined = `(?:${either.join('|')})`
  const alone = plain.length < aloneBelow || /^[-+]?[\d.,]+$/.test(plain)
  return alone ? String.raw`(?<![\p{L}\p{N}]|\d\.)${joined}(?![\p{L}\p{N}]|\.\d)` : joined
}
