// Reading one row of the window. It was checked before it was written, perhaps by the release after this
// one: a field that is not known here is left alone, a value that cannot be read is the careful one.
import { windowEntrySchema, type WindowEntry } from '../../protocol/snapshot.ts'
import { verdictSchema } from '../../protocol/verdict.ts'

/** A verdict of a later release counts as a rejection: nothing is missed because of it. */
const row = windowEntrySchema.extend({ verdict: verdictSchema.nullable().catch('reject') }).strip()

/** One entry of the window; null when nothing in it can be read. */
export function readWindowEntry(text: string): WindowEntry | null {
  try {
    const read = row.safeParse(JSON.parse(text))
    if (read.success) return read.data
  } catch {
    // Not even JSON: said below like every other row that cannot be read.
  }
  console.error(JSON.stringify({ event: 'window_row_unreadable' }))
  return null
}
