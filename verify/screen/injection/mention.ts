// Tells a quoted phrase that is talked about from one that is meant.

/** What a quoted phrase without a payload still counts for: enough to tell the judges. */
export const mentionShare = 0.3
/** A quotation of one clause; longer ones, or ones with more clauses, can carry a payload. */
const quotedCharsMax = 56
const closing: Readonly<Record<string, string>> = {
  "'": "'",
  '"': '"',
  '`': '`',
  '‘': '’',
  '“': '”',
  '„': '“',
  '«': '»',
  '「': '」',
}

/**
 * True when a hit lies in a quotation of one short clause inside a longer text: text about an
 * attack, not an attack, which would need its payload in a further clause or outside the quotes,
 * where it counts in full. The rule reads the form only; no word switches anything off.
 */
export function isMention(source: string, span: readonly [number, number]): boolean {
  const [from, to] = span
  const before = source.slice(Math.max(0, from - quotedCharsMax), from)
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const close = closing[before[i] ?? '']
    if (close === undefined) continue
    const open = from - before.length + i
    if (open < 8 || !/[\s(\x5b{:=#]/.test(source[open - 1] ?? '')) return false
    // The value of a field is content, whatever its quotes look like.
    if (/["'] ?[:=] ?$/.test(source.slice(Math.max(0, open - 4), open))) return false
    const end = source.indexOf(close, to)
    const content = source.slice(open + 1, end)
    if (end < 0 || content.length > quotedCharsMax || /[.,;:!?\n]| and /.test(content)) return false
    return !/[\p{L}\p{N}]/u.test(source[end + 1] ?? '')
  }
  return false
}
