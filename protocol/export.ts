// An export of a site: lines of JSON, each with its digest, chained, in pages that each end with the place where
// the next one starts. Whoever holds it can tell, without us, that no line is changed, missing or out of order;
// the digests of what is deleted later stay in the trail of the site.
import { z } from 'zod'
import { digest } from './digest.ts'
import { jsonValueSchema, type JsonValue } from './json.ts'

export const exportVersion = 1

/** One thing of the site before it has its place. */
export type ExportItem = { readonly kind: string; readonly id: string; readonly value: JsonValue }

const digestText = z.string().regex(/^export:[A-Za-z0-9_-]{43}$/)

export const exportLineSchema = z.strictObject({
  kind: z.string().min(1).max(60),
  id: z.string().max(300),
  /** Over kind, id and value. */
  digest: digestText,
  /** Over the digest and the chain of the line before: '' before the first of a page. */
  chain: digestText,
  value: jsonValueSchema,
})
export type ExportLine = z.infer<typeof exportLineSchema>

/** Value of the first line of a page. */
const headSchema = z.strictObject({
  format: z.literal('portcullis-export'),
  v: z.literal(exportVersion),
  site: z.string(),
  exported_ms: z.number(),
  /** Where this page starts; null for the first. */
  after: z.string().nullable(),
})
export type ExportHead = z.infer<typeof headSchema>

/** Value of the last line of a page. */
const endSchema = z.strictObject({ lines: z.int().min(2), next: z.string().nullable() })

/** The next line after one with this chain. */
export async function exportLine(item: ExportItem, before: string): Promise<ExportLine> {
  const { kind, id, value } = item
  const own = await digest('export', { kind, id, value })
  const chain = await digest('export', { before, digest: own })
  return { kind, id, digest: own, chain, value }
}

/** What is wrong with an export, or how far it goes. */
export type ExportCheck =
  | {
      readonly ok: true
      readonly lines: number
      readonly next: string | null
      readonly site: string
    }
  | { readonly ok: false; readonly line: number; readonly detail: string }

/** Reads a whole export, line by line. `next` of a complete one is null. */
export async function checkExport(lines: AsyncIterable<string>): Promise<ExportCheck> {
  let n = 0
  let chain = ''
  let inPage = 0
  let site: string | null = null
  /** Where the next page has to start; undefined inside of one. */
  let next: string | null | undefined = null
  const wrong = (detail: string): ExportCheck => ({ ok: false, line: n, detail })
  for await (const text of lines) {
    n += 1
    const read = exportLineSchema.safeParse(parsed(text))
    if (!read.success) return wrong('this is no line of an export')
    const line = read.data
    const expected = await exportLine(line, inPage === 0 ? '' : chain)
    if (expected.digest !== line.digest) return wrong('this line was changed')
    if (expected.chain !== line.chain) return wrong('a line before this one is missing or moved')
    chain = line.chain
    inPage += 1
    if (inPage === 1) {
      const head = headSchema.safeParse(line.value)
      if (line.kind !== 'head' || !head.success) return wrong('a page begins with its head')
      if (next === undefined || head.data.after !== next)
        return wrong('a page is missing before this')
      if (n > 1 && head.data.after === null) return wrong('the export ended before this')
      if (site !== null && head.data.site !== site) return wrong('this page is of another site')
      site = head.data.site
      next = undefined
    } else if (line.kind === 'end') {
      const end = endSchema.safeParse(line.value)
      if (!end.success || end.data.lines !== inPage) return wrong('the page says another length')
      next = end.data.next
      inPage = 0
    }
  }
  if (site === null) return wrong('there is nothing in it')
  if (next === undefined) return wrong('the last page is cut off')
  return { ok: true, lines: n, next, site }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
