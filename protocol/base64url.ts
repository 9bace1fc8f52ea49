// Strict base64url (RFC 4648 §5, no padding). Loose decoders accept altered last characters, so
// decoding encodes again and compares: exactly one text stands for one byte string.

/** Bytes → unpadded base64url. */
export function encodeBase64url(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += 8192) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 8192))
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Unpadded base64url → bytes, or null when the text is not the one canonical spelling. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return encodeBase64url(bytes) === text ? bytes : null
}
