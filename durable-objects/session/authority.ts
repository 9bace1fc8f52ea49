// Asks the site, afresh for every node, whether it may actuate now (invariant 10). No answer in time is
// no authority. A call that failed on its way is not an answer: it is made once more.
import type { SessionBinding } from '../../contain/session-state.ts'
import type { TerminationReason } from '../../protocol/reasons.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Env } from '../env.ts'
import { callMs } from '../limited.ts'

type Answer = Result<void, { reason: TerminationReason }>

/** The site's answer for one node of the session. Never throws. */
export async function askSite(
  env: Env,
  { context, planner, epoch, told }: SessionBinding,
  { tool, nid }: { tool: string; nid: string },
): Promise<Answer> {
  const unreachable = err({ reason: 'authority_unreachable' as const })
  const { session, cell, agent_jkt, site } = context
  // A timer would keep the object alive; this one is cleared as soon as there is an answer.
  let timer: ReturnType<typeof setTimeout> | null = null
  const tooLate = new Promise<typeof unreachable>((resolve) => {
    timer = setTimeout(() => resolve(unreachable), callMs['session: authority'])
  })
  const ask = async (): Promise<Answer> => {
    // A fresh stub: one whose object was reset is broken for good.
    const hub = env.SITE_HUB.getByName(site)
    const told_ms = told?.[nid] ?? 0
    const question = hub.mayActuate({ session, cell, agent_jkt, planner, tool, epoch, told_ms })
    const answer = await Promise.race([question, tooLate])
    return answer.ok ? ok(undefined) : err({ reason: answer.error.reason })
  }
  try {
    return await ask().catch((cause: unknown) => {
      console.warn(`authority, asked once more: ${String(cause)}`)
      return ask()
    })
  } catch (cause) {
    console.error(`authority: ${String(cause)}`)
    return unreachable
  } finally {
    clearTimeout(timer)
  }
}
