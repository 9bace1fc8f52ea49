// JSON pointers (RFC 6901): every refusal names the place it speaks of.

export type PathStep = string | number

/** Path steps → JSON pointer; '' is the whole document. */
export function toPointer(path: readonly PropertyKey[]): string {
  let out = ''
  for (const step of path) {
    out += `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
  }
  return out
}
