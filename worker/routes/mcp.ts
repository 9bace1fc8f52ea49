// Intake as an MCP server, for planners that speak MCP. The same credentials and the same way in as
// HTTP; the whole message is parsed without loss before the library sees it, so that a duplicate key
// cannot mean one thing to us and another to somebody else. The library is large and loaded on use.
import { limits } from '../../protocol/limits.ts'
import { parseJson } from '../../protocol/parse.ts'
import { principalOf, tooMany } from '../auth.ts'
import { readBytes } from '../body.ts'
import type { Ctx } from '../context.ts'
import { problem } from '../problems.ts'
import { mayAsk } from '../rate-limit.ts'
import { describe, type App } from '../routing.ts'

/** Room for the envelope around a plan. */
const envelopeBytesMax = 8_192
const envelopeDepth = 4
const bytesMax = limits.planBytesMax + envelopeBytesMax

/** MCP asks servers to check Origin, against DNS rebinding; our own origin is the only one taken. */
function foreignOrigin(c: Ctx): boolean {
  const origin = c.req.header('origin')
  return origin !== undefined && origin !== new URL(c.req.url).origin
}

async function serve(c: Ctx): Promise<Response> {
  const { requestId } = c.var
  if (foreignOrigin(c)) return problem({ code: 'origin_forbidden' }, requestId)
  const asked_ms = Date.now()
  let principal = await principalOf(c)
  if (!principal.ok) return problem(principal.error, requestId)
  if (principal.value.role !== 'planner') {
    return problem({ code: 'role_forbidden', detail: 'It is for: planner.' }, requestId)
  }
  const waitS = await mayAsk(principal.value, c.env, asked_ms)
  if (waitS > 0) return problem(tooMany(waitS), requestId)
  let options = {}
  if (c.req.method === 'POST') {
    const bytes = await readBytes(c.req.raw, { bytesMax })
    if (!bytes.ok) return problem(bytes.error, requestId)
    const body = parseJson(bytes.value, {
      bytesMax,
      depthMax: limits.jsonDepthMax + envelopeDepth,
      valuesMax: limits.jsonValuesMax,
    })
    if (!body.ok) return problem({ code: 'violations', violations: body.error }, requestId)
    options = { parsedBody: body.value }
    // A message takes its time: a credential that was revoked meanwhile does nothing with it.
    principal = await principalOf(c)
    if (!principal.ok) return problem(principal.error, requestId)
  }
  const { mcpFetch } = await import('../mcp/server.ts')
  const still = async () => (await principalOf(c)).ok
  return mcpFetch(c.env, { principal: principal.value, asked_ms, still }, c.req.raw, options)
}

export function mcpRoutes(app: App): void {
  describe(
    app,
    {
      method: 'post',
      path: '/mcp',
      tag: 'mcp',
      summary: 'Intake as an MCP server (streamable HTTP, stateless).',
      body: { schema: 'McpInput', bytesMax, raw: true },
      answers: {
        200: {
          description: 'A JSON-RPC answer, or a stream of server-sent events with it at the end.',
          schema: 'McpAnswer',
        },
      },
      refusals: ['origin_forbidden'],
    },
    { security: 'credential', roles: ['planner'] },
  )
  app.on(['GET', 'POST', 'DELETE'], '/mcp', serve)
}
