// The OpenAPI 3.1 document, generated from the rows that declare the routes and from the zod schemas
// that validate, with words and examples from tables. Built at the first request: it would only slow
// every start.
import { jsonSchemaOf, type JsonSchema } from '../json-schema.ts'
import type { App } from '../routing.ts'
import { schemas } from '../schemas.ts'
import { describeFields } from './describe-fields.ts'
import { componentExamples, parameterExample } from './examples.ts'

/**
 * Every named schema as JSON Schema 2020-12; an input is described as it may be sent. `used` learns
 * which rows of the table of fields were needed.
 */
export function componentSchemas(used = new Set<string>()): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = {
    JsonValue: {
      description: 'Any JSON value.',
      type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
    },
  }
  for (const [name, schema] of Object.entries(schemas)) {
    const io = name.endsWith('Input') ? 'input' : 'output'
    const json = jsonSchemaOf(schema, io, { $ref: '#/components/schemas/JsonValue' })
    components[name] = describeFields(json, name, used)
  }
  return components
}

const tags = [
  ['plans', 'What a planner submits, and what becomes of it.'],
  ['templates', 'Standing approvals: one decision for many runs of one graph.'],
  ['reviews', 'Plans that wait for a person, with exactly what is decided.'],
  ['sessions', 'Runs: progress, results, trail, stop.'],
  ['cells', 'The devices behind one agent: arming, clearing, what stands in them.'],
  ['agents', 'Robot agents: enrolment and standing.'],
  ['agent sockets', 'The two WebSockets of a robot agent; docs/protocol.md says what they speak.'],
  ['tools', 'What plans may call.'],
  ['policies', 'How a site decides.'],
  ['keeping', 'What a site keeps and for how long: periods, legal holds, deletion, export.'],
  ['memories', 'What a site remembers of failures.'],
  ['judges', 'How the judges have done.'],
  ['credentials', 'Who may do what.'],
  ['sign-ins', 'How people sign in at the console, and where they are signed in.'],
  ['sites', 'Sites of the deployment.'],
  ['mcp', 'The same for planners that speak MCP.'],
  ['system', 'Keys, health and metrics.'],
] as const

function bearerScheme(description: string): JsonSchema {
  return { type: 'http', scheme: 'bearer', description }
}

type Operation = { parameters?: readonly JsonSchema[] }

/** Parameters with their examples. */
function withParameterExamples(paths: JsonSchema): JsonSchema {
  const operation = (value: Operation) => ({
    ...value,
    ...(value.parameters && {
      parameters: value.parameters.map((one) => {
        const example = parameterExample(String(one['name']))
        return example === undefined ? one : { ...one, example }
      }),
    }),
  })
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations as Record<string, Operation>).map(([method, value]) => [
          method,
          operation(value),
        ]),
      ),
    ]),
  )
}

/** The whole document. */
export function openApiDocument(app: App): JsonSchema {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Portcullis',
      version: '0.1.0',
      description:
        'A planner proposes; Portcullis decides; the robot does only and exactly what was decided. ' +
        'Errors are RFC 9457 problems with a stable `code`.',
    },
    // Relative to the place of this document (OpenAPI 3.1, 4.8.5): every deployment is its own server.
    servers: [{ url: '/', description: 'The deployment that serves this document.' }],
  })
  return {
    ...document,
    info: { ...document.info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    tags: tags.map(([name, description]) => ({ name, description })),
    paths: withParameterExamples(document.paths ?? {}),
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, ...componentSchemas() },
      examples: componentExamples(),
      securitySchemes: {
        credential: bearerScheme('A credential of a site: `pc_<id>_<secret>`.'),
        metrics: bearerScheme('The token with which metrics are read.'),
        deployment: bearerScheme('The credential of the operator of the deployment.'),
        agent: bearerScheme(
          'A JWS by the enrolled key (`typ: portcullis-agent+jwt`), at most 60 s long, taken once.',
        ),
      },
    },
  }
}
