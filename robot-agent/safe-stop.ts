// Calls a registry-listed safe-stop and writes down that it was asked for and how it ended. It is the
// one call that needs no token: it only ever leads to rest.
import type { StopCall } from './recovery.ts'
import type { SessionDeps } from './session-deps.ts'

/** Does one safe-stop; its failure is loud but stops nothing else. */
export async function safeStop(
  deps: Pick<SessionDeps, 'ledger' | 'devices' | 'nowMs' | 'log'>,
  why: { readonly session: string; readonly cause: string },
  stop: StopCall,
): Promise<void> {
  const { ledger, devices, nowMs, log } = deps
  const { session, cause } = why
  const { server, mcp_tool } = stop
  const id = ledger.safeStopAsked({ session, server, mcp_tool, cause, now_ms: nowMs() })
  log('warn', 'safe_stop', { session, server, tool: mcp_tool, cause })
  const { outcome, reason } = await devices.safeStop(stop, session)
  ledger.safeStopEnded(id, reason ?? outcome, nowMs())
  const level = outcome === 'succeeded' ? 'info' : 'error'
  log(level, 'safe_stop_ended', { session, server, tool: mcp_tool, outcome })
}
