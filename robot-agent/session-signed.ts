// What the agent signs of one session beside starts: who it is on this connection, and what became of a
// node.
import type { Feature } from '../protocol/features.ts'
import type { NodeEnd, PendingReport } from './machine-types.ts'
import { reportFid } from './report-fid.ts'
import type { SessionDeps } from './session-deps.ts'
import type { SessionRows } from './session-rows.ts'

type Deps = Pick<SessionDeps, 'config' | 'signer' | 'bootId' | 'nowMs' | 'newId'>

/** The `hello` of one connection: the proof names the gateway, the head tells what the ledger knows. */
export async function sessionHello(deps: Deps, session: string, nonce: string, rows: SessionRows) {
  const { config, signer, bootId, nowMs, newId } = deps
  const proof = await signer.hello({
    aud: config.gateway_name,
    sub: config.agent,
    sid: session,
    nonce,
    boot_id: bootId,
    iat_ms: nowMs(),
  })
  const ledger_head = rows.nodes().map(({ nid, state }) => ({ nid, state }))
  const fid = newId('frame')
  return { fid, type: 'hello', session, boot_id: bootId, ledger_head, proof } as const
}

/** Where a report belongs. */
export type Reported = { readonly session: string; readonly ctx: string; readonly jti: string }

/** The signed report of one node. */
export function sessionReport(
  deps: Deps,
  { session, ctx, jti }: Reported,
  end: NodeEnd,
  started_ms: number,
): Promise<string> {
  const { config, signer, nowMs } = deps
  const about = { sub: config.agent, sid: session, jti, ctx }
  const { values, ...told } = end
  const compared = values === undefined ? {} : { values: [...values] }
  return signer.report({ ...about, ...told, ...compared, started_ms, ended_ms: nowMs() })
}

/** A report on its way, with what the device answered where the gateway takes it. */
export function reportFrame(
  { nid, text }: PendingReport,
  rows: SessionRows,
  features: readonly Feature[],
) {
  const result = features.includes('results') ? (rows.node(nid)?.result ?? null) : null
  const told = result === null ? {} : { result: JSON.parse(result) as object }
  return { fid: reportFid(nid), type: 'report', nid, report: text, ...told } as const
}
