// Why a reference or a comparison has no value that may be used: a closed union, in the order in which it
// is looked at. Every one of them ends the session before anything moves.

export const missCodes = [
  // The node is none, or does not come before this one in every order.
  'not_ancestor',
  // It was skipped, has failed, or has not ended.
  'not_succeeded',
  // The signed row of its tool does not declare the pointer.
  'not_declared',
  // No answer came with its report.
  'no_result',
  // The answer was too large, or is no data: it is known by its digest alone.
  'kept_by_digest',
  'no_value',
  'wrong_type',
  // Not finite, −0, or beyond ±(2^53 − 1), before or after conversion.
  'not_exact',
  // The context has no conversion for this place.
  'no_conversion',
  'not_whole',
  'below_min',
  'above_max',
  'not_listed',
  'too_long',
  'malformed',
] as const
export type MissCode = (typeof missCodes)[number]

/** `at`: JSON pointer inside the node that needs the value. */
export type Miss = { readonly code: MissCode; readonly at: string; readonly source: string }
