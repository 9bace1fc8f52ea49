// What the agent signs of one session beside starts: who it is on this connection, and what became of a
// node.
import type { AcceptedWelcome } from '../contain/receipt.ts'
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
type Reported = { readonly session: string; readonly ctx: string; readonly jti: string }

/** The signed report of one node. */
function sessionReport(
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

/** Signs the report of a node that has ended, and writes it down with what the device answered. */
export async function settledReport(
  deps: Deps,
  of: {
    readonly session: string
    readonly rows: SessionRows
    readonly bound: Pick<AcceptedWelcome, 'ctx' | 'minted'> | null
    readonly result: string | null
  },
  end: NodeEnd,
): Promise<string> {
  const { session, rows, bound, result } = of
  const { nid } = end
  const row = rows.node(nid)
  const jti = row?.jti ?? bound?.minted.get(nid)?.jti
  const ctx = row?.ctx ?? bound?.ctx
  if (jti === undefined || ctx === undefined) throw new TypeError(`nothing is known of ${nid}`)
  const started_ms = row?.started_ms ?? deps.nowMs()
  const report = await sessionReport(deps, { session, ctx, jti }, end, started_ms)
  rows.ended(end, { report, result }, deps.nowMs())
  return report
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
