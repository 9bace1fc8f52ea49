// Codes of the knowledge-graph look-ups (verify/ground): known pairs and limits, over the whole plan.
export const groundCodes = {
  HAZARD_INCOMPATIBLE_PAIR: {
    title: 'Two materials that are incompatible meet in one place.',
    remedy: 'Keep the two materials apart, or use another waste stream.',
    cwe: [],
    atlas: [],
  },
  HAZARD_LIMIT_EXCEEDED: {
    title: 'An argument exceeds a known limit of the device.',
    remedy: 'Stay within the limit of the device.',
    cwe: ['CWE-1284'],
    atlas: [],
  },
  HAZARD_STATE: {
    title: 'A known hazardous state arises over several steps.',
    remedy: 'Bring the device to a safe state between the steps.',
    cwe: [],
    atlas: [],
  },
} as const
