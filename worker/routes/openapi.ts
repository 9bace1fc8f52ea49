// The OpenAPI 3.1 document, generated from the rows that declare the routes and from the zod schemas
// that validate. Built at the first request: it would only slow every start.
import { jsonSchemaOf, type JsonSchema } from '../json-schema.ts'
import type { App } from '../routing.ts'
import { schemas } from '../schemas.ts'

/** Every named schema as JSON Schema 2020-12; an input is described as it may be sent. */
function componentSchemas(): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = {
    JsonValue: {
      description: 'Any JSON value.',
      type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
    },
  }
  for (const [name, schema] of Object.entries(schemas)) {
    const io = name.endsWith('Input') ? 'input' : 'output'
    components[name] = jsonSchemaOf(schema, io, { $ref: '#/components/schemas/JsonValue' })
  }
  return components
}

function bearerScheme(description: string): JsonSchema {
  return { type: 'http', scheme: 'bearer', description }
}

/** The whole document. */
export function openApiDocument(app: App): unknown {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Portcullis',
      version: '0.1.0',
      description:
        'A planner proposes; Portcullis decides; the robot does only and exactly what was decided. ' +
        'Errors are RFC 9457 problems with a stable `code`.',
      license: { name: 'Apache-2.0' },
    },
    // Relative to the place of this document (OpenAPI 3.1, 4.8.5): every deployment is its own server.
    servers: [{ url: '/', description: 'The deployment that serves this document.' }],
  })
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, ...componentSchemas() },
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

let cached: string | null = null

export function openApiRoute(app: App): void {
  app.get('/openapi.json', (c) => {
    cached ??= JSON.stringify(openApiDocument(app))
    return c.body(cached, 200, { 'content-type': 'application/json' })
  })
}
