// A refusal that is expected is a value; only programmer mistakes throw.

/** Either a value or a closed refusal. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({
  ok: false,
  error,
})

/** Marks a branch that the types say cannot be reached; reaching it is a programmer mistake. */
export function unreachable(value: never): never {
  throw new TypeError(`unreachable: ${JSON.stringify(value)}`)
}
