// Codes of the long-window monitor (state in SiteHub, rules in verify/screen).
export const windowCodes = {
  WINDOW_SPLIT_INSTRUCTIONS: {
    title: 'Instructions of recent plans together form what one plan may not ask.',
    remedy: 'Submit the whole task as one plan.',
    cwe: ['CWE-799'],
    atlas: ['AML.T0051'],
  },
  WINDOW_PROBING: {
    title: 'The plan is a near-copy of one that was refused a short time ago.',
    remedy: 'Name the refused plan in supersedes and mend what its reasons say.',
    cwe: ['CWE-799'],
    atlas: ['AML.T0042'],
  },
  WINDOW_REJECTION_BURST: {
    title: 'Many plans of this planner were refused in a short time.',
    remedy: 'Stop submitting; a person looks at the planner first.',
    cwe: ['CWE-799'],
    atlas: ['AML.T0042'],
  },
  WINDOW_CAPABILITY_CREEP: {
    title: 'The planner’s use of capabilities grows steadily beyond its habit.',
    remedy: 'Expect a review.',
    cwe: ['CWE-269'],
    atlas: [],
  },
  WINDOW_COLLUSION: {
    title: 'Several planners submit parts that together form one refused plan.',
    remedy: 'Submit the whole task as one plan.',
    cwe: ['CWE-799'],
    atlas: [],
  },
  WINDOW_RETRIES: {
    title: 'The lineage of this plan has been refused too often.',
    remedy: 'A person decides about further versions.',
    cwe: ['CWE-799'],
    atlas: ['AML.T0042'],
  },
} as const
