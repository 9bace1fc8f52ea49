// What a hit keeps of its weight when the words around it turn the order into a rule or a condition.
import smallWords from '../../lexicon/injection/small-words.json' with { type: 'json' }

/** An order that is negated is a rule, mostly a good one: "never disable the interlock". */
const negators = new Set(smallWords.negators)
export const negatedShare = 0.2

/** "check whether the arm stops if someone tries to bypass it": a condition, not an order. */
const hedges = new Set(smallWords.hedges)
const hedgedShare = 0.6

/** What a hit at `from` keeps of its weight, given the three words in front of it. */
export function shareOf(text: string, from: number, conditional = true): number {
  let end = from - 1
  for (let i = 0; i < 3 && end > 0; i += 1) {
    const start = text.lastIndexOf(' ', end - 1)
    const word = text.slice(start + 1, end)
    if (word === '|') return 1
    if (negators.has(word)) return negatedShare
    if (conditional && hedges.has(word)) return hedgedShare
    // "don t" and "mustn t" after the apostrophe is gone.
    if (word === 't') return negatedShare
    end = start
  }
  return 1
}

const leads = new Set(smallWords.leads)
const connectors = new Set(smallWords.connectors)
const reportedShare = 0.3
/** Words in front of a verb that are looked at for its subject. */
const leadsMax = 6

/**
 * What an order to the reader that begins at `from` keeps: all when it begins a sentence or follows only
 * words that leave it an order ("please", "you must", "and"), little when somebody else is to act ("the
 * officer must approve the plan").
 */
export function shareOfOrder(text: string, from: number): number {
  let end = from - 1
  for (let i = 0; i < leadsMax && end > 0; i += 1) {
    const start = text.lastIndexOf(' ', end - 1)
    const word = text.slice(start + 1, end)
    if (word === '|' || connectors.has(word)) return 1
    if (!leads.has(word)) return reportedShare
    end = start
  }
  return 1
}

const carried = new RegExp(
  `(?:(?:printed|written|glued|stuck|given|found|stated) )?(?:on|in|from) (?:the |this |its |an? )?(?:[^ |]{1,16} ){0,2}?(?:${smallWords.carriers.join('|')}) `,
  'y',
)
const carriedShare = 0.25

/** What a hit that ends at the space `to` keeps: less when its object is printed on a thing in the lab. */
export function shareOfObject(text: string, to: number): number {
  carried.lastIndex = to + 1
  return carried.test(text) ? carriedShare : 1
}

/** Negation in scripts without spaces: in front in Chinese and Thai, behind in Japanese or Korean. */
export function negatedAround(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 6), from)
  const after = text.slice(to, to + 10)
  return (
    /勿|不要|不得|禁止|不可|不能|别|ห้าม|อย่า|لا /.test(before) ||
    /^[^|]{0,4}(?:しない|ない(?:こと|で)|するな|してはいけ|하지 ?(?:마|않)|지 ?마|न करें|मत )/.test(
      after,
    )
  )
}
