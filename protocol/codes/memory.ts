// Codes of failure memory: what was refused or went wrong before, at this site.
export const memoryCodes = {
  MEMORY_MATCH: {
    title: 'The plan is close to one that was refused or failed before.',
    remedy: 'Name the earlier plan in supersedes and mend what its reasons say.',
    cwe: [],
    atlas: [],
  },
  MEMORY_RESOLVED_LINEAGE: {
    title: 'The plan mends an earlier one of its lineage.',
    remedy: 'Nothing to do.',
    cwe: [],
    atlas: [],
  },
} as const
