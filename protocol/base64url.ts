// Strict base64url (RFC 4648 §5, no padding): exactly one text stands for one byte string. Loose decoders
// accept altered last characters, so unused bits that are not zero are refused here (§3.5).

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const codeOf = Uint8Array.from(alphabet, (c) => c.charCodeAt(0))
/** Character code → 6 bits, or 64 for every character that is not of the alphabet. */
const bitsOf = new Uint8Array(128).fill(64)
for (const [bits, code] of codeOf.entries()) bitsOf[code] = bits

/** ECMAScript 2026; workerd has it, Node 24 does not. The type libraries do not know it yet. */
type WithNative = {
  toBase64?: (options: { alphabet: 'base64url'; omitPadding: true }) => string
}
const asText = { alphabet: 'base64url', omitPadding: true } as const

/** Bytes → unpadded base64url. */
export function encodeBase64url(bytes: Uint8Array & WithNative): string {
  return bytes.toBase64?.(asText) ?? encodeByTable(bytes)
}

function encodeByTable(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  let o = 0
  for (let i = 0; i < bytes.length; i += 3) {
    // Bytes past the end read as 0; the characters that they would give fall outside `out`.
    const word = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    out[o++] = codeOf[word >> 18] ?? 0
    out[o++] = codeOf[(word >> 12) & 63] ?? 0
    if (o < out.length) out[o++] = codeOf[(word >> 6) & 63] ?? 0
    if (o < out.length) out[o++] = codeOf[word & 63] ?? 0
  }
  let text = ''
  for (let i = 0; i < out.length; i += 4096) {
    text += String.fromCharCode(...out.subarray(i, i + 4096))
  }
  return text
}

/** Unpadded base64url → bytes, or null when the text is not the one canonical spelling. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let o = 0
  let word = 0
  let held = 0
  for (let i = 0; i < text.length; i++) {
    const bits = bitsOf[text.charCodeAt(i)] ?? 64
    if (bits === 64) return null
    word = ((word << 6) | bits) & 0xffff
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[o++] = word >> held
    }
  }
  // Whatever is held now has no byte to go to: it must be zero.
  return (word & ((1 << held) - 1)) === 0 ? bytes : null
}
