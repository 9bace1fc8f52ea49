// Names of vectors, shared by the loader and the search: one namespace per graph version, so that a
// query can never mix two graphs, and one for each site's nodes in it, so that none reads another's.

/** Sites with nodes have ids of at most so many characters, which fit a namespace. */
export const siteCharsMax = 40

/**
 * Namespace in Vectorize (at most 64 bytes) of a graph version's public nodes, or of one site's. The two
 * forms differ in their third character, so no site's id makes one look like the other.
 */
export const namespaceOf = (version: string, site = ''): string =>
  site === '' ? version.slice(0, 40) : `${version.slice(3, 19)}.${site}`

/** What a site's query may read: the public nodes, and its own where it has any. */
export const namespacesOf = (graph: {
  readonly version: string
  readonly site: string
  readonly own: boolean
}): string[] =>
  graph.own && graph.site !== ''
    ? [namespaceOf(graph.version), namespaceOf(graph.version, graph.site)]
    : [namespaceOf(graph.version)]

/** The word that stands for a site in the full text of sites: letters and digits only. */
export const siteToken = (site: string): string =>
  `s${[...new TextEncoder().encode(site)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Row number in the full text of sites, whose table holds both slots. */
export const ownRow = (slot: 0 | 1, rid: number): number => slot * 1_000_000_000 + rid

/** Vector id of a node: short, unique over versions. */
export const vectorId = (version: string, rid: number): string => `${version.slice(3, 19)}:${rid}`

/** The node number in a vector id; null for an id of another make. */
export function ridOfVector(id: string): number | null {
  const rid = /:(\d{1,9})$/.exec(id)?.[1]
  return rid === undefined ? null : Number(rid)
}
