// The result of one step for whoever asks, by whatever way: HTTP, events and MCP read it here, so that
// it is screened and labelled in one place.
import type { z } from 'zod'
import type { Env } from '../durable-objects/env.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { plannerOf, type Principal } from './context.ts'
import { executionSession } from './objects.ts'
import type { Refusal } from './problems.ts'
import type { nodeResultView } from './result-schema.ts'
import { resultView } from './result-view.ts'
import { siteNow } from './site-snapshot.ts'

export type ResultView = z.input<typeof nodeResultView>

/** Of a session that the principal may see: the caller has looked. */
export async function toldResult(
  env: Env,
  principal: Pick<Principal, 'site' | 'role' | 'subject'>,
  { session, node }: { readonly session: string; readonly node: string },
): Promise<Result<ResultView, Refusal>> {
  const stored = await executionSession(env, principal.site, session).result(node)
  if (stored === null) return err({ code: 'not_found' })
  const site = await siteNow(env, principal.site)
  if (site === null) return err({ code: 'site_not_ready', retryAfterS: 60 })
  const planner = plannerOf(principal)
  const view = await resultView(stored, planner, site.snapshot)
  return view === null ? err({ code: 'not_found' }) : ok(view)
}
