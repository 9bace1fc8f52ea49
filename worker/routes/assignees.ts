// Who looks at a plan that waits: taken, given to another reviewer, let go. It gives no right and takes none.
import { credentialsOfOwner, isInForce } from '../../adapters/credentials.ts'
import { limits } from '../../protocol/limits.ts'
import type { AssignRefusal } from '../../verify/review/state.ts'
import { planReview } from '../objects.ts'
import { planParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'

const refusals: readonly AssignRefusal[] = [
  'not_found',
  'not_escalated',
  'stale_assignee',
  'conflict_of_interest',
]

export function assigneeRoutes(app: App): void {
  route(
    app,
    {
      method: 'put',
      path: '/v1/reviews/{plan}/assignee',
      tag: 'reviews',
      summary: 'Take a plan that waits, give it to another reviewer of the site, or let it go.',
      roles: ['reviewer'],
      params: planParams,
      body: { schema: 'AssigneeInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Who has it now.', schema: 'Assigned' } },
      refusals: [...refusals, 'no_such_reviewer'],
    },
    async (c, { principal, params, body }) => {
      const { site, owner: by } = principal
      const { assignee: to, seen } = body
      if (to !== null && to !== by) {
        const now_ms = Date.now()
        const held = await credentialsOfOwner(c.env.DB, { site, owner: to })
        const may = held.some((one) => one.role === 'reviewer' && isInForce(one, now_ms))
        if (!may) return problem({ code: 'no_such_reviewer' }, c.var.requestId)
      }
      const done = await planReview(c.env, site, params.plan).assign({ by, to, seen })
      if (!done.ok) return problem({ code: done.error.code }, c.var.requestId)
      return c.json({ plan: params.plan, assignee: to })
    },
  )
}
