// What the site remembers of refused plans and failed runs. A reviewer may settle a memory with a
// reason; it then holds up no further plan.
import { listMemories, type MemoryRow } from '../../adapters/memory-list.ts'
import { resolveMemory } from '../../adapters/memory-d1.ts'
import { limits } from '../../protocol/limits.ts'
import { siteHub } from '../objects.ts'
import { page, pageQuery } from '../paging.ts'
import { memoryParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'

const see = {
  view: (row: MemoryRow) => row,
  cursor: (row: MemoryRow) => ({ at_ms: row.at_ms, id: row.id }),
}

export function memoryRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/memories',
      tag: 'memories',
      summary: 'What the site remembers of refused plans and failed runs, newest first.',
      roles: ['reviewer', 'administrator'],
      query: pageQuery,
      answers: { 200: { description: 'One page.', schema: 'MemoryList' } },
    },
    async (c, { principal, query }) => {
      const limit = query.limit ?? limits.listPageMax
      const rows = await listMemories(c.env.DB, principal.site, {
        after: query.after ?? null,
        limit: limit + 1,
        now_ms: Date.now(),
      })
      return c.json(page(rows, limit, see))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/memories/{memory}/resolve',
      tag: 'memories',
      summary: 'Settle a memory with a reason: it no longer holds up plans.',
      roles: ['reviewer'],
      params: memoryParams,
      body: { schema: 'ResolveInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Settled.', schema: 'Resolved' } },
    },
    async (c, { principal, params, body }) => {
      const settled = await resolveMemory(c.env.DB, principal.site, {
        id: params.memory,
        by: principal.owner,
        reason: body.reason,
        now_ms: Date.now(),
      })
      if (!settled) return problem({ code: 'not_found' }, c.var.requestId)
      const facts = { memory: params.memory, reason: body.reason }
      await siteHub(c.env, principal.site).note(principal.owner, 'memory_settled', facts)
      return c.json({ memory: params.memory, resolved: true })
    },
  )
}
