// Whether JSON that parses says some key twice in one object. `JSON.parse` keeps the last one in silence:
// then one text is one value to this agent and another to whoever reads the device's log.

const quote = 0x22
const backslash = 0x5c

/** Offset of the quote that ends the string that begins before `from`. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return text.length
}

/**
 * The first key that an object has twice, or null. The text must be JSON that `JSON.parse` takes. One pass,
 * no recursion: an answer may be 16 MB and nested as deep as it likes.
 */
export function keyTwice(text: string): string | null {
  const open: (Set<string> | null)[] = []
  let awaitsKey = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === quote) {
      const end = endOfString(text, i + 1)
      const keys = open.at(-1)
      if (awaitsKey && keys) {
        const key = JSON.parse(text.slice(i, end + 1)) as string
        if (keys.has(key)) return key
        keys.add(key)
      }
      i = end
    } else if (c === 0x7b) {
      open.push(new Set())
      awaitsKey = true
    } else if (c === 0x5b) {
      open.push(null)
      awaitsKey = false
    } else if (c === 0x7d || c === 0x5d) open.pop()
    else if (c === 0x2c) awaitsKey = open.at(-1) !== null
    else if (c === 0x3a) awaitsKey = false
  }
  return null
}
