// JSON pointers (RFC 6901) into a value that a peer may have named: own members only, plain indexes.
import { valueAt as valueOf } from '../../protocol/pointer.ts'

/** The value at a pointer, or undefined when it names nothing. Malformed pointers name nothing. */
export function valueAt(root: unknown, pointer: string): unknown {
  const isPointer = pointer.startsWith('/') && !/~(?![01])/.test(pointer)
  return isPointer ? valueOf(root, pointer) : undefined
}
