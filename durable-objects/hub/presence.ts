// The presence socket of an agent: challenge, proof of key, health, assignments. A socket that
// cannot prove the enrolled key is closed and touches nothing (a stranger cannot disturb a site).
import { verifyHello } from '../../contain/agent-signed.ts'
import { importJwks } from '../../contain/keys.ts'
import {
  agentPresenceFrame,
  type AgentPresenceFrame,
  type GatewayPresenceFrame,
} from '../../protocol/frames.ts'
import type { Feature } from '../../protocol/features.ts'
import { limits } from '../../protocol/limits.ts'
import { parseJsonText } from '../../protocol/parse.ts'
import type { FrameError } from '../../protocol/reasons.ts'
import type { Registry } from '../../protocol/registry.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { pinnedToolOf, type PinnedTool } from '../../protocol/tool-row.ts'
import { setDisarmed } from './cells.ts'
import type { AgentRow, HubStore } from './store.ts'

const encoder = new TextEncoder()

/** Kept in the socket's attachment, so that it survives hibernation. */
export type PresenceAttachment = {
  agent: string
  jkt: string
  nonce: string
  proven: boolean
  opened_ms: number
  /** The process behind the socket, once it has proved the key. */
  boot_id?: string
  /** How often it has told its health, up to two: from then on its own beat tells whether it lives. */
  beats?: number
  /** Set while nothing is heard of it. */
  silent?: boolean
  /** What this connection may use beyond the first version of the wire. */
  features: Feature[]
  /** The gateway's names, one of which the proof must be addressed to. */
  names: string[]
}

/** Health is told so often that a frozen agent is seen in seconds. */
const healthEveryMs = 3_000
/** Unchanged health is written again after this: a snapshot takes older health as not operable. */
const healthWrittenMs = limits.presenceStaleMs / 3

/** Parses one frame of an agent: bounded, closed. */
export function readPresenceFrame(
  data: string | ArrayBuffer,
): Result<AgentPresenceFrame, { code: FrameError; detail: string }> {
  if (typeof data !== 'string') return err({ code: 'frame_not_json', detail: 'text frames only' })
  // UTF-16 length never exceeds the UTF-8 length, so long texts are refused without encoding them.
  const long = data.length > limits.agentFrameBytesMax
  if (long || encoder.encode(data).length > limits.agentFrameBytesMax) {
    return err({ code: 'frame_too_large', detail: `at most ${limits.agentFrameBytesMax} bytes` })
  }
  // Lossless like every other body: what is kept must have a canonical form, or no snapshot of the
  // site could be digested any more.
  const json = parseJsonText(data)
  if (!json.ok) {
    const first = json.error[0]
    const detail = first === undefined ? 'not JSON' : `${first.code} at '${first.at}'`
    return err({ code: 'frame_not_json', detail: detail.slice(0, 300) })
  }
  const parsed = agentPresenceFrame.safeParse(json.value)
  if (parsed.success) return ok(parsed.data)
  const issue = parsed.error.issues[0]
  const where = issue === undefined ? '' : `/${issue.path.join('/')}: ${issue.message}`
  return err({ code: 'frame_schema', detail: where.slice(0, 300) })
}

/** The pins that an agent compares its MCP servers with and reports on. */
export function pinnedTools(registry: Registry): PinnedTool[] {
  return registry.tools.map((entry) => pinnedToolOf(entry))
}

/** How long the site wants parts of results kept, where its policy says so. */
export function partKeep(store: HubStore): { part_keep_ms?: number } {
  const part_keep_ms = store.policy()?.policy.part_keep_ms
  return part_keep_ms === undefined ? {} : { part_keep_ms }
}

/** The welcome of a proven agent. */
export function presenceWelcome(
  store: HubStore,
  re: string,
): Result<GatewayPresenceFrame, { code: FrameError; detail: string }> {
  const current = store.registry()
  const site = store.get('site')
  if (site === null) return err({ code: 'internal', detail: 'the site is not set up' })
  return ok({
    v: 1,
    re,
    type: 'welcome',
    site,
    registry_digest: current?.digest ?? '',
    tools: current === null ? [] : pinnedTools(current.registry),
    sandboxes: current === null ? [] : current.registry.sandboxes,
    health_every_ms: healthEveryMs,
    ...partKeep(store),
  })
}

