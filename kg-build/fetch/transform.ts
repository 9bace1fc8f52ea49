// Upstream STIX bundles to the slim files that the source modules read: only the object types and
// fields the graph uses, in upstream order, so that the same bundle gives the same bytes.
import { Rec } from '../source.ts'
import type { Made } from './manifest.ts'

const jsonl = (rows: readonly unknown[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('')

type Files = Readonly<Record<string, string>>

/** The files of a source made out of one upstream file; throws a SourceError on another shape. */
export function transform(made: Made, text: string): Files {
  const objects = new Rec(made.url, 1, parse(made.url, text)).list('objects')
  return made.transform === 'stix-capec' ? capec(objects) : enterprise(objects)
}

function parse(url: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return new Rec(url, 1, null)
  }
}

const pick = (rec: Rec, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.flatMap((k) => (rec.raw(k) === undefined ? [] : [[k, rec.raw(k)]])))

const patternKeys = [
  'id',
  'type',
  'name',
  'description',
  'external_references',
  'x_capec_abstraction',
  'x_capec_status',
  'x_capec_extended_description',
  'x_capec_alternate_terms',
  'x_capec_child_of_refs',
  'x_capec_can_precede_refs',
  'x_capec_can_follow_refs',
  'x_capec_peer_of_refs',
] as const

function capec(objects: readonly Rec[]): Files {
  const of = (type: string): Rec[] => objects.filter((o) => o.str('type') === type)
  return {
    'attack-patterns.jsonl': jsonl(of('attack-pattern').map((o) => pick(o, patternKeys))),
    'courses-of-action.jsonl': jsonl(
      of('course-of-action').map((o) => pick(o, ['description', 'id', 'name'])),
    ),
    'relationships.jsonl': jsonl(
      of('relationship')
        .filter((o) => o.str('relationship_type') === 'mitigates')
        .map((o) => pick(o, ['relationship_type', 'source_ref', 'target_ref'])),
    ),
  }
}

const enterpriseTypes = new Set(['attack-pattern', 'course-of-action', 'x-mitre-tactic'])

/** Techniques, mitigations, tactics and the relations among them; groups and software are left out. */
function enterprise(objects: readonly Rec[]): Files {
  const kept = new Set(
    objects.filter((o) => enterpriseTypes.has(o.str('type'))).map((o) => o.str('id')),
  )
  const keys = [
    'id',
    'type',
    'name',
    'description',
    'revoked',
    'external_references',
    'kill_chain_phases',
    'x_mitre_deprecated',
    'x_mitre_shortname',
    'relationship_type',
    'source_ref',
    'target_ref',
  ]
  const list = objects.filter(
    (o) =>
      kept.has(o.optStr('id')) ||
      (o.str('type') === 'relationship' &&
        kept.has(o.str('source_ref')) &&
        kept.has(o.str('target_ref'))),
  )
  const bundle = { type: 'bundle', id: 'bundle--subset', objects: list.map((o) => pick(o, keys)) }
  return { 'bundle.json': `${JSON.stringify(bundle)}\n` }
}
