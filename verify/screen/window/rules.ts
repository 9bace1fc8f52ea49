// The figures of the long-window monitor, each with its reason. Effects are flags: history makes a person
// look, it never refuses by itself.

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const windowRules = {
  /** How long an entry is kept: creep needs days, everything else hours. */
  keptMs: 7 * 24 * hourMs,
  /** Bounds of what is kept, so that nobody's flood costs memory or drives out another's history. */
  entriesPerSiteMax: 1_024,
  entriesPerPlannerMax: 128,

  /** A copy later than this is a new attempt, not a probe. */
  probingMs: 24 * hourMs,
  /** Same text or same structure in about seven of ten features. */
  nearCopy: 0.7,

  burstMs: 10 * minuteMs,
  /** Five refusals in ten minutes are no longer mending. */
  burstOfPlanner: 5,
  /** Several planners of one owner together. */
  burstOfOwner: 8,

  /** Instructions split over plans come in one sitting. */
  splitMs: hourMs,
  /** Plans that together carry the instruction, at most. */
  splitPlansMax: 5,

  /** Places and streams keep what was put in for a working day. */
  contentsMs: 8 * hourMs,
  /** Data read is sent soon, or by the name of the record at any time in the window. */
  readThenSendMs: hourMs,

  /** Share of a refused plan that a part must hold to count as a part of it. */
  partAtLeast: 0.12,
  /** Parts that together reach this share are the refused plan. */
  partsTogether: 0.65,
  partsMax: 8,
  /** Refused plans looked at, the most similar first; bounds the work. */
  wholesMax: 20,

  /** Fewer plans than this are no habit. */
  habitPlansMin: 5,
  /** Recent plans in which growth is looked for. */
  creepPlans: 10,
  /** So many of them, each with a capability that was new, are steady growth. */
  creepSteps: 3,

  /** Refused versions of one lineage before a person decides about more. */
  retriesMax: 5,
} as const
