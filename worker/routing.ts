// How a route is declared: one row says who may call it, what it takes and what it answers. The same
// row checks the call and describes it in /openapi.json, so the two cannot drift apart.
import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi'
import type { z } from 'zod'
import type { Role } from '../adapters/credentials.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { principalOf, showsDeploymentToken, tooMany } from './auth.ts'
import { readBytes, readJson, schemaViolations } from './body.ts'
import type { AppEnv, Ctx, Principal } from './context.ts'
import { problem, problems, type ProblemCode, type Refusal } from './problems.ts'
import { examplesOf, problemExamples } from './openapi/examples.ts'
import { mayAsk, mayAskHeavy } from './rate-limit.ts'
import { schemaOf, type SchemaName } from './schemas.ts'

export type App = OpenAPIHono<AppEnv>

export type Method = 'get' | 'post' | 'put' | 'delete'

/** `raw` bodies are documented here and given to the handler as their exact bytes. */
type BodySpec = { schema: SchemaName; bytesMax: number; raw?: true }

/** One route. `params` that do not fit are answered 404: such an id cannot exist. */
export type RouteSpec<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends BodySpec | undefined = undefined,
> = {
  method: Method
  /** In OpenAPI spelling: `/v1/plans/{plan}`. */
  path: string
  tag: string
  summary: string
  params?: Params
  query?: Query
  /** Headers that the handler reads itself: documented here. */
  headers?: z.ZodObject
  body?: Body
  /** Its body alone takes long to check: it is taken less often, and refused before it is read. */
  heavy?: true
  /** Success answers: status → what it means, the schema of its body and headers beyond the usual. */
  answers: Record<
    number,
    {
      description: string
      schema?: SchemaName
      type?: string
      /** An answer that is no JSON is shown by a piece of its text. */
      example?: string
      headers?: readonly AnswerHeader[]
    }
  >
  /** Refusals beyond those that every route of its kind can give. */
  refusals?: readonly ProblemCode[]
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined
type BodyOf<B> = B extends { raw: true }
  ? Uint8Array<ArrayBuffer>
  : B extends { schema: infer N extends SchemaName }
    ? z.output<ReturnType<typeof schemaOf<N>>>
    : undefined

export type Input<Params, Query, Body, Who> = {
  principal: Who
  params: Parsed<Params>
  query: Parsed<Query>
  body: BodyOf<Body>
  /** When the caller was let in, before its body was read: what was revoked since holds against it. */
  asked_ms: number
}

type Handler<Params, Query, Body, Who> = (
  c: Ctx,
  input: Input<Params, Query, Body, Who>,
) => Promise<Response>

type AnySpec = RouteSpec<z.ZodObject | undefined, z.ZodObject | undefined, BodySpec | undefined>

/** How the caller proves who it is; named in the document's security schemes. */
export type Security = 'credential' | 'deployment' | 'metrics' | 'agent' | 'none'

/** Headers of answers, as the document describes them. */
const answerHeaders = {
  location: { description: 'Where the new thing is.', schema: { type: 'string' } },
  'preference-applied': {
    description: 'The wait that was granted, when one was asked for (RFC 7240).',
    schema: { type: 'string' },
  },
  'retry-after': {
    description: 'Seconds to wait before the next try, where that is known.',
    schema: { type: 'integer', minimum: 0 },
  },
  'set-cookie': {
    description: 'The cookie of the sign-in: for browsers, not readable by scripts.',
    schema: { type: 'string' },
  },
  'x-request-id': {
    description: 'Names this request in logs.',
    schema: { type: 'string' },
  },
} as const
type AnswerHeader = Exclude<keyof typeof answerHeaders, 'retry-after' | 'x-request-id'>

const headersOf = (names: readonly (keyof typeof answerHeaders)[]) =>
  Object.fromEntries([...names, 'x-request-id' as const].map((name) => [name, answerHeaders[name]]))

/** Statuses after which a later try may fare better. */
const retryable: ReadonlySet<number> = new Set([409, 429, 503])

function reference(name: SchemaName | 'Problem') {
  return { $ref: `#/components/schemas/${name}` }
}

/** The body of an answer: its schema and an example. */
const shown = ({ schema, example }: AnySpec['answers'][number]) =>
  schema === undefined
    ? { schema: { type: 'string' as const }, examples: { example: { value: example } } }
    : { schema: reference(schema), examples: examplesOf(schema) }

function answersOf(spec: AnySpec, always: readonly ProblemCode[]): RouteConfig['responses'] {
  const responses: RouteConfig['responses'] = {}
  for (const [status, answer] of Object.entries(spec.answers)) {
    const type = answer.type ?? 'application/json'
    responses[status] = {
      description: answer.description,
      headers: headersOf(answer.headers ?? []),
      ...(answer.schema === undefined && answer.type === undefined
        ? {}
        : { content: { [type]: shown(answer) } }),
    }
  }
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of [...always, ...(spec.refusals ?? [])]) {
    const { status } = problems[code]
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])])
  }
  for (const [status, codes] of byStatus) {
    responses[String(status)] = {
      description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join(' '),
      headers: headersOf(retryable.has(status) ? ['retry-after'] : []),
      content: {
        'application/problem+json': {
          schema: reference('Problem'),
          examples: problemExamples(codes),
        },
      },
    }
  }
  return responses
}

/** `POST /v1/cells/{cell}/arm` → `post_cells_cell_arm`: stable as long as the route is. */
function operationId(spec: Pick<AnySpec, 'method' | 'path'>): string {
  const words = spec.path.replace(/^\/v1/, '').match(/[A-Za-z0-9]+/g) ?? []
  return [spec.method, ...words].join('_')
}

