// Puts word boundaries back into text that hides them: "i g n o r e", "1gn0r3a11", "ig nore".
// A small vocabulary in a trie; the split with the fewest unknown characters wins.

/** Letters that leet cannot tell apart share a branch: 1 and ! stand for i as well as for l. */
const branchOf = (code: number): number => {
  const b = code - 97
  return b === 11 ? 8 : b
}

interface Trie {
  readonly next: Int32Array
  /** Index of the word that ends at a node, or −1. */
  readonly word: Int32Array
  readonly words: readonly string[]
}

export interface Segmenter {
  /** The words of a squashed string of a–z, and for each the offset at which it begins. */
  split: (squashed: string) => { words: string[]; starts: number[] }
  /** The vocabulary word that reads like this one once i and l are one letter. */
  spell: (word: string) => string | null
}

const branches = 26
/** Unknown characters cost more than any way of covering them with words. */
const unknownCost = 5
const wordCost = 2
/** A run is split in pieces of this length, so that work and memory stay bounded. */
const pieceChars = 2_048

function buildTrie(words: readonly string[]): Trie {
  const size = words.reduce((sum, word) => sum + word.length, 1)
  const next = new Int32Array(size * branches)
  const word = new Int32Array(size).fill(-1)
  let used = 1
  for (const [index, text] of words.entries()) {
    let node = 0
    for (let i = 0; i < text.length; i += 1) {
      const slot = node * branches + branchOf(text.charCodeAt(i))
      if (next[slot] === 0) {
        next[slot] = used
        used += 1
      }
      node = next[slot] ?? 0
    }
    if (word[node] === -1) word[node] = index
  }
  return { next, word, words }
}

/** Room for one piece, used again for the next. A cost stays far below `costMax`. */
const cost = new Int32Array(pieceChars + 1)
const from = new Int32Array(pieceChars + 1)
const by = new Int32Array(pieceChars + 1)
const branchAt = new Uint8Array(pieceChars)
const costMax = 1_000_000

function splitPiece(
  trie: Trie,
  text: string,
  base: number,
  out: { words: string[]; starts: number[] },
): void {
  const n = text.length
  for (let i = 0; i < n; i += 1) branchAt[i] = branchOf(text.charCodeAt(i))
  cost.fill(costMax, 0, n + 1)
  by.fill(-1, 0, n + 1)
  cost[0] = 0
  const { next, word: ends } = trie
  for (let i = 0; i < n; i += 1) {
    const here = cost[i] ?? 0
    const skip = here + unknownCost + (i > 0 && by[i] !== -1 ? wordCost : 0)
    if (skip < (cost[i + 1] ?? 0)) {
      cost[i + 1] = skip
      from[i + 1] = i
      by[i + 1] = -1
    }
    let node = 0
    for (let j = i; j < n; j += 1) {
      const branch = branchAt[j] ?? branches
      if (branch >= branches) break
      node = next[node * branches + branch] ?? 0
      if (node === 0) break
      const word = ends[node] ?? -1
      if (word >= 0 && here + wordCost <= (cost[j + 1] ?? 0)) {
        cost[j + 1] = here + wordCost
        from[j + 1] = i
        by[j + 1] = word
      }
    }
  }
  const words: string[] = []
  const starts: number[] = []
  for (let at = n; at > 0;) {
    const begin = from[at] ?? 0
    const word = by[at] ?? -1
    const unknown = word < 0
    if (unknown && words.length > 0 && starts.at(-1) === base + at && by[at + 1] === -1) {
      words[words.length - 1] = text[begin] + (words.at(-1) ?? '')
      starts[starts.length - 1] = base + begin
    } else {
      words.push(unknown ? (text[begin] ?? '') : (trie.words[word] ?? ''))
      starts.push(base + begin)
    }
    at = begin
  }
  for (let i = words.length - 1; i >= 0; i -= 1) {
    out.words.push(words[i] ?? '')
    out.starts.push(starts[i] ?? base)
  }
}

/** Builds the segmenter; the trie costs about a millisecond. */
export function buildSegmenter(vocabulary: readonly string[]): Segmenter {
  const trie = buildTrie([...new Set(vocabulary)].filter((x) => /^[a-z]+$/.test(x)))
  return {
    split: (squashed) => {
      const out = { words: [] as string[], starts: [] as number[] }
      for (let i = 0; i < squashed.length; i += pieceChars) {
        splitPiece(trie, squashed.slice(i, i + pieceChars), i, out)
      }
      return out
    },
    spell: (word) => {
      let node = 0
      for (let i = 0; i < word.length; i += 1) {
        const branch = branchOf(word.charCodeAt(i))
        if (branch < 0 || branch >= branches) return null
        node = trie.next[node * branches + branch] ?? 0
        if (node === 0) return null
      }
      const found = trie.word[node] ?? -1
      return found < 0 ? null : (trie.words[found] ?? null)
    },
  }
}
