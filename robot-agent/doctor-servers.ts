// What `doctor` finds at the device servers and the latch inputs. A stdio server is started for it and
// ended again, with nothing called; so it is only done while no agent has it.
import type { PinnedTool } from '../protocol/tool-row.ts'
import type { AgentConfig } from './config.ts'
import { Devices } from './devices.ts'
import type { Finding } from './doctor-local.ts'
import { isClear } from './latch.ts'

const waitMs = 10_000

/** Each server and its pins; `pins` is null when the gateway did not tell them. */
export async function serverChecks(
  config: AgentConfig,
  pins: readonly PinnedTool[] | null,
): Promise<Finding[]> {
  const why = new Map<string, string>()
  const devices = new Devices(config, {
    random: () => Math.random(),
    onChange: () => {},
    log: (_level, _event, facts) => {
      const { server, error, detail } = facts ?? {}
      const words = error ?? detail
      if (typeof server === 'string' && typeof words === 'string') why.set(server, words)
    },
  })
  devices.start()
  try {
    const names = Object.keys(config.mcpServers)
    await devices.settled(waitMs)
    const findings = names.map((name) => serverFinding(name, devices, why.get(name), pins))
    const missing = [...new Set((pins ?? []).map((pin) => pin.server))].filter(
      (name) => !names.includes(name),
    )
    return [
      ...findings,
      ...missing.map((name) => ({
        about: `server ${name}`,
        problem: 'the registry has tools on it, and `mcpServers` does not',
        todo: `add "${name}" to mcpServers, unless it is another cell's`,
      })),
    ]
  } finally {
    await devices.close()
  }
}

function serverFinding(
  name: string,
  devices: Devices,
  why: string | undefined,
  pins: readonly PinnedTool[] | null,
): Finding {
  const about = `server ${name}`
  const view = devices.views().get(name)
  if (view?.up !== true) {
    const problem = `it cannot be started or reached${why === undefined ? '' : ` (${why})`}`
    return { about, problem, todo: 'try its command by hand, as the same user, or open its url' }
  }
  if (view.state !== 'ok') {
    const problem = `its tools cannot be read${why === undefined ? '' : ` (${why})`}`
    return { about, problem, todo: "correct the server's tools/list" }
  }
  const tools = `${about}: ${view.digests.size} tools`
  if (pins === null) {
    return {
      about: `${tools}, compared with the registry once this is enrolled`,
      problem: null,
      todo: '',
    }
  }
  const own = pins.filter((pin) => pin.server === name)
  const gone = own.filter((pin) => !view.digests.has(pin.mcp_tool))
  const other = own.filter(
    (pin) => !gone.includes(pin) && view.digests.get(pin.mcp_tool) !== pin.definition_digest,
  )
  if (gone.length + other.length > 0) {
    const words = [
      ...gone.map((pin) => `${pin.mcp_tool} is not there`),
      ...other.map((pin) => `${pin.mcp_tool} is not as approved`),
    ]
    const todo = 'bring back the approved server, or have an administrator approve this one'
    return { about, problem: words.join(', '), todo }
  }
  const pinned = own.length === 0 ? 'no tool of the registry is on it' : `${own.length} as approved`
  return { about: `${tools}, ${pinned}`, problem: null, todo: '' }
}

/** Files and commands; a resource of a server is only read by the agent itself. */
export function latchChecks(config: AgentConfig): Promise<Finding[]> {
  const io = { log: () => {}, onChange: () => {}, readResource: () => Promise.resolve(null) }
  return Promise.all(
    config.latches
      .filter((latch) => !('server' in latch))
      .map(async (latch) => ({
        about: `latch ${latch.name}`,
        problem: (await isClear(latch, io)) ? null : `it holds: it does not say "${latch.clear}"`,
        todo: 'release it at the cell; if it is free, correct its file or command',
      })),
  )
}
