// The agent's configuration: a JSON file, then overrides from the environment. Every refusal names the
// key and what would be right, since the reader stands in a lab, not at a debugger.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'

const id = z.string().min(1).max(limits.idCharsMax)

/** The familiar `mcpServers` shape: a command to start, or the URL of a running server. */
const mcpServerSchema = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    cwd: z.string().optional(),
  }),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), z.string()).default({}),
  }),
])
export type McpServerConfig = z.infer<typeof mcpServerSchema>

/**
 * A local input that holds the cell: an emergency stop, a door. Its text, trimmed, must be exactly `clear`;
 * everything else, no text and no answer included, holds.
 */
const latchCommon = {
  name: id,
  clear: z.string().min(1).max(200),
  /** How often it is read; an input that is not read in `timeout_ms` holds. */
  every_ms: z.int().min(20).max(60_000).default(100),
  timeout_ms: z.int().min(20).max(60_000).default(1_000),
}
const latchSchema = z.union([
  z.strictObject({ ...latchCommon, file: z.string().min(1) }),
  z.strictObject({
    ...latchCommon,
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
  }),
  z.strictObject({ ...latchCommon, server: id, resource: z.string().min(1) }),
])
export type LatchConfig = z.infer<typeof latchSchema>

export const configSchema = z.strictObject({
  /** Base URL of the gateway; the sockets are opened under it. */
  gateway: z.url({ protocol: /^https?$/ }),
  site: id,
  agent: id,
  cell: id,
  /** File with the agent's private Ed25519 JWK. */
  key_file: z.string().min(1),
  /** Where the ledger lives; one agent process per directory. */
  state_dir: z.string().min(1),
  /** How long images, files and large answers stay under `state_dir/results`; a week. */
  results_keep_hours: z.number().min(1).max(87_600).default(168),
  mcpServers: z.record(id, mcpServerSchema),
  log: z.enum(['text', 'json']).default('text'),
  latches: z.array(latchSchema).max(20).default([]),
  /** Names of the sandboxes that this cell offers and that are up. */
  sandboxes: z.array(id).max(100).default([]),
  /** Thumbprints of the gateway's keys; when given, no other key is believed. */
  gateway_jkts: z.array(z.string().min(1).max(60)).max(20).optional(),
  /** Issuer of the gateway's tokens; when absent, that of the first receipt of a session. */
  issuer: z.string().max(300).optional(),
  /**
   * The gateway's name in the proof of every connection: its `DEPLOYMENT`, or the host that is dialled,
   * which is the default.
   */
  gateway_name: z.string().min(1).max(300).optional(),
  /** A lost session socket is taken as loss of the gateway after this. */
  lost_grace_ms: z.int().min(0).max(600_000).default(5_000),
  /** How long a tool with orphan policy `hold` is held before its safe-stop. */
  hold_grace_ms: z.int().min(0).max(600_000).default(10_000),
  /** How often the tools of every server are read again, and a dead server is noticed. */
  probe_ms: z.int().min(100).max(600_000).default(10_000),
  /** A server that answers nothing for so long after a safe-stop was written is ended and started anew. */
  unread_ms: z.int().min(100).max(600_000).default(5_000),
  /** How long SIGTERM waits for running tools and reports. */
  shutdown_ms: z.int().min(0).max(86_400_000).default(60_000),
  reconnect: z
    .strictObject({
      base_ms: z.int().min(10).max(60_000).default(250),
      max_ms: z.int().min(10).max(600_000).default(15_000),
    })
    .default({ base_ms: 250, max_ms: 15_000 }),
})
export type AgentConfig = z.infer<typeof configSchema> & { gateway_name: string }

/** Environment variable → the key that it overrides. */
const overrides = {
  PORTCULLIS_GATEWAY: 'gateway',
  PORTCULLIS_SITE: 'site',
  PORTCULLIS_AGENT: 'agent',
  PORTCULLIS_CELL: 'cell',
  PORTCULLIS_KEY_FILE: 'key_file',
  PORTCULLIS_STATE_DIR: 'state_dir',
  PORTCULLIS_LOG: 'log',
} as const

/** A bare word is looked up in PATH; anything with a slash is a path, relative to the file. */
const commandAt = (baseDir: string, command: string): string =>
  command.includes('/') ? path.resolve(baseDir, command) : command

/** A server starts beside the file, so that paths in its own arguments mean what they say there. */
function placed(server: McpServerConfig, baseDir: string): McpServerConfig {
  if ('url' in server) return server
  const command = commandAt(baseDir, server.command)
  return { ...server, command, cwd: path.resolve(baseDir, server.cwd ?? '.') }
}

/** Validates a parsed file with its overrides; relative paths are relative to `baseDir`. */
export function parseConfig(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  baseDir: string,
): Result<AgentConfig, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return err('the configuration is not a JSON object')
  }
  const merged: Record<string, unknown> = { ...value }
  for (const [name, key] of Object.entries(overrides)) {
    const given = env[name]
    if (given !== undefined && given !== '') merged[key] = given
  }
  const parsed = configSchema.safeParse(merged)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const at = issue.path.length === 0 ? '(top level)' : issue.path.join('.')
      return `  ${at}: ${issue.message}`
    })
    return err(`the configuration is not valid:\n${lines.join('\n')}`)
  }
  const config = parsed.data
  if (Object.keys(config.mcpServers).length === 0) {
    return err('mcpServers is empty: the agent would have nothing to drive')
  }
  const names = config.latches.map((one) => one.name)
  if (new Set(names).size < names.length) return err('latches: two have the same name')
  const lost = config.latches.find((one) => 'server' in one && !(one.server in config.mcpServers))
  if (lost !== undefined)
    return err(`latches: ${lost.name} names a server that is not in mcpServers`)
  return ok({
    ...config,
    mcpServers: Object.fromEntries(
      Object.entries(config.mcpServers).map(([name, server]) => [name, placed(server, baseDir)]),
    ),
    latches: config.latches.map((one) => {
      if ('file' in one) return { ...one, file: path.resolve(baseDir, one.file) }
      return 'command' in one ? { ...one, command: commandAt(baseDir, one.command) } : one
    }),
    gateway_name: config.gateway_name ?? config.issuer ?? new URL(config.gateway).host,
    key_file: path.resolve(baseDir, config.key_file),
    state_dir: path.resolve(baseDir, config.state_dir),
  })
}

/** Reads the file and the environment. */
export function loadConfig(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Result<AgentConfig, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return err(`${file} cannot be read; write one as in docs/robot-agent.md`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return err(`${file} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  const parsed = parseConfig(value, env, path.dirname(path.resolve(file)))
  return parsed.ok ? parsed : err(`${file}: ${parsed.error}`)
}
