// Images, files and large answers on the agent's own disk, by digest, for a stated time. Evidence for
// people at the cell and never needed to act: a disk that fails here is logged, and nothing waits for it.
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { limits } from '../protocol/limits.ts'
import type { PartPiece } from '../protocol/part-frames.ts'
import type { AgentConfig } from './config.ts'
import type { Log } from './log.ts'
import type { Part } from './result-of.ts'

type Io = { readonly log: Log; readonly nowMs: () => number }

export class PartStore {
  readonly #dir: string
  #keepMs: number
  readonly #io: Io
  #work: Promise<void> = Promise.resolve()

  constructor(config: Pick<AgentConfig, 'state_dir' | 'results_keep_hours'>, io: Io) {
    this.#dir = path.join(config.state_dir, 'results')
    this.#keepMs = config.results_keep_hours * 3_600_000
    this.#io = io
  }

  /** In the background, one after another; the same bytes are one file, and keep the newer time. */
  keep(parts: readonly Part[]): void {
    if (parts.length === 0) return
    this.#work = this.#work
      .then(() => this.#write(parts))
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        this.#io.log('warn', 'part_not_kept', { why })
      })
  }

  /** Once everything that was handed over is on disk, or was given up. */
  settled(): Promise<void> {
    return this.#work
  }

  /** What the site says; from the next write on, and for what is asked for from now on. */
  keepFor(ms: number): void {
    this.#keepMs = ms
  }

  /**
   * A piece of a kept part, at most `bytes` from `offset`; null when it is not kept here (any more), which
   * its time decides also before its file is removed. Reads one piece, however large the part is.
   */
  async read(digest: string, offset: number, bytes: number): Promise<PartPiece | null> {
    const file = this.#fileOf(digest)
    if (file === null) return null
    const handle = await open(file, 'r').catch(() => null)
    if (handle === null) return null
    try {
      const { size, mtimeMs } = await handle.stat()
      if (mtimeMs < this.#io.nowMs() - this.#keepMs) return null
      const piece = Buffer.alloc(Math.max(0, Math.min(bytes, size - offset)))
      const { bytesRead } = await handle.read(piece, 0, piece.length, offset)
      return { total: size, data: piece.subarray(0, bytesRead).toString('base64') }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#io.log('warn', 'part_not_read', { why })
      return null
    } finally {
      await handle.close()
    }
  }

  /** base64url alone: nothing in a digest can lead out of the directory. */
  #fileOf(digest: string): string | null {
    const name = /^blob:([A-Za-z0-9_-]{43})$/.exec(digest)?.[1]
    return name === undefined ? null : path.join(this.#dir, name)
  }

  async #write(parts: readonly Part[]): Promise<void> {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    for (const { digest, bytes } of parts) {
      const file = this.#fileOf(digest)
      if (file === null) continue
      await writeFile(`${file}.new`, bytes, { mode: 0o600 })
      await rename(`${file}.new`, file)
    }
    await this.#prune()
  }

  /** What is past its time goes, and the oldest while all of it is too much. */
  async #prune(): Promise<void> {
    const files = readdirSync(this.#dir).map((name) => {
      const file = path.join(this.#dir, name)
      const { size, mtimeMs } = statSync(file)
      return { file, size, mtimeMs }
    })
    let bytes = files.reduce((sum, { size }) => sum + size, 0)
    for (const { file, size, mtimeMs } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      const old = mtimeMs < this.#io.nowMs() - this.#keepMs
      if (!old && bytes <= limits.resultStoreBytesMax) return
      await rm(file, { force: true })
      bytes -= size
    }
  }
}
