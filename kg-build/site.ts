// A site's own additions: lab context (JSON), manuals (Markdown, text, PDF) and incidents (JSON).
// Danger: a manual can carry instructions for a model. Every text is screened first; what carries
// instructions is quarantined and never enters the graph.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { siteCharsMax } from '../verify/ground/vector-names.ts'
import { slug, tidy, type Category, type GraphBuilder } from './graph.ts'
import { pdfText } from './pdf.ts'
import { Rec, SourceDir, SourceError, stated } from './source.ts'

/** Says whether a text carries instructions for a model; `reason` names what was seen. */
export type Screen = (text: string) => { readonly instructions: boolean; readonly reason: string }

export type Quarantined = { readonly file: string; readonly item: string; readonly reason: string }

export type SiteReport = {
  readonly site: string
  readonly added: number
  readonly quarantined: readonly Quarantined[]
}

/** Bytes of one manual; larger ones are split by their owner. */
const manualBytesMax = 20_000_000
/** Characters of one manual section, so that a section stays one thought. */
const sectionCharsMax = 800

type Ctx = {
  readonly dir: SourceDir
  readonly graph: GraphBuilder
  readonly screen: Screen
  readonly site: string
  readonly quarantined: Quarantined[]
  added: number
}

/** Adds the folder's contents; throws a SourceError on a broken file or a missing screen. */
export async function addSite(
  folder: string,
  screen: Screen | null,
  graph: GraphBuilder,
): Promise<SiteReport> {
  const dir = new SourceDir(folder, {})
  if (screen === null) throw new SourceError(folder, 0, 'an injection screen for site additions')
  const site = dir.rec('site.json').str('id')
  if (!/^[A-Za-z0-9-]+$/.test(site) || site.length > siteCharsMax) {
    dir.rec('site.json').fail(`an id of at most ${siteCharsMax} of A-Z a-z 0-9 -`)
  }
  const ctx: Ctx = { dir, graph, screen, site, quarantined: [], added: 0 }
  graph.node({
    id: `site:${site}`,
    category: 'lab_context',
    kind: 'site',
    name: `Site ${site}`,
    source: `site-${site}`,
    site,
  })
  if (dir.has('context.json')) context(ctx)
  if (dir.has('incidents.json')) incidents(ctx)
  const manuals = path.join(folder, 'manuals')
  if (existsSync(manuals)) {
    for (const file of readdirSync(manuals).sort()) await manual(`manuals/${file}`, ctx)
  }
  return { site, added: ctx.added, quarantined: ctx.quarantined }
}

type Item = {
  readonly id: string
  readonly category: Category
  readonly kind: string
  readonly name: string
  readonly text: string
  readonly aliases: readonly string[]
  readonly file: string
}

/** Screens one item and adds it; false when it was quarantined. */
function admit(item: Item, ctx: Ctx): boolean {
  for (const text of [item.name, item.text, ...item.aliases]) {
    const seen = ctx.screen(text)
    if (seen.instructions) {
      ctx.quarantined.push({ file: item.file, item: item.id, reason: seen.reason })
      return false
    }
  }
  ctx.graph.node({ ...item, source: `site-${ctx.site}`, site: ctx.site })
  ctx.added += 1
  return true
}

/** Ids of a site carry its name, so that no site can replace a public node or another site's. */
function ownId(rec: Rec, ctx: Ctx): string {
  const id = rec.str('id')
  if (!/^[A-Za-z0-9._:-]{1,80}$/.test(id)) rec.fail('an "id" of 1 to 80 of A-Z a-z 0-9 . _ : -')
  return `site-${ctx.site}:${id}`
}

