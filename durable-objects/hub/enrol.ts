// Enrolment of robot agents: one live agent per cell, one key per agent. A new key or another cell is a
// new agent to everything that runs: what the old one was bound to may not go on (invariant 10).
import { limits } from '../../protocol/limits.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { AgentRecord } from '../contracts.ts'
import type { AgentRow, HubStore } from './store.ts'

/**
 * Writes an enrolment. Answers with the row that it replaced when that had another key or cell, or was
 * revoked: its sockets and sessions have to end.
 */
export function enrol(
  store: HubStore,
  agent: AgentRecord,
): Result<{ replaced: AgentRow | null }, { reason: 'too_many_agents' | 'cell_taken' }> {
  const before = store.agent(agent.agent)
  const others = store.agents().filter((row) => !row.revoked && row.agent !== agent.agent)
  if (others.length >= limits.agentsPerSiteMax) return err({ reason: 'too_many_agents' })
  if (others.some((row) => row.cell === agent.cell)) return err({ reason: 'cell_taken' })
  const same =
    before !== null && !before.revoked && before.jkt === agent.jkt && before.cell === agent.cell
  if (same) return ok({ replaced: null })
  const used = new Set([...others.map((row) => row.cell), agent.cell])
  for (const cell of store.cells()) {
    // A cell that nobody serves is forgotten, unless something about it is still open.
    const idle = cell.session === null && !cell.needs_clearance
    if (idle && !used.has(cell.cell)) {
      store.write('DELETE FROM cells WHERE cell = ?', cell.cell)
    }
  }
  const known = store.cell(agent.cell) !== null
  if (!known && store.cells().length >= limits.cellsPerSiteMax) {
    return err({ reason: 'too_many_agents' })
  }
  // Health and boot id go with the old row: a new key has not said anything yet.
  store.write(
    'INSERT OR REPLACE INTO agents (agent, cell, jkt, jwk) VALUES (?, ?, ?, ?)',
    agent.agent,
    agent.cell,
    agent.jkt,
    JSON.stringify(agent.jwk),
  )
  store.write('INSERT OR IGNORE INTO cells (cell) VALUES (?)', agent.cell)
  return ok({ replaced: before })
}
