// Wells, tubes, columns and positions in one canonical form.

/**
 * `a01` → `A1`, `all` → `*`, `COL03` → `col:3`, `row b` → `row:B`, `07` → `7`, `A1-H12` → `A1:H12`.
 * Anything else keeps its spelling in lower case without separators; null for an empty one.
 */
export function canonicalPart(raw: string): string | null {
  const text = raw.normalize('NFKC').trim()
  if (text === '') return null
  if (/^(\*|all(\s?wells)?|any|each|every)$/i.test(text)) return '*'
  const well = wellOf(text)
  if (well !== null) return well
  const range = /^([a-z]{1,2}[-_ ]?\d{1,3})\s?[:–-]\s?([a-z]{1,2}[-_ ]?\d{1,3})$/i.exec(text)
  if (range !== null) {
    const [from, to] = [wellOf(range[1] ?? ''), wellOf(range[2] ?? '')]
    if (from !== null && to !== null) return from === to ? from : `${from}:${to}`
  }
  const column = /^col(?:umn)?[-_ ]?0*(\d{1,3})$/i.exec(text)
  if (column !== null) return `col:${column[1] ?? ''}`
  const row = /^row[-_ ]?([a-z]{1,2})$/i.exec(text)
  if (row !== null) return `row:${(row[1] ?? '').toUpperCase()}`
  const position = /^(?:pos(?:ition)?|slot|well|tube|#)?[-_ ]?0*(\d{1,4})$/i.exec(text)
  if (position !== null) return position[1] ?? null
  return text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '')
    .slice(0, 80)
}

/** `a01` → `A1`; null when it is no well. */
export function wellOf(text: string): string | null {
  const hit = /^([a-z]{1,2})[-_ ]?0*([1-9]\d{0,2})$/i.exec(text)
  return hit === null ? null : `${(hit[1] ?? '').toUpperCase()}${hit[2] ?? ''}`
}

/** True when the text alone has the form of a well, column, row or "all"; `IL-6` and `block_1` have not. */
export function looksLikePart(raw: string): boolean {
  if (/^(?:[a-p]|a[a-f])(?:0?[1-9]|[1-4]\d)$/i.test(raw)) return true
  const part = canonicalPart(raw)
  return part !== null && /^(\*|[A-Z]{1,2}\d+:[A-Z]{1,2}\d+|(col|row):\w+)$/.test(part)
}
