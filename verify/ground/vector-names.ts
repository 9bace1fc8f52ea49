// Names of vectors, shared by the loader and the search: one namespace per graph version, so that a
// query can never mix two graphs.

/** Namespace of a graph version in Vectorize (at most 64 bytes). */
export const namespaceOf = (version: string): string => version.slice(0, 40)

/** Vector id of a node: short, unique over versions. */
export const vectorId = (version: string, rid: number): string => `${version.slice(3, 19)}:${rid}`

/** The node number in a vector id; null for an id of another make. */
export function ridOfVector(id: string): number | null {
  const rid = /:(\d{1,9})$/.exec(id)?.[1]
  return rid === undefined ? null : Number(rid)
}
