// From what a session is opened with to what is stored of it: checked, minted, nothing taken on trust.
import type { Signer } from '../../adapters/signer.ts'
import type { MintedToken } from '../../contain/mint.ts'
import { openSession, type OpenFailure } from '../../contain/open.ts'
import { openedState, type SessionBinding, type SessionState } from '../../contain/session-state.ts'
import type { AuditEntry } from '../../protocol/audit.ts'
import { makeId } from '../../protocol/ids.ts'
import { limits } from '../../protocol/limits.ts'
import { isPhysical } from '../../protocol/registry.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { rowsNamed } from '../../protocol/tool-row.ts'
import type { OpenSpec } from '../contracts.ts'
import type { SessionStore, StoredBinding } from './store.ts'

/** Checks the parts against each other and mints; writes nothing. */
export async function bindSession(
  signer: Signer,
  iss: string,
  spec: OpenSpec,
): Promise<Result<{ stored: StoredBinding; tokens: readonly MintedToken[] }, OpenFailure>> {
  const { context, plan_id, planner, epoch } = spec
  const jtis = context.order.map(() => makeId('jti', crypto.getRandomValues(new Uint8Array(26))))
  if (!readersOnlyRead(spec.tools)) return err('context_invalid')
  const rows = await rowsNamed(Object.values(spec.tools), context.tools, spec.stop_places)
  const opened = await openSession(signer.key, { ...spec, iss, jtis, rows })
  if (!opened.ok) return opened
  const { ctx, tokens, receipt, manifest } = opened.value
  // A binding that is opened late, after a crash, still gives the agent its whole grace to come.
  const opened_ms = Math.max(spec.now_ms, Date.now())
  const told = spec.told === undefined ? {} : { told: spec.told }
  const keep = spec.result_keep_ms === undefined ? {} : { result_keep_ms: spec.result_keep_ms }
  const parts = {
    iss,
    context,
    ctx,
    plan_id,
    planner,
    epoch,
    receipt,
    manifest,
    opened_ms,
    ...told,
    ...keep,
    ...(spec.traceparent === undefined ? {} : { traceparent: spec.traceparent }),
  }
  return ok({ stored: { ...parts, rows, tools: boundTools(spec) }, tokens })
}

/** Without a token nothing is called but what only reads (invariant 1). */
function readersOnlyRead(tools: OpenSpec['tools']): boolean {
  const readers = Object.values(tools).flatMap((entry) => entry.meaning?.preconditions ?? [])
  return readers.every(({ tool }) => tools[tool]?.risk_class === 'read')
}

function boundTools(spec: OpenSpec): StoredBinding['tools'] {
  return Object.fromEntries(
    Object.entries(spec.tools).map(
      ([name, { risk_class, timeout_ms, server, emits, quiet_ms }]) => [
        name,
        {
          physical: isPhysical(risk_class),
          timeout_ms,
          server,
          emits,
          ...(quiet_ms === undefined ? {} : { quiet_ms }),
        },
      ],
    ),
  )
}

/** Writes an opened session, in one transaction of the caller. Throws when there is one already. */
export function storeOpened(
  store: SessionStore,
  opened: {
    readonly stored: StoredBinding
    readonly tokens: readonly MintedToken[]
    readonly entry: AuditEntry
  },
): { readonly binding: SessionBinding; readonly state: SessionState } {
  store.create()
  if (!store.open(opened.stored, opened.tokens)) throw new Error('a session opens once')
  store.appendAudit(opened.entry)
  const binding = store.binding()
  if (binding === null) throw new Error('the binding was not written')
  const state = openedState(binding, limits.reportGraceMs)
  store.save(null, state)
  return { binding, state }
}