/**
 * Checks a hello: the proof must be the enrolled key's signature over this connection's nonce.
 * @returns the agent row's name on success; otherwise why the socket closes.
 */
export async function proveAgent(
  store: HubStore,
  at: PresenceAttachment,
  frame: Extract<AgentPresenceFrame, { type: 'hello' }>,
): Promise<Result<{ agent: string; cell: string }, { code: FrameError; detail: string }>> {
  const row = store.agent(at.agent)
  if (row === null || row.revoked || row.jkt !== at.jkt) {
    return err({ code: 'key_not_bound', detail: 'the key is not enrolled at this site' })
  }
  if (row.cell !== frame.cell) {
    return err({ code: 'key_not_bound', detail: `the agent is enrolled for cell ${row.cell}` })
  }
  const keys = await importJwks({ keys: [row.jwk] })
  if (!keys.ok) return err({ code: 'key_not_bound', detail: keys.error })
  const names = at.features.includes('signed-rows') ? at.names : null
  const { nonce } = at
  const expected = { agent: row.agent, session: null, nonce, boot_id: frame.boot_id, names }
  const proof = await verifyHello(frame.proof, expected, keys.value)
  if (!proof.ok) return err({ code: 'proof_invalid', detail: proof.error })
  return ok({ agent: row.agent, cell: row.cell })
}

/**
 * Servers that answer over another connection than when the agent last told of them: whatever they held,
 * heated or had homed is unknown. A first connection restarts nothing.
 */
export function restartedServers(
  before: AgentRow['health'],
  now: Extract<AgentPresenceFrame, { type: 'health' }>['health'],
): string[] {
  return Object.entries(now.servers).flatMap(([name, { instance }]) => {
    const known = before?.servers[name]?.instance ?? 0
    return known > 0 && instance !== undefined && instance !== known ? [name] : []
  })
}

/**
 * Records what an agent said of itself, when it is news or the last record grows old. True when it is
 * news: then something more may be able to run.
 */
export function recordHealth(
  store: HubStore,
  before: AgentRow,
  health: Extract<AgentPresenceFrame, { type: 'health' }>['health'],
  now_ms: number,
): boolean {
  const { agent, cell } = before
  const { reported_at_ms, ...known } = before.health ?? { reported_at_ms: 0 }
  const same = JSON.stringify(known) === JSON.stringify({ agent, cell, ...health })
  if (same && now_ms - reported_at_ms < healthWrittenMs) return false
  store.sql.exec(
    'UPDATE agents SET health = ?, last_seen_ms = ? WHERE agent = ?',
    JSON.stringify({ agent, cell, reported_at_ms: now_ms, ...health }),
    now_ms,
    agent,
  )
  return !same || now_ms - reported_at_ms > limits.presenceStaleMs
}

/**
 * What an earlier run of the agent said of its devices is not true of this one, and whoever armed the
 * cell armed it under that run. Says whether it is another process, and whether that disarmed the cell.
 */
export function noteBoot(
  store: HubStore,
  { agent, cell, boot_id }: { agent: string; cell: string; boot_id: string },
  now_ms: number,
): { another: boolean; disarmed: boolean } {
  const before = store.cell(cell)
  const known = store.agent(agent)?.boot_id ?? null
  store.write(
    `UPDATE agents SET health = CASE WHEN boot_id = ?1 THEN health END, boot_id = ?1,
       last_seen_ms = ?2 WHERE agent = ?3`,
    boot_id,
    now_ms,
    agent,
  )
  // The first process ever: a cell that was armed before it came is armed for it.
  if (known === null) {
    store.write('UPDATE cells SET armed_boot = ? WHERE cell = ?', boot_id, cell)
    return { another: false, disarmed: false }
  }
  const another = known !== boot_id
  const armed = before?.armed_until_ms != null && before.armed_until_ms > now_ms
  if (!armed || (before.armed_boot ?? known) === boot_id) return { another, disarmed: false }
  setDisarmed(store, cell, 'agent_restarted', { by: agent, now_ms })
  return { another, disarmed: true }
}

/** A latch is told again and again while it holds; only the first time there is something to disarm. */
export function isArmed(store: HubStore, cell: string, now_ms: number): boolean {
  const until_ms = store.cell(cell)?.armed_until_ms ?? null
  return until_ms !== null && until_ms > now_ms
}
