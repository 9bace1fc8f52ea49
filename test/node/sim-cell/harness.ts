// Starts the real cell as a process and talks MCP to it; the journal is read back from disk.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { programPaths } from '../../../lab/local/bundle.ts'
import type { JournalLine } from '../../../lab/sim-cell/journal.ts'
import { scratch } from '../support/scratch.ts'

/** The cell as the project's own set-up bundled it. */
export const cellMain = programPaths.cell

export function readJournal(file: string): JournalLine[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JournalLine)
  } catch {
    return []
  }
}

/** `begin` and `end` as short words, in the order of the journal. */
export const story = (lines: readonly JournalLine[]): string[] =>
  lines.map((l) => `${l.phase === 'end' ? `end ${l.outcome ?? ''}` : l.phase} ${l.tool}`)

export type RunningCell = {
  readonly client: Client
  readonly journal: () => JournalLine[]
  readonly close: () => Promise<void>
}

function newClient(onChanged: () => void): Client {
  return new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
    },
  )
}

export async function stdioCell(
  args: readonly string[],
  onChanged: () => void = () => {},
): Promise<RunningCell> {
  const file = path.join(scratch(), 'journal.jsonl')
  const client = newClient(onChanged)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cellMain, '--stdio', '--journal', file, ...args],
    }),
  )
  return { client, journal: () => readJournal(file), close: () => client.close() }
}

export type HttpCell = {
  readonly url: string
  readonly journalFile: string
  readonly journal: () => JournalLine[]
  readonly close: () => Promise<void>
}

/** The cell as an HTTP server of its own process. */
export async function startHttpCell(args: readonly string[]): Promise<HttpCell> {
  const file = path.join(scratch(), 'journal.jsonl')
  const child = spawn(process.execPath, [cellMain, '--http', '0', '--journal', file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))
    child.once('exit', (code) => reject(new Error(`cell exited ${code}`)))
  })
  const { url } = JSON.parse(line) as { url: string }
  return {
    url,
    journalFile: file,
    journal: () => readJournal(file),
    close: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

export async function httpClient(url: string, onChanged: () => void = () => {}): Promise<Client> {
  const client = newClient(onChanged)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

/** Waits until `probe` holds, or fails after `ms`. */
export async function until(probe: () => boolean, ms = 10_000): Promise<void> {
  const end = Date.now() + ms
  while (!probe()) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${probe.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
