// A schema of the document as a table of its fields, one row for each, however deep it stands.
import { html, prose, type Html } from './html.ts'
import type { JsonSchema } from '../json-schema.ts'

type Row = {
  readonly path: string
  readonly type: Html
  readonly words: string
  readonly needed: boolean
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): JsonSchema[] =>
  Array.isArray(value) ? value.filter(isSchema) : []

const variantsOf = (schema: JsonSchema): JsonSchema[] =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((key) => listOf(schema[key]))

/** The name at the end of a reference. */
export const referredName = (ref: unknown): string => String(ref).split('/').at(-1) ?? ''

const few = 12

/** The type of a value in a few words. */
function typeOf(schema: JsonSchema): Html {
  if (typeof schema['$ref'] === 'string') {
    const name = referredName(schema['$ref'])
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema['const'])}</code>`
  const values = schema['enum']
  if (Array.isArray(values)) {
    const shown = values.slice(0, few).map((one) => html`<code>${String(one)}</code> `)
    return html`${shown}${values.length > few ? `and ${values.length - few} more` : ''}`
  }
  const variants = variantsOf(schema)
  if (variants.length > 0) {
    return html`${variants.map((one, i) => html`${i === 0 ? '' : ' or '}${typeOf(one)}`)}`
  }
  const type = Array.isArray(schema['type']) ? schema['type'].join(' or ') : schema['type']
  const items = isSchema(schema['items']) ? html` of ${typeOf(schema['items'])}` : html``
  const bounds = boundsOf(schema)
  return html`${typeof type === 'string' ? type : 'any value'}${items}${bounds}`
}

function boundsOf(schema: JsonSchema): string {
  const told = [
    ['minimum', 'at least'],
    ['maximum', 'at most'],
    ['maxLength', 'characters to'],
    ['maxItems', 'entries to'],
  ].flatMap(([key = '', says = '']) => {
    const value = schema[key]
    // What every whole number of the interface is bounded by says nothing.
    if (typeof value !== 'number' || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return []
    return [`${says} ${value}`]
  })
  return told.length === 0 ? '' : `, ${told.join(', ')}`
}

function fieldsOf(schema: JsonSchema, path: string, seen: Set<string>): Row[] {
  const needed = Array.isArray(schema['required']) ? schema['required'] : []
  const own = isSchema(schema['properties']) ? Object.entries(schema['properties']) : []
  const rows = own.flatMap(([name, inner]): Row[] => {
    if (!isSchema(inner)) return []
    const at = path === '' ? name : `${path}.${name}`
    // The same field in two variants is one row.
    if (seen.has(at)) return fieldsOf(inner, at, seen)
    seen.add(at)
    const words = typeof inner['description'] === 'string' ? inner['description'] : ''
    const row = { path: at, type: typeOf(inner), words, needed: needed.includes(name) }
    return [row, ...fieldsOf(inner, at, seen)]
  })
  const items = isSchema(schema['items']) ? fieldsOf(schema['items'], `${path}[]`, seen) : []
  const more = schema['additionalProperties']
  const named = isSchema(more) ? fieldsOf(more, `${path}.*`, seen) : []
  const variants = variantsOf(schema).flatMap((one) => fieldsOf(one, path, seen))
  return [...rows, ...items, ...named, ...variants]
}

/** The table of one schema, or its type where it has no fields. */
export function schemaTable(schema: JsonSchema): Html {
  const rows = fieldsOf(schema, '', new Set())
  if (rows.length === 0) return html`<p>${typeOf(schema)}</p>`
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Type</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ path, type, words, needed }) =>
          html`<tr>
            <th scope="row"><code>${path}</code>${needed ? '' : html` <small>optional</small>`}</th>
            <td>${type}</td>
            <td>${prose(words)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
}
