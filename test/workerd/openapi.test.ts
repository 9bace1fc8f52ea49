// The parts that the document and its page are made of.
import { describe, expect, it } from 'vitest'
import { describeFields, fieldNames } from '../../worker/openapi/describe-fields.ts'
import { componentSchemas } from '../../worker/openapi/document.ts'
import { examples } from '../../worker/openapi/examples.ts'
import { html, prose } from '../../worker/openapi/html.ts'
import { schemaTable } from '../../worker/openapi/schema-table.ts'
import { schemas } from '../../worker/schemas.ts'

describe('words for fields', () => {
  it('are all needed', () => {
    const used = new Set<string>()
    componentSchemas(used)
    expect(fieldNames.filter((name) => !used.has(name))).toEqual([])
  })

  it('give way to those that a schema has itself', () => {
    const own = { properties: { plan: { type: 'string', description: 'Mine.' } } }
    expect(describeFields(own, 'X', new Set())).toEqual(own)
    const bare = { anyOf: [{ properties: { plan: { type: 'string' } } }] }
    expect(describeFields(bare, 'X', new Set())).toEqual({
      anyOf: [{ properties: { plan: { description: 'Id of the plan.', type: 'string' } } }],
    })
  })
})

describe('examples', () => {
  it('are what the validators of the door take', () => {
    const wrong = Object.entries(schemas).filter(
      ([name, schema]) => !schema.safeParse(examples[name as keyof typeof schemas]).success,
    )
    expect(wrong.map(([name]) => name)).toEqual([])
  })
})

describe('the page', () => {
  it('escapes what is put into it', () => {
    expect(html`<p title="${'"'}">${'<b>&'}</p>`.html).toBe('<p title="&quot;">&lt;b&gt;&amp;</p>')
    expect(html`${prose('a `<b>` c')}`.html).toBe('a <code>&lt;b&gt;</code> c')
  })

  it('has one row for each field, however deep', () => {
    const inner = { type: 'object', properties: { b: { const: 1 } }, required: ['b'] }
    const schema = { properties: { a: { type: 'array', items: inner, maxItems: 3 } } }
    const table = schemaTable(schema).html
    expect([...table.matchAll(/<th scope="row"><code>([^<]+)/g)].map(([, path]) => path)).toEqual([
      'a',
      'a[].b',
    ])
    expect(table).toContain('entries to 3')
  })
})
