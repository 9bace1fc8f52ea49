// A whole lab on this machine: gateway process, a site with the demo registry, credentials for every
// role, and one robot agent that drives the simulated cell through MCP. Used by start, demo and tests.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { policySchema, type PolicyInput } from '../../protocol/policy.ts'
import { provenDigests } from '../../protocol/proven.ts'
import { bundleAll, programPaths } from './bundle.ts'
import { createAgentKey } from './agent-key.ts'
import { createCredential, createSite, must, type SiteHandle } from './client.ts'
import { loadSite } from './demo-site.ts'
import { rehearsalOf, serversOf } from '../sim-cell/site-definitions.ts'
import { startProxy, type Proxy } from './proxy.ts'
import { startGatewayProcess, startNode, type Child, type GatewayProcess } from './processes.ts'

export type LabOptions = {
  /** Folder for everything that is kept. */
  stateDir: string
  port?: number
  /** Simulated seconds per real second. */
  timeScale?: number
  /** No act of the simulated cell takes longer than this many real milliseconds. */
  actMsMax?: number
  site?: string
  /** A site file whose cell is simulated from the file itself; left out: the demo site. */
  siteFile?: string
  /** A rehearsal: the rows of the site file count as seen at work, since no device is behind them. */
  rehearsal?: boolean
  /** A file that says what the calls of such a cell answer. */
  answers?: string
  policy?: PolicyInput
  /** Puts a man in the middle between agent and gateway. */
  proxied?: boolean
  /** Another bundle than the product's Worker, see GatewayOptions. */
  script?: string
  /** A stand-in of the platform's models judges. */
  standInModels?: boolean
  /** Faults of the simulated cell, as its --fault option takes them. */
  faults?: readonly string[]
  /** Where the gateway sends its spans. */
  tracesTo?: string
  onLine?: (who: 'gateway' | 'agent', line: string) => void
}

/** What a restart needs to find everything again. */
export type LabRecord = {
  site: string
  cell: string
  agent: string
  admin: string
  reviewer: string
  operator: string
  planners: Record<string, string>
  /** Of a site file: the servers that are simulated, and the sandboxes that it names. */
  servers?: string[]
  sandboxes?: string[]
}

export type Lab = {
  readonly url: string
  readonly record: LabRecord
  readonly handle: SiteHandle
  readonly journal: string
  readonly agentConfig: string
  /** The man in the middle, when the lab was started with one. */
  readonly proxy: Proxy | null
  gateway: () => GatewayProcess
  agent: () => Child
  /** Starts the gateway again on the same port and state after it was killed. */
  restartGateway: () => Promise<void>
  restartAgent: () => Promise<void>
  close: () => Promise<void>
}

const demoNames = { agent: 'agent-lc7', cell: 'LC-7', site: 'lc7' } as const
const ownNames = { agent: 'agent-1', cell: 'cell-1', site: 'own' } as const

/** Owners of the demo credentials: planners and reviewers never share one (conflict of interest). */
const owners = { planner: 'p.vogel', reviewer: 'r.okafor', operator: 'o.lindqvist' } as const

/** Brings the lab up; with a state folder of an earlier run it goes on with that. */
export async function startLab(options: LabOptions): Promise<Lab> {
  await mkdir(options.stateDir, { recursive: true })
  await bundleAll()
  const running: Running = { gateway: null, agent: null, proxy: null }
  try {
    return await bringUp(options, running)
  } catch (cause) {
    // Whatever was started must not outlive a lab that did not come up.
    await stopAll(running, 'SIGKILL')
    throw cause
  }
}

type Running = { gateway: GatewayProcess | null; agent: Child | null; proxy: Proxy | null }

async function stopAll(running: Running, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await running.agent?.kill(signal)
  await running.proxy?.close()
  await running.gateway?.child.kill(signal)
}

async function bringUp(options: LabOptions, running: Running): Promise<Lab> {
  const at = (name: string): string => path.join(options.stateDir, name)
  const spawned = (who: 'gateway' | 'agent') => ({
    onLine: (line: string) => options.onLine?.(who, line),
  })
  const runGateway = async (port: number): Promise<GatewayProcess> => {
    const args = ['--no-bundle', '--port', String(port), '--state', at('gateway')]
    if (options.standInModels === true) args.push('--stand-in-models')
    if (options.script !== undefined) args.push('--script', options.script)
    const env = options.tracesTo === undefined ? {} : { OTLP_TRACES_URL: options.tracesTo }
    running.gateway = await startGatewayProcess(args, { ...spawned('gateway'), env })
    return running.gateway
  }
  let gateway = await runGateway(options.port ?? 0)
  const url = gateway.url
  const record = await provision(gateway, options)
  const handle: SiteHandle = { base: url, site: record.site, admin: record.admin }
  const agentConfig = at('agent.json')
  running.proxy = options.proxied === true ? await startProxy(url) : null
  const config = agentConfigOf(running.proxy?.url ?? url, record, options)
  await writeFile(agentConfig, JSON.stringify(config, null, 2))
  const runAgent = async (): Promise<Child> => {
    running.agent = startNode(programPaths.agent, ['--config', agentConfig], spawned('agent'))
    await waitForAgent(handle, running.agent)
    return running.agent
  }
  let agent = await runAgent()
  return {
    url,
    record,
    handle,
    journal: at('cell-journal.jsonl'),
    agentConfig,
    proxy: running.proxy,
    gateway: () => gateway,
    agent: () => agent,
    restartGateway: async () => {
      gateway = await runGateway(Number(new URL(url).port))
    },
    restartAgent: async () => {
      agent = await runAgent()
    },
    close: () => stopAll(running, 'SIGTERM'),
  }
}

