/* oxlint-disable no-underscore-dangle -- names by which the SDK knows a transport over stdio */
// An MCP server as a child in a process group of its own. Danger: Ctrl-C, or a signal to the agent's
// group, that reaches the server first takes the device away before its orphan policy and safe-stop.
import { spawn, type ChildProcess } from 'node:child_process'
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'

import { limits } from '../protocol/limits.ts'
import { AnswerUnreadable } from './answer.ts'
import { keyTwice } from './key-twice.ts'

export type StdioServer = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  /** `ignore` is what the SDK asks for when it probes a server's version on a process of its own. */
  readonly stderr?: 'inherit' | 'ignore'
}

/** How long a server may take to end after its input was closed, and again after SIGTERM. */
const endMs = 2_000
const disposeMs = 1_000
/** How long a server that does not read may take to end by SIGTERM. */
const killMs = 500
const newline = 0x0a
/** Groups are a thing of POSIX; elsewhere the child is signalled alone. */
const ownGroup = process.platform !== 'win32'

/** Signals the server with all that it started; one that is gone is not an error. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (ownGroup) process.kill(-child.pid, name)
    else child.kill(name)
  } catch {
    // ESRCH: the group has ended by itself.
  }
}

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

/** Waits for the end of the process itself: a helper that holds its pipes does not count. */
function ended(child: ChildProcess, ms: number): Promise<void> {
  if (hasEnded(child)) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * MCP over the standard streams of a child (specification 2025-06-18, transports: stdio). The same as
 * the SDK's own, which cannot be told to detach. `_serverParams`, `_dispose`, `stderr` and `pid` are
 * the shape by which the SDK finds out that it may probe the version on a sibling process.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly stderr = null
  readonly _serverParams: StdioServer
  #parts: Buffer[] = []
  #size = 0
  #child: ChildProcess | null = null

  constructor(server: StdioServer) {
    this._serverParams = server
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  start(): Promise<void> {
    if (this.#child !== null) throw new TypeError('the transport was started before')
    const { command, args, env, cwd, stderr } = this._serverParams
    const child = spawn(command, [...args], {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: ['pipe', 'pipe', stderr ?? 'inherit'],
      detached: ownGroup,
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    })
    this.#child = child
    child.on('close', () => {
      if (this.#child === child) this.#child = null
      this.onclose?.()
    })
    child.stdin?.on('error', (error) => this.onerror?.(error))
    child.stdout?.on('error', (error) => this.onerror?.(error))
    child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk))
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.on('error', (error) => {
        reject(error)
        this.onerror?.(error)
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === null || stdin === undefined) return Promise.reject(new Error('not connected'))
    return new Promise((resolve) => {
      if (stdin.write(serializeMessage(message))) resolve()
      else stdin.once('drain', resolve)
    })
  }

  /** Closes its input, which a server takes for the end; signals only what does not listen. */
  async close(): Promise<void> {
    const child = this.#child
    this.#child = null
    this.#parts = []
    this.#size = 0
    if (child === null) return
    child.stdin?.end()
    await ended(child, endMs)
    if (!hasEnded(child)) signal(child, 'SIGTERM')
    await ended(child, endMs)
    // Also what a server that has ended may have left in its group.
    signal(child, 'SIGKILL')
  }

  /** Ends a sibling that only served a probe. */
  async _dispose(): Promise<void> {
    const child = this.#child
    this.#child = null
    this.#parts = []
    this.#size = 0
    if (child === null) return
    child.stdin?.end()
    signal(child, 'SIGTERM')
    await ended(child, disposeMs)
    signal(child, 'SIGKILL')
    child.stdout?.destroy()
  }

  /** Whole lines become messages; one that is too long is skipped to its end, and the server lives on. */
  #take(chunk: Buffer): void {
    let rest = chunk
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      this.#keep(rest.subarray(0, end))
      this.#line()
      rest = rest.subarray(end + 1)
    }
    this.#keep(rest)
  }

  #keep(part: Buffer): void {
    this.#size += part.length
    if (this.#size <= limits.deviceAnswerBytesMax) this.#parts.push(part)
    else this.#parts = []
  }

  #line(): void {
    const size = this.#size
    const text = Buffer.concat(this.#parts).toString('utf8')
    this.#parts = []
    this.#size = 0
    if (size > limits.deviceAnswerBytesMax) {
      this.onerror?.(new AnswerUnreadable('answer_too_large', `a line of ${size} bytes`))
      return
    }
    // What a server logs to its output is no message and ends nothing.
    if (!text.trimStart().startsWith('{') || !text.includes('"jsonrpc"')) return
    try {
      const message = deserializeMessage(text)
      const twice = keyTwice(text)
      if (twice !== null) throw new Error(`the key ${JSON.stringify(twice.slice(0, 60))} twice`)
      this.onmessage?.(message)
    } catch (error) {
      const what = `${asError(error).message}: ${text.slice(0, 120)}`
      this.onerror?.(new AnswerUnreadable('answer_unreadable', what))
    }
  }

  /** Ends a server that does not read, with all that it started; whoever waits for it is told. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === null) return
    signal(child, 'SIGTERM')
    await ended(child, killMs)
    signal(child, 'SIGKILL')
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error('unknown'))
