// A trail read to its end, whether it holds, and as a file.
import type { AuditEntry } from '../../protocol/audit.ts'
import { call, part } from '../api.ts'
import type { TrailOf } from '../state/address.ts'

/** Entries read into a page; a longer trail says so, and `npm run -s export` has all of it. */
export const entriesMax = 20_000

const paths: Record<Exclude<TrailOf, 'site'>, string> = {
  plans: '/v1/reviews',
  sessions: '/v1/sessions',
  templates: '/v1/templates',
}

/** All entries, oldest first. `id` of a site is the site's own name. */
export async function readTrail(of: TrailOf, id: string): Promise<AuditEntry[]> {
  const root = of === 'site' ? '/v1/sites' : paths[of]
  const items: AuditEntry[] = []
  let next: number | null = -1
  while (next !== null && items.length < entriesMax) {
    const answer: { items: AuditEntry[]; next: number | null } = await call(
      'GET',
      `${root}/${part(id)}/audit?after=${next}`,
    )
    items.push(...answer.items)
    next = answer.next
  }
  return items
}

/** Whether each entry follows from the one before it: computed here, not believed. */
export async function chainInWords(items: readonly AuditEntry[]): Promise<string> {
  const { brokenAt } = await import('../../protocol/audit.ts')
  const broken = await brokenAt(items)
  if (broken !== null) return `The chain is broken at entry ${broken}: tell whoever keeps the site.`
  return `The chain holds: ${items.length} entries, each following from the one before it.`
}

/** Entries that hold every word somewhere. */
export function found(items: readonly AuditEntry[], text: string): AuditEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return items.filter(({ actor, event, facts }) => {
    const all = `${actor} ${event} ${JSON.stringify(facts)}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** Saves lines of JSON as a file. */
export function save(name: string, lines: readonly unknown[]): void {
  saveText(
    name,
    lines.map((line) => `${JSON.stringify(line)}\n`),
  )
}

/** Saves a text as a file, made here: nothing is loaded for it. */
export function saveText(name: string, texts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...texts], { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
