// Names of Durable Objects and public ids. Ids are opaque, unguessable and carry their kind.

/** Public id kinds. */
export type IdKind =
  | 'plan'
  | 'sess'
  | 'frame'
  | 'jti'
  | 'cred'
  | 'nonce'
  | 'audit'
  | 'sign'
  | 'tmpl'
  | 'stop'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A fresh id `<kind>_<26 base32 characters>` (130 bits) from 26 random bytes. */
export function makeId(kind: IdKind, random: Uint8Array): string {
  if (random.length < 26) throw new RangeError('makeId needs 26 random bytes')
  let out = ''
  for (let i = 0; i < 26; i++) out += alphabet[(random[i] ?? 0) & 31]
  return `${kind}_${out}`
}

/** Name of the object that holds one plan or session: the site is part of it (invariant 6). */
export function objectName(site: string, id: string): string {
  return `${site}/${id}`
}
