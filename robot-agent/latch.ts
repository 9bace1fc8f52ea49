// Local inputs that hold the cell: an emergency stop, a door. Whatever is not read as exactly clear
// holds, so a torn wire, a dead script or a lost server stops the cell and never frees it.
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LatchConfig } from './config.ts'
import type { Log } from './log.ts'

export type LatchIo = {
  readonly log: Log
  readonly readResource: (server: string, uri: string, ms: number) => Promise<string | null>
  /** An input began or ceased to hold. */
  readonly onChange: () => void
}

/** What such an input says is one word; more is not read. */
const textBytesMax = 4_096

async function fileText(file: string): Promise<string> {
  // A pipe that nobody writes to would keep one of the few threads that all reading and dialling shares.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(textBytesMax), 0, textBytesMax, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** What the command printed; null unless it ended well and in time. */
function commandText(command: string, args: readonly string[], ms: number): Promise<string | null> {
  return new Promise((resolve) => {
    const bounds = { timeout: ms, killSignal: 'SIGKILL', maxBuffer: textBytesMax } as const
    execFile(command, args, bounds, (error, stdout) => resolve(error === null ? stdout : null))
  })
}

function textOf(latch: LatchConfig, io: LatchIo): Promise<string | null> {
  if ('file' in latch) return fileText(latch.file)
  if ('command' in latch) return commandText(latch.command, latch.args, latch.timeout_ms)
  return io.readResource(latch.server, latch.resource, latch.timeout_ms)
}

/** One reading; everything but the clear word in time is false. `done`: nothing of it is under way any more. */
function readingOf(
  latch: LatchConfig,
  io: LatchIo,
): { clear: Promise<boolean>; done: Promise<unknown> } {
  const over = new AbortController()
  const late = sleep(latch.timeout_ms, null, { signal: over.signal }).catch(() => null)
  const text = textOf(latch, io).catch(() => null)
  const clear = Promise.race([text, late]).then((said) => {
    over.abort()
    return said?.trim() === latch.clear
  })
  return { clear, done: text }
}

export const isClear = (latch: LatchConfig, io: LatchIo): Promise<boolean> =>
  readingOf(latch, io).clear

export class Latches {
  readonly #latches: readonly LatchConfig[]
  readonly #io: LatchIo
  /** Before the first reading nothing is known, so everything holds. */
  readonly #holding: Set<string>
  #closed = false

  constructor(latches: readonly LatchConfig[], io: LatchIo) {
    this.#latches = latches
    this.#io = io
    this.#holding = new Set(latches.map((latch) => latch.name))
  }

  /** Whether any input holds the cell. */
  get engaged(): boolean {
    return this.#holding.size > 0
  }

  /** Those that do. */
  get names(): string[] {
    return [...this.#holding].sort()
  }

  start(): void {
    for (const latch of this.#latches) void this.#watch(latch)
  }

  close(): void {
    this.#closed = true
  }

  async #watch(latch: LatchConfig): Promise<void> {
    while (!this.#closed) {
      const { clear: said, done } = readingOf(latch, this.#io)
      const clear = await said
      if (this.#closed) return
      if (clear === this.#holding.has(latch.name)) {
        if (clear) this.#holding.delete(latch.name)
        else this.#holding.add(latch.name)
        const event = clear ? 'latch_clear' : 'latch_holds'
        // First the stop, then the word about it.
        this.#io.onChange()
        this.#io.log(clear ? 'info' : 'error', event, { latch: latch.name })
      }
      // An input that gives nothing (a share that hangs) holds, and is not asked again beside itself.
      await done
      await sleep(latch.every_ms)
    }
  }
}