function agentConfigOf(url: string, record: LabRecord, options: LabOptions): object {
  const at = (name: string): string => path.join(options.stateDir, name)
  return {
    gateway: url,
    // Its name, whatever proxy stands between: the deployment of lab/local/gateway.ts.
    gateway_name: 'local',
    site: record.site,
    agent: record.agent,
    cell: record.cell,
    key_file: at('agent-key.json'),
    state_dir: at('agent'),
    ...devicesOf(record, options),
  }
}

/** The servers of the cell: the demo's own simulation, or one made from each server of a site file. */
function devicesOf(record: LabRecord, options: LabOptions): object {
  const at = (name: string): string => path.join(options.stateDir, name)
  if (options.siteFile !== undefined) {
    const server = (name: string) => ({
      command: process.execPath,
      args: [
        programPaths.siteCell,
        '--site',
        path.resolve(options.siteFile ?? ''),
        '--server',
        name,
        '--journal',
        at('cell-journal.jsonl'),
        ...(options.answers === undefined ? [] : ['--answers', options.answers]),
      ],
    })
    const names = record.servers ?? []
    return {
      sandboxes: record.sandboxes ?? [],
      mcpServers: Object.fromEntries(names.map((name) => [name, server(name)])),
    }
  }
  return {
    sandboxes: ['py-sbx-01', 'r-sbx-01'],
    mcpServers: {
      'lc7-cell': {
        command: process.execPath,
        args: [
          programPaths.cell,
          '--stdio',
          '--journal',
          at('cell-journal.jsonl'),
          '--time-scale',
          String(options.timeScale ?? 1),
          ...(options.actMsMax === undefined ? [] : ['--act-ms-max', String(options.actMsMax)]),
          ...(options.faults ?? []).flatMap((fault) => ['--fault', fault]),
        ],
      },
    },
  }
}

/** Creates site, credentials and agent once; later runs read them back. */
async function provision(gateway: GatewayProcess, options: LabOptions): Promise<LabRecord> {
  const file = path.join(options.stateDir, 'lab.json')
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as LabRecord
  const { registry: described, policy, proven } = await loadSite(options.siteFile)
  const names = options.siteFile === undefined ? demoNames : ownNames
  const registry = options.siteFile === undefined ? described : await rehearsalOf(described)
  const site = options.site ?? names.site
  const handle = await createSite(gateway.url, gateway.operatorToken, {
    site,
    registry,
    policy: policySchema.parse({ ...policy, ...options.policy }),
    proven: options.rehearsal === true ? await provenDigests(registry.tools) : proven,
  })
  const planners: Record<string, string> = {}
  for (const planner of Object.keys(registry.planners)) {
    planners[planner] = await createCredential(handle, {
      role: 'planner',
      subject: planner,
      owner: owners.planner,
    })
  }
  const person = (role: 'reviewer' | 'operator') =>
    createCredential(handle, { role, subject: `${role}-1`, owner: owners[role] })
  const key = createAgentKey(path.join(options.stateDir, 'agent-key.json'))
  await must(gateway.url, {
    method: 'POST',
    path: '/v1/agents',
    token: handle.admin,
    body: { agent: names.agent, cell: names.cell, jwk: key },
  })
  const record: LabRecord = {
    site,
    cell: names.cell,
    agent: names.agent,
    admin: handle.admin,
    reviewer: await person('reviewer'),
    operator: await person('operator'),
    planners,
    servers: serversOf(registry),
    sandboxes: registry.sandboxes,
  }
  await writeFile(file, JSON.stringify(record, null, 2), { mode: 0o600 })
  return record
}

const agentUpMs = 60_000

/** Waits until the hub sees the agent online with fresh health. */
async function waitForAgent(handle: SiteHandle, agent: Child): Promise<void> {
  const until = Date.now() + agentUpMs
  while (Date.now() < until && agent.process.exitCode === null) {
    const { items } = await must<{
      items: { online: boolean; health: { reported_at_ms: number } | null }[]
    }>(handle.base, { method: 'GET', path: '/v1/agents', token: handle.admin })
    if (items.some((row) => row.online && row.health !== null)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the agent did not come online\n${agent.log.slice(-20).join('\n')}`)
}

/** Looks at the demo cell and arms it for some minutes, as its operator. */
export async function armCell(lab: Lab, minutes: number): Promise<void> {
  const { cell, operator: token } = lab.record
  const { items } = await must<{ items: { cell: string; change: number }[] }>(lab.url, {
    method: 'GET',
    path: '/v1/cells',
    token,
  })
  const seen = items.find((row) => row.cell === cell)?.change
  const until_ms = Date.now() + minutes * 60_000
  const body = { until_ms, seen }
  await must(lab.url, { method: 'POST', path: `/v1/cells/${cell}/arm`, token, body })
}