function context(ctx: Ctx): void {
  const file = ctx.dir.rec('context.json')
  const resolve = (id: string): string =>
    ctx.graph.has(`site-${ctx.site}:${id}`) ? `site-${ctx.site}:${id}` : id
  for (const rec of file.list('nodes')) {
    admit(
      {
        id: ownId(rec, ctx),
        category: 'lab_context',
        kind: rec.str('kind'),
        name: rec.str('name'),
        text: rec.optStr('text'),
        aliases: rec.strs('aliases'),
        file: 'context.json',
      },
      ctx,
    )
  }
  for (const rec of file.list('edges')) {
    const edge = stated(ctx.graph, `site-${ctx.site}`)
    edge(resolve(rec.str('from')), rec.str('kind'), resolve(rec.str('to')), rec.at)
  }
}

function incidents(ctx: Ctx): void {
  const list = ctx.dir.json('incidents.json')
  if (!Array.isArray(list)) throw new SourceError(`${ctx.dir.dir}/incidents.json`, 1, 'a list')
  for (const [i, value] of list.entries()) {
    const rec = new Rec(`${ctx.dir.dir}/incidents.json`, i + 1, value)
    const id = ownId(rec, ctx)
    const kept = admit(
      {
        id,
        category: 'failures',
        kind: 'incident',
        name: rec.str('title'),
        text: rec.optStr('text'),
        aliases: [],
        file: 'incidents.json',
      },
      ctx,
    )
    if (!kept) continue
    const edge = stated(ctx.graph, `site-${ctx.site}`)
    edge(id, 'seen-at', `site:${ctx.site}`, rec.at)
    for (const about of rec.strs('about')) edge(id, 'about', about, rec.at)
  }
}

async function manual(file: string, ctx: Ctx): Promise<void> {
  const full = path.join(ctx.dir.dir, file)
  const bytes = readFileSync(full)
  if (bytes.length > manualBytesMax) {
    throw new SourceError(full, 1, `at most ${manualBytesMax} bytes`)
  }
  const text = await readManual(file, full, bytes)
  const id = `site-${ctx.site}:manual:${slug(path.basename(file), 50)}`
  const base = { category: 'hw_safety', aliases: [], file } as const
  const name = `Manual ${path.basename(file)} of ${ctx.site}`
  if (!admit({ ...base, id, kind: 'manual', name, text: '' }, ctx)) return
  const edge = stated(ctx.graph, `site-${ctx.site}`)
  edge(id, 'manual-of', `site:${ctx.site}`, file)
  for (const [i, part] of splitManual(text).entries()) {
    const own = `${id}#${i + 1}`
    const item = { ...base, id: own, kind: 'manual-section', name: part.title, text: part.text }
    if (admit(item, ctx)) edge(own, 'part-of', id, `${file}:${part.line}`)
  }
}

async function readManual(file: string, full: string, bytes: Buffer): Promise<string> {
  if (file.endsWith('.pdf')) {
    const text = await pdfText(bytes)
    if (text.trim() === '') throw new SourceError(full, 1, 'a PDF with readable text (not a scan)')
    return text
  }
  if (file.endsWith('.md') || file.endsWith('.txt')) return bytes.toString('utf8')
  throw new SourceError(full, 1, 'a manual in Markdown (.md), text (.txt) or PDF (.pdf)')
}

export type ManualPart = { readonly title: string; readonly text: string; readonly line: number }

/** Splits at Markdown headings, then at paragraphs, into parts of bounded length. */
export function splitManual(text: string): ManualPart[] {
  const parts: ManualPart[] = []
  let title = 'Introduction'
  let lines: string[] = []
  let start = 1
  const flush = (): void => {
    const body = tidy(lines.join('\n'))
    for (let at = 0; at < body.length; at += sectionCharsMax) {
      parts.push({ title, text: body.slice(at, at + sectionCharsMax).toWellFormed(), line: start })
    }
    lines = []
  }
  for (const [i, line] of text.split('\n').entries()) {
    const heading = /^#{1,6}\s+(.+)$/.exec(line)
    if (!heading) {
      lines.push(line)
      continue
    }
    flush()
    title = tidy(heading[1] ?? '').slice(0, 200)
    start = i + 1
  }
  flush()
  return parts
}
