// Reading of source files with errors that name file, line and what was expected. Danger: a source
// that changed its shape silently would yield a graph with holes, so every field is asked for.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { GraphBuilder } from './graph.ts'

/** A source file is missing, broken or not the pinned one. */
export class SourceError extends Error {
  readonly file: string
  readonly line: number
  constructor(file: string, line: number, expected: string) {
    super(`${file}:${line}: expected ${expected}`)
    this.name = 'SourceError'
    this.file = file
    this.line = line
  }
}

/** A typed view on one record; each getter throws a {@link SourceError} on another shape. */
export class Rec {
  readonly file: string
  readonly line: number
  readonly #value: Readonly<Record<string, unknown>>

  constructor(file: string, line: number, value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new SourceError(file, line, 'an object')
    }
    this.file = file
    this.line = line
    this.#value = { ...value }
  }

  /** Where this record is, as edges cite it. */
  get at(): string {
    return `${path.basename(this.file)}:${this.line}`
  }

  keys(): string[] {
    return Object.keys(this.#value)
  }

  fail(expected: string): never {
    throw new SourceError(this.file, this.line, expected)
  }

  raw(key: string): unknown {
    return this.#value[key]
  }

  str(key: string): string {
    const v = this.#value[key]
    return typeof v === 'string' ? v : this.fail(`"${key}" to be a string`)
  }

  optStr(key: string): string {
    const v = this.#value[key]
    return v === undefined || v === null ? '' : this.str(key)
  }

  num(key: string): number {
    const v = this.#value[key]
    return typeof v === 'number' ? v : this.fail(`"${key}" to be a number`)
  }

  optNum(key: string): number | null {
    const v = this.#value[key]
    return v === undefined || v === null ? null : this.num(key)
  }

  bool(key: string): boolean {
    return this.#value[key] === true
  }

  /** A list of strings; an absent key is an empty list. */
  strs(key: string): string[] {
    const v = this.#value[key]
    if (v === undefined || v === null) return []
    if (!Array.isArray(v)) return this.fail(`"${key}" to be a list of strings`)
    return v.map((x: unknown) =>
      typeof x === 'string' ? x : this.fail(`"${key}" to be a list of strings`),
    )
  }

  /** A list of objects; an absent key is an empty list. */
  list(key: string): Rec[] {
    const v = this.#value[key]
    if (v === undefined || v === null) return []
    if (!Array.isArray(v)) return this.fail(`"${key}" to be a list of objects`)
    return v.map((x: unknown) => new Rec(this.file, this.line, x))
  }

  rec(key: string): Rec {
    const v = this.#value[key]
    if (v === undefined) return this.fail(`"${key}" to be an object`)
    return new Rec(this.file, this.line, v)
  }

  optRec(key: string): Rec {
    return new Rec(this.file, this.line, this.#value[key] ?? {})
  }
}

/** One source folder: reads files, and remembers the digest of each for the manifest. */
export class SourceDir {
  readonly dir: string
  readonly digests = new Map<string, { sha256: string; bytes: number }>()
  readonly #pins: Readonly<Record<string, string>>

  /** `pins`: file name → SHA-256 in hex. A pinned file with other bytes is refused. */
  constructor(dir: string, pins: Readonly<Record<string, string>>) {
    this.dir = dir
    this.#pins = pins
  }

  has(file: string): boolean {
    return existsSync(path.join(this.dir, file))
  }

  text(file: string): string {
    return this.bytes(file).toString('utf8')
  }

  bytes(file: string): Buffer {
    const full = path.join(this.dir, file)
    if (!existsSync(full)) throw new SourceError(full, 0, 'the file to exist')
    const bytes = readFileSync(full)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const pin = this.#pins[file]
    if (pin !== undefined && pin !== sha256) {
      const bad = firstBadLine(file, bytes)
      if (bad) throw new SourceError(full, bad.line, bad.expected)
      throw new SourceError(full, 1, `SHA-256 ${pin}, found ${sha256} (another version?)`)
    }
    this.digests.set(file, { sha256, bytes: bytes.length })
    return bytes
  }

  json(file: string): unknown {
    const text = this.text(file)
    try {
      return JSON.parse(text) as unknown
    } catch (error) {
      throw new SourceError(path.join(this.dir, file), jsonErrorLine(text, error), 'valid JSON')
    }
  }

  rec(file: string): Rec {
    return new Rec(path.join(this.dir, file), 1, this.json(file))
  }

  /** JSON Lines, one record a line. */
  *lines(file: string): Generator<Rec> {
    const full = path.join(this.dir, file)
    for (const [i, line] of this.text(file).split('\n').entries()) {
      if (line.trim() === '') continue
      yield new Rec(full, i + 1, parseLine(full, i + 1, line))
    }
  }
}

function parseLine(file: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new SourceError(file, line, 'one JSON object')
  }
}

function firstBadLine(file: string, bytes: Buffer): { line: number; expected: string } | null {
  if (!file.endsWith('.jsonl')) return null
  for (const [i, text] of bytes.toString('utf8').split('\n').entries()) {
    if (text.trim() === '') continue
    try {
      JSON.parse(text)
    } catch {
      return { line: i + 1, expected: 'one JSON object' }
    }
  }
  return null
}

function jsonErrorLine(text: string, error: unknown): number {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined
  return position === undefined ? 1 : text.slice(0, Number(position)).split('\n').length
}

/** What one source module gets and gives back. */
export type SourceModule = {
  /** Folder name under `--sources`, and the name edges and nodes carry. */
  readonly name: string
  readonly parse: (dir: SourceDir, graph: GraphBuilder) => void
}

/** Adds edges of one source and record without repeating both each time. */
export function stated(graph: GraphBuilder, source: string) {
  return (from: string, kind: string, to: string, record: string): void => {
    graph.edge({ from, to, kind, derived: false, record, source })
  }
}
