// Pages of a list. A cursor says where the next page starts; it carries no authority, since every
// query binds the site of the credential again.
import { z } from 'zod'
import { decodeBase64url, encodeBase64url } from '../protocol/base64url.ts'
import { limits } from '../protocol/limits.ts'

/** The place after which a page starts: a time and an id, in the order of the list. */
export type Cursor = { at_ms: number; id: string }

const cursorSchema = z.tuple([z.int().min(0), z.string().max(limits.idCharsMax)])

export function encodeCursor(cursor: Cursor): string {
  return encodeBase64url(new TextEncoder().encode(JSON.stringify([cursor.at_ms, cursor.id])))
}

function decodeCursor(text: string): Cursor | null {
  const bytes = decodeBase64url(text)
  if (bytes === null) return null
  try {
    const parsed = cursorSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
    return parsed.success ? { at_ms: parsed.data[0], id: parsed.data[1] } : null
  } catch {
    return null
  }
}

/** `?limit=` and `?after=` of every list. */
export const pageQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^[0-9]{1,4}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(limits.listPageMax))
    .optional()
    .describe(`Entries of a page, 1 to ${limits.listPageMax}; left out: as many as that.`),
  after: z
    .string()
    .max(200)
    .transform((text, ctx): Cursor => {
      const cursor = decodeCursor(text)
      if (cursor !== null) return cursor
      ctx.addIssue({ code: 'custom', message: 'not a cursor of this list' })
      return z.NEVER
    })
    .optional()
    .describe('The `next` of the page before.'),
})

/** Cuts rows, of which one more than a page was read, into a page and the next cursor. */
export function page<Row, View>(
  rows: readonly Row[],
  limit: number,
  see: { view: (row: Row) => View; cursor: (row: Row) => Cursor },
): { items: View[]; next: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => see.view(row)),
    next: rows.length > limit && last !== undefined ? encodeCursor(see.cursor(last)) : null,
  }
}
