// JSON pointers (RFC 6901) into a value that a peer may have named: own members only, plain indexes.

/** The value at a pointer, or undefined when it names nothing. Malformed pointers name nothing. */
export function valueAt(root: unknown, pointer: string): unknown {
  if (!pointer.startsWith('/')) return undefined
  let here: unknown = root
  for (const raw of pointer.slice(1).split('/')) {
    if (/~(?![01])/.test(raw)) return undefined
    const step = raw.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(here)) {
      if (!/^(0|[1-9][0-9]{0,3})$/.test(step)) return undefined
      here = here[Number(step)]
    } else if (typeof here === 'object' && here !== null && Object.hasOwn(here, step)) {
      here = (here as Record<string, unknown>)[step]
    } else return undefined
  }
  return here
}
