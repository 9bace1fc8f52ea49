// Canonical forms of names: exact, same letters in another spelling, or merely alike.
// Danger: a sandbox, signer, domain or identity written so that a reader takes it for a trusted one
// (CWE-1007 visually confusable names, CWE-178 case).

/** Characters that a reader takes for the ASCII one; after NFKD and lower case. */
const lookAlike: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аɑαａᴀ',
    b: 'ЬьβƄʙᏏ',
    c: 'сϲᴄⅽ',
    d: 'ԁɗⅾ',
    e: 'еҽєεℯ',
    f: 'ƒꜰϝ',
    g: 'ɡցɢ',
    h: 'һհн',
    i: 'іıɩιⅰїӏ',
    j: 'јϳ',
    k: 'кκᴋ',
    l: 'ⅼｌɭ',
    m: 'мᴍⅿ',
    n: 'ոпηɴ',
    o: 'оοօσᴏ०০〇',
    p: 'рρϱᴘ',
    q: 'ԛգ',
    r: 'гᴦʀ',
    s: 'ѕꜱʂ',
    t: 'тτᴛ',
    u: 'υսцᴜʋ',
    v: 'ѵνᴠⅴ',
    w: 'ԝωшѡᴡ',
    x: 'хχ×ⅹ',
    y: 'уүγʏ',
    z: 'ᴢʐ',
    '-': '‐‑‒–—−﹣－ー',
    '.': '․。．｡',
    _: '＿',
    '3': 'зЗ',
  }).flatMap(([plain, others]) => Array.from(others, (c): [string, string] => [c, plain])),
)

const invisible = /[\p{Cf}\p{Variation_Selector}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu

/** True when the text holds characters that show nothing. */
export function hasInvisible(text: string): boolean {
  invisible.lastIndex = 0
  return invisible.test(text)
}

const nonAscii = /\P{ASCII}/gu

/** Shows nothing of its own: invisible characters and marks on the letter before. */
const silent = /[\p{Cf}\p{M}\u{115f}\u{1160}\u{3164}\u{ffa0}]/u

const ascii = /^[\u0020-\u007e]*$/

/** Letters only in the Latin script: what is left after look-alikes are resolved. Lower case. */
export function resolveLookAlikes(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKD').toLowerCase()
  if (ascii.test(plain)) return plain
  return plain.replaceAll(nonAscii, (c) => {
    const same = lookAlike.get(c)
    if (same !== undefined) return same
    return silent.test(c) ? '' : c
  })
}

/**
 * The skeleton under which two names read the same: look-alike scripts, case, separators and the
 * pairs 0/o, 1/l/i, 5/s, rn/m, vv/w are one. Idea: Unicode UTS 39, section 4, narrowed to names.
 */
export function skeleton(name: string): string {
  let out = ''
  for (const c of resolveLookAlikes(name)) {
    if (separators.has(c)) continue
    if (c === 'n' && out.endsWith('r')) out = `${out.slice(0, -1)}m`
    else if (c === 'v' && out.endsWith('v')) out = `${out.slice(0, -1)}w`
    else out += sameStroke.get(c) ?? c
  }
  return out
}

const separators = new Set(' \t\n\r\u00a0_.-/:@')

/** Signs that fonts draw alike. */
const sameStroke: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'l'],
  ['i', 'l'],
  ['|', 'l'],
  ['!', 'l'],
  ['5', 's'],
  ['$', 's'],
])

/** Damerau-Levenshtein distance (adjacent swaps), cut off above `max`; O(n·max) time. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let best = i
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
      best = Math.min(best, cost)
    }
    if (best > max) return max + 1
    before = previous
    previous = row
  }
  return previous[b.length] ?? max + 1
}

/** Trailing numbers tell names of one series apart (`box-01`, `box-02`): not a typing slip. */
const seriesStem = (name: string): string => name.replace(/[0-9]+$/, '')

export type Likeness = 'exact' | 'spelling' | 'near' | 'none'

/**
 * How a given name relates to a registered one. `spelling`: reads the same but is written otherwise.
 * `near`: one slip in a name of six letters or more, or the registered name with a known prefix.
 */
export function likeness(given: string, registered: string): Likeness {
  if (given === registered) return 'exact'
  const a = skeleton(given)
  const b = skeleton(registered)
  if (a === b) return 'spelling'
  if (b.length < 6) return 'none'
  if (/^(?:mcp)?(?:__)/.test(given) && a.endsWith(b)) return 'spelling'
  const [x, y] = [resolveLookAlikes(given), resolveLookAlikes(registered)]
  const siblings = seriesStem(x) === seriesStem(y) && x !== y
  if (siblings) return 'none'
  return editDistance(x, y, 1) <= 1 ? 'near' : 'none'
}

/** The registered name that `given` imitates without being one of them; null when there is none. */
export function imitated(
  given: string,
  registered: Iterable<string>,
): { readonly name: string; readonly how: 'spelling' | 'near' } | null {
  let found: { readonly name: string; readonly how: 'spelling' | 'near' } | null = null
  for (const name of registered) {
    const how = likeness(given, name)
    if (how === 'exact') return null
    if (how === 'spelling') found = { name, how }
    else if (how === 'near') found ??= { name, how }
  }
  return found
}
