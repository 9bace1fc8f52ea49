// CWE out of the npm package `cwe-sdk` (CWE 4.15): its raw XML-as-JSON, turned into the records of
// the REST repository, so that one parser serves both.
import type { GraphBuilder } from '../graph.ts'
import type { SourceDir, SourceModule } from '../source.ts'
import { Rec } from '../source.ts'
import { category, view, weakness } from './cwe.ts'

const file = 'cwe-archive.json'

export const cweNpm: SourceModule = { name: 'cwe-sdk-1.1.19', parse }

type Json = Record<string, unknown>

const isObject = (v: unknown): v is Json => typeof v === 'object' && v !== null && !Array.isArray(v)

/** The converter writes one child as an object and several as a list. */
const many = (v: unknown): unknown[] => (Array.isArray(v) ? v : v === undefined ? [] : [v])

const child = (v: unknown, ...keys: string[]): unknown => {
  let at: unknown = v
  for (const key of keys) at = isObject(at) ? at[key] : undefined
  return at
}

const attribute = (v: unknown, key: string): string | undefined => {
  const value = child(v, 'attr', `@_${key}`)
  return typeof value === 'string' ? value : undefined
}

/** All text below a value, in order: descriptions hold nested XHTML. */
function flat(v: unknown): string {
  if (typeof v === 'string') return v
  if (Array.isArray(v)) return v.map(flat).join(' ')
  if (!isObject(v)) return ''
  return Object.entries(v)
    .filter(([k]) => k !== 'attr')
    .map(([, x]) => flat(x))
    .join(' ')
}

function parse(dir: SourceDir, graph: GraphBuilder): void {
  const root = dir.rec(file).rec('Weakness_Catalog')
  const parts: readonly (readonly [string, string, (v: unknown) => Json, typeof weakness])[] = [
    ['Weaknesses', 'Weakness', weaknessRecord, weakness],
    ['Categories', 'Category', categoryRecord, category],
    ['Views', 'View', viewRecord, view],
  ]
  for (const [outer, inner, convert, add] of parts) {
    for (const [i, value] of many(root.rec(outer).raw(inner)).entries()) {
      add(new Rec(`${file}#${inner}`, i + 1, convert(value)), graph)
    }
  }
}

function weaknessRecord(v: unknown): Json {
  return {
    ID: attribute(v, 'ID'),
    Name: attribute(v, 'Name'),
    Status: attribute(v, 'Status'),
    Description: flat(child(v, 'Description')),
    ExtendedDescription: flat(child(v, 'Extended_Description')),
    AlternateTerms: many(child(v, 'Alternate_Terms', 'Alternate_Term')).map((t) => ({
      Term: flat(child(t, 'Term')),
    })),
    RelatedWeaknesses: many(child(v, 'Related_Weaknesses', 'Related_Weakness')).map((r) => ({
      Nature: attribute(r, 'Nature'),
      CweID: attribute(r, 'CWE_ID'),
    })),
    RelatedAttackPatterns: many(child(v, 'Related_Attack_Patterns', 'Related_Attack_Pattern')).map(
      (r) => attribute(r, 'CAPEC_ID'),
    ),
    CommonConsequences: many(child(v, 'Common_Consequences', 'Consequence')).map((c) => ({
      Impact: many(child(c, 'Impact')),
    })),
    PotentialMitigations: many(child(v, 'Potential_Mitigations', 'Mitigation')).map((m) => ({
      MitigationID: attribute(m, 'Mitigation_ID'),
      Strategy: child(m, 'Strategy'),
      Phase: many(child(m, 'Phase')),
      Description: flat(child(m, 'Description')),
    })),
    ApplicablePlatforms: platformRecords(child(v, 'Applicable_Platforms')),
    TaxonomyMappings: many(child(v, 'Taxonomy_Mappings', 'Taxonomy_Mapping')).map((t) => ({
      TaxonomyName: attribute(t, 'Taxonomy_Name'),
      EntryID: flat(child(t, 'Entry_ID')),
      EntryName: flat(child(t, 'Entry_Name')),
    })),
    ObservedExamples: many(child(v, 'Observed_Examples', 'Observed_Example')).map((o) => ({
      Reference: child(o, 'Reference'),
      Description: flat(child(o, 'Description')),
    })),
  }
}

function platformRecords(v: unknown): Json[] {
  if (!isObject(v)) return []
  return Object.entries(v).flatMap(([type, list]) =>
    many(list).map((p) => ({
      Type: type,
      Name: attribute(p, 'Name'),
      Class: attribute(p, 'Class'),
    })),
  )
}

function memberRecords(v: unknown): Json[] {
  return many(child(v, 'Has_Member')).map((m) => ({ CweID: attribute(m, 'CWE_ID') }))
}

function categoryRecord(v: unknown): Json {
  return {
    ID: attribute(v, 'ID'),
    Name: attribute(v, 'Name'),
    Status: attribute(v, 'Status'),
    Summary: flat(child(v, 'Summary')),
    Relationships: memberRecords(child(v, 'Relationships')),
  }
}

function viewRecord(v: unknown): Json {
  return {
    ID: attribute(v, 'ID'),
    Name: attribute(v, 'Name'),
    Status: attribute(v, 'Status'),
    Objective: flat(child(v, 'Objective')),
    Members: memberRecords(child(v, 'Members')),
  }
}
