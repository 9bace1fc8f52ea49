// Real processes for one test: the agent, the simulated cell, and a scripted gateway around them.
import { spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { programPaths } from '../../../lab/local/bundle.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { digest } from '../../../protocol/digest.ts'
import type { Plan } from '../../../protocol/plan.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { JournalLine } from '../../../lab/sim-cell/journal.ts'
import { cellMain, readJournal, startHttpCell, story, until } from '../sim-cell/harness.ts'
import { scratch } from '../support/scratch.ts'
import { agentName, cell, ScriptedGateway, site } from './gateway.ts'
import { newKey, publicKeys } from './keys.ts'

export { story, until }

export type Lab = {
  readonly gateway: ScriptedGateway
  readonly journal: () => JournalLine[]
  /** What really moved: the journal without safe-stops. */
  readonly moved: () => string[]
  readonly log: () => string
  readonly configFile: string
  readonly journalFile: string
  /** Starts the agent and waits until it is present with its cell up. */
  readonly startAgent: () => Promise<void>
  /** One more agent process on the same configuration. */
  readonly spawnAgent: () => ChildProcess
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
  /** The same to the agent's whole process group, as Ctrl-C in a terminal does. */
  readonly killGroup: (signal: NodeJS.Signals) => Promise<void>
  readonly exited: () => number | NodeJS.Signals | null
  readonly close: () => Promise<void>
}

export type LabOptions = {
  readonly transport?: 'stdio' | 'http'
  readonly cellArgs?: readonly string[]
  readonly config?: object
  /** MCP servers beside the cell. */
  readonly servers?: object
  readonly start?: boolean
}

const fast = ['--time-scale', '1000', '--act-ms-max', '40']

export async function openLab(options: LabOptions = {}): Promise<Lab> {
  const dir = scratch()
  const gatewayKey = await newKey()
  const agentKey = await newKey()
  const { registry } = await loadSite()
  const agent = { keys: await publicKeys(agentKey), jkt: agentKey.kid }
  const gateway = new ScriptedGateway(
    gatewayKey,
    agent,
    registry,
    await digest('registry', registry),
  )
  await gateway.listen()
  const cellArgs = options.cellArgs ?? fast
  const http = options.transport === 'http' ? await startHttpCell(cellArgs) : null
  const journalFile = http?.journalFile ?? path.join(dir, 'journal.jsonl')
  const keyFile = path.join(dir, 'agent.jwk')
  writeFileSync(keyFile, JSON.stringify(agentKey.privateJwk), { mode: 0o600 })
  const configFile = path.join(dir, 'agent.json')
  const server =
    http === null
      ? {
          command: process.execPath,
          args: [cellMain, '--stdio', '--journal', journalFile, ...cellArgs],
        }
      : { url: http.url }
  writeFileSync(
    configFile,
    JSON.stringify({
      gateway: gateway.url,
      site,
      agent: agentName,
      cell,
      key_file: 'agent.jwk',
      state_dir: 'state',
      mcpServers: { 'lc7-cell': server, ...options.servers },
      sandboxes: ['py-sbx-01'],
      lost_grace_ms: 2_000,
      hold_grace_ms: 300,
      shutdown_ms: 10_000,
      reconnect: { base_ms: 20, max_ms: 200 },
      ...options.config,
    }),
  )
  let child: ChildProcess | null = null
  let log = ''
  const spawnAgent = (): ChildProcess => {
    const started = spawn(process.execPath, [programPaths.agent, '--config', configFile], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own, so that a test can signal all of it and nothing else.
      detached: true,
    })
    started.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
    return started
  }
  const startAgent = async () => {
    child = spawnAgent()
    const seen = gateway.health.length
    const starting = child
    const up = () => gateway.health.slice(seen).some((h) => h.servers['lc7-cell']?.state === 'up')
    // A busy machine takes long to start two processes; nothing is measured here.
    await until(() => up() || starting.exitCode !== null, 60_000)
    if (starting.exitCode !== null) throw new Error(`agent exited ${starting.exitCode}: ${log}`)
  }
  const end = (send: (dying: ChildProcess) => void) =>
    new Promise<void>((resolve) => {
      const dying = child
      if (dying === null || dying.exitCode !== null || dying.signalCode !== null) return resolve()
      dying.once('exit', () => resolve())
      send(dying)
    })
  const kill = (signal: NodeJS.Signals) => end((dying) => dying.kill(signal))
  const killGroup = (signal: NodeJS.Signals) =>
    end((dying) => process.kill(-(dying.pid ?? 0), signal))
  if (options.start !== false) await startAgent()
  const journal = () => readJournal(journalFile)
  return {
    gateway,
    journal,
    moved: () => story(journal().filter((l) => !l.tool.endsWith('safe_stop'))),
    log: () => log,
    configFile,
    journalFile,
    startAgent,
    spawnAgent,
    kill,
    killGroup,
    exited: () => child?.exitCode ?? child?.signalCode ?? null,
    close: async () => {
      await kill('SIGKILL')
      await gateway.close()
      await http?.close()
    },
  }
}

type NodeSpec = { id: string; tool: string; args: JsonObject; after?: string[]; sandbox?: string }

export function planOf(...nodes: NodeSpec[]): Plan {
  return {
    goal: 'a test',
    instructions: ['Do it.'],
    planner: { id: 'planner-wetlab-01' },
    nodes: nodes.map(({ id, tool, args, after, sandbox }) => ({
      id,
      tool,
      args,
      depends_on: after ?? [],
      sandbox: sandbox ?? null,
    })),
  }
}

export const lock = (id: string, after: string[] = [], door = 'enclosure_A'): NodeSpec => ({
  id,
  tool: 'door.lock',
  args: { door_id: door },
  after,
})
export const move = (id: string, after: string[] = []): NodeSpec => ({
  id,
  tool: 'arm.move_to_pose',
  args: { pose: `pose_${id}`, zone: 'enclosure_A', speed_mm_s: 200 },
  after,
})
export const pick = (id: string, after: string[] = []): NodeSpec => ({
  id,
  tool: 'arm.pick',
  args: { object: 'plate', location: 'hotel_1', grip_force_n: 10 },
  after,
})
