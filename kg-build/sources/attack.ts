// MITRE ATT&CK as STIX 2.1: the whole ICS matrix and the Enterprise objects that others refer to.
import type { GraphBuilder, NodeInput } from '../graph.ts'
import type { Rec, SourceDir, SourceModule } from '../source.ts'
import { stated } from '../source.ts'

/** STIX type → category and kind of the node. Data sources are deprecated upstream. */
const kinds: Readonly<Record<string, Pick<NodeInput, 'category' | 'kind'>>> = {
  'attack-pattern': { category: 'adversarial', kind: 'attack-technique' },
  'course-of-action': { category: 'adversarial', kind: 'attack-mitigation' },
  malware: { category: 'adversarial', kind: 'attack-software' },
  'intrusion-set': { category: 'adversarial', kind: 'attack-group' },
  campaign: { category: 'failures', kind: 'attack-campaign' },
  'x-mitre-tactic': { category: 'adversarial', kind: 'attack-tactic' },
  'x-mitre-asset': { category: 'adversarial', kind: 'attack-asset' },
  'x-mitre-detection-strategy': { category: 'adversarial', kind: 'attack-detection' },
  'x-mitre-analytic': { category: 'adversarial', kind: 'attack-analytic' },
  'x-mitre-data-component': { category: 'adversarial', kind: 'attack-data-component' },
}

export const attackIcs: SourceModule = {
  name: 'attack-ics-18.1',
  parse: (dir, graph) => bundle('attack-ics-18.1', 'ics-attack.json', dir, graph),
}

export const attackEnterprise: SourceModule = {
  name: 'attack-enterprise-subset-18.1',
  parse: (dir, graph) => bundle('attack-enterprise-subset-18.1', 'bundle.json', dir, graph),
}

/** One STIX object with where it is; a bundle has no lines, so the STIX id is its address. */
type Item = { readonly rec: Rec; readonly id: string; readonly at: string }

function bundle(source: string, file: string, dir: SourceDir, graph: GraphBuilder): void {
  const objects = dir.rec(file).list('objects')
  const items = new Map<string, Item>()
  const tactics = new Map<string, string>()
  for (const rec of objects) {
    const kind = kinds[rec.str('type')]
    if (!kind || rec.bool('revoked')) continue
    if (rec.bool('x_mitre_deprecated') && rec.str('type') !== 'course-of-action') continue
    const external = externalId(rec)
    if (external === '') continue
    const id = `attack:${external}`
    items.set(rec.str('id'), { rec, id, at: `${file}#${rec.str('id')}` })
    const tactic = rec.optStr('x_mitre_shortname')
    if (tactic) tactics.set(tactic, id)
    graph.node({
      ...kind,
      id,
      name: `ATT&CK ${external}: ${rec.str('name')}`,
      text: plain(rec.optStr('description')),
      aliases: [...rec.strs('aliases'), ...rec.strs('x_mitre_aliases')].filter(
        (a) => a !== rec.str('name'),
      ),
      source,
    })
  }
  for (const item of items.values()) inner(item, { source, items, tactics, graph })
  relationships(objects, file, { source, items, tactics, graph })
}

type Context = {
  readonly source: string
  readonly items: ReadonlyMap<string, Item>
  readonly tactics: ReadonlyMap<string, string>
  readonly graph: GraphBuilder
}

/** Links that an object holds itself: its tactics, its parent, its analytics. */
function inner(item: Item, ctx: Context): void {
  const edge = stated(ctx.graph, ctx.source)
  for (const phase of item.rec.list('kill_chain_phases')) {
    const tactic = ctx.tactics.get(phase.str('phase_name'))
    if (tactic) edge(item.id, 'in-tactic', tactic, item.at)
  }
  for (const ref of item.rec.strs('x_mitre_analytic_refs')) {
    const to = ctx.items.get(ref)
    if (to) edge(item.id, 'uses-analytic', to.id, item.at)
  }
  for (const log of item.rec.list('x_mitre_log_source_references')) {
    const to = ctx.items.get(log.str('x_mitre_data_component_ref'))
    if (to) edge(item.id, 'observes', to.id, item.at)
  }
  const parent = /^attack:(T\d{4})\.\d{3}$/.exec(item.id)?.[1]
  if (parent) edge(item.id, 'child-of', `attack:${parent}`, item.at)
  for (const ref of item.rec.list('external_references')) {
    if (ref.str('source_name') === 'capec') {
      edge(`capec:${ref.str('external_id').slice(6)}`, 'maps-to', item.id, item.at)
    }
  }
}

function relationships(objects: readonly Rec[], file: string, ctx: Context): void {
  const edge = stated(ctx.graph, ctx.source)
  for (const rec of objects) {
    if (rec.str('type') !== 'relationship' || rec.bool('x_mitre_deprecated')) continue
    const from = ctx.items.get(rec.str('source_ref'))
    const to = ctx.items.get(rec.str('target_ref'))
    const kind = rec.str('relationship_type')
    if (!from || !to || kind === 'revoked-by') continue
    const name = kind === 'subtechnique-of' ? 'child-of' : kind
    edge(from.id, name, to.id, `${file}#${rec.str('id')}`)
  }
}

function externalId(rec: Rec): string {
  const own = rec.list('external_references').find((r) => r.str('source_name') === 'mitre-attack')
  return own?.str('external_id') ?? ''
}

/** Markdown links and citations out: `[Name](url)` → `Name`. */
export function plain(text: string): string {
  return text
    .replace(/\(Citation:[^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
}