/** Writes the row into the document. */
export function describe(
  app: App,
  spec: AnySpec,
  access: { security: Security; roles: readonly Role[] },
): void {
  const always: ProblemCode[] = ['internal', 'unavailable']
  if (access.security === 'credential')
    always.push('credential_invalid', 'role_forbidden', 'too_many_requests')
  if (access.security === 'deployment')
    always.push('credential_invalid', 'not_configured', 'too_many_requests')
  if (access.security === 'agent') always.push('agent_token_invalid', 'upgrade_required')
  if (spec.params !== undefined) always.push('not_found')
  if (spec.query !== undefined) always.push('query_invalid')
  if (spec.body !== undefined) {
    always.push('body_too_large', 'body_too_slow', 'media_type', 'violations')
  }
  const who = access.roles.length > 0 ? ` For: ${access.roles.join(', ')}.` : ''
  app.openAPIRegistry.registerPath({
    method: spec.method,
    path: spec.path,
    operationId: operationId(spec),
    tags: [spec.tag],
    summary: spec.summary,
    description: `${spec.summary}${who}`,
    security: access.security === 'none' ? [] : [{ [access.security]: [] }],
    request: {
      ...(spec.params === undefined ? {} : { params: spec.params }),
      ...(spec.query === undefined ? {} : { query: spec.query }),
      ...(spec.headers === undefined ? {} : { headers: spec.headers }),
      ...(spec.body === undefined
        ? {}
        : {
            body: {
              required: true,
              content: {
                'application/json': {
                  schema: reference(spec.body.schema),
                  examples: examplesOf(spec.body.schema),
                },
              },
            },
          }),
    },
    responses: answersOf(spec, always),
  })
}

/** `/v1/plans/{plan}` → `/v1/plans/:plan`. */
export function honoPath(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
}

async function readInput(
  c: Ctx,
  spec: AnySpec,
): Promise<Result<{ params: unknown; query: unknown; body: unknown }, Refusal>> {
  const params = spec.params?.safeParse(c.req.param())
  if (params?.success === false) return err({ code: 'not_found' })
  const query = spec.query?.safeParse(c.req.query())
  if (query?.success === false) {
    return err({
      code: 'query_invalid',
      violations: schemaViolations(query.error.issues, c.req.query(), 'the query'),
    })
  }
  let body: unknown
  if (spec.body !== undefined) {
    const { raw, schema, bytesMax } = spec.body
    const read =
      raw === true
        ? await readBytes(c.req.raw, { bytesMax })
        : await readJson(c.req.raw, schemaOf(schema), bytesMax)
    if (!read.ok) return read
    body = read.value
  }
  return ok({ params: params?.data, query: query?.data, body })
}

/** Declares a route for credentials of a site with one of these roles. */
export function route<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends BodySpec | undefined = undefined,
>(
  app: App,
  spec: RouteSpec<P, Q, B> & { roles: readonly Role[] },
  handler: Handler<P, Q, B, Principal>,
): void {
  describe(app, spec, { security: 'credential', roles: spec.roles })
  app.on(spec.method.toUpperCase(), honoPath(spec.path), async (c) => {
    const asked_ms = Date.now()
    const principal = await principalOf(c)
    if (!principal.ok) return problem(principal.error, c.var.requestId)
    if (!spec.roles.includes(principal.value.role)) {
      const detail = `It is for: ${spec.roles.join(', ')}.`
      return problem({ code: 'role_forbidden', detail }, c.var.requestId)
    }
    const heavyS = spec.heavy === true ? mayAskHeavy(principal.value, asked_ms) : 0
    const waitS = heavyS || (await mayAsk(principal.value, c.env, asked_ms))
    if (waitS > 0) return problem(tooMany(waitS), c.var.requestId)
    const input = await readInput(c, spec)
    if (!input.ok) return problem(input.error, c.var.requestId)
    // A body takes its time: a credential that was revoked meanwhile does nothing with it.
    const still = spec.body === undefined ? principal : await principalOf(c)
    if (!still.ok) return problem(still.error, c.var.requestId)
    // `readInput` parsed exactly the schemas of this row.
    const typed = { principal: still.value, asked_ms, ...input.value } as Input<P, Q, B, Principal>
    return handler(c, typed)
  })
}

/** Declares a route for everybody, or for the operator of the deployment. */
export function openRoute<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends BodySpec | undefined = undefined,
>(
  app: App,
  spec: RouteSpec<P, Q, B> & { security: Exclude<Security, 'credential'> },
  handler: Handler<P, Q, B, null>,
): void {
  describe(app, spec, { security: spec.security, roles: [] })
  app.on(spec.method.toUpperCase(), honoPath(spec.path), async (c) => {
    const asked_ms = Date.now()
    if (spec.security === 'deployment') {
      const { OPERATOR_TOKEN_SHA256: expected } = c.env
      const allowed = await showsDeploymentToken(c, 'OPERATOR_TOKEN_SHA256', expected)
      if (!allowed.ok) return problem(allowed.error, c.var.requestId)
    }
    const input = await readInput(c, spec)
    if (!input.ok) return problem(input.error, c.var.requestId)
    const typed = { principal: null, asked_ms, ...input.value } as Input<P, Q, B, null>
    return handler(c, typed)
  })
}

/** Methods that a path takes, so that a wrong one is told from a wrong path. */
export function allowedMethods(app: App, pathname: string): string[] {
  const methods = new Set<string>()
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue
    const pattern = path
      .split('/')
      .map((part) =>
        part.startsWith(':')
          ? '[^/]+'
          : part === '*'
            ? '.*'
            : part.replaceAll(/[^A-Za-z0-9_-]/g, String.raw`\$&`),
      )
      .join('/')
    if (new RegExp(`^${pattern}$`).test(pathname)) methods.add(method)
  }
  return [...methods].toSorted()
}
