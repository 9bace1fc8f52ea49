// Downloads sources from their origins into a folder that `kg:build --sources` reads. Danger: a
// tampered or moved file; digests are pinned, and a source is put in place only when it is whole.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { pinsOf } from '../pins.ts'
import type { Bar } from '../progress.ts'
import { SourceError } from '../source.ts'
import type { FetchSource } from './manifest.ts'
import { transform } from './transform.ts'

/** Bytes of one upstream file: the largest known one has 45 MB. */
const fileBytesMax = 120_000_000
const attemptsMax = 3

export type FetchInput = {
  readonly sources: readonly FetchSource[]
  readonly outDir: string
  readonly bar: Bar
  /** Only tests change it: rewrites an origin URL. */
  readonly rewrite?: (url: string) => string
  readonly timeoutMs?: number
  readonly pins?: (source: string) => Readonly<Record<string, string>>
}

export type FetchReport = {
  readonly source: string
  readonly state: 'fetched' | 'present' | 'failed'
  readonly message: string
}

const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** Fetches each source; one that fails leaves what was there and does not stop the others. */
export async function fetchAll(input: FetchInput): Promise<FetchReport[]> {
  const out: FetchReport[] = []
  for (const source of input.sources) {
    out.push(await fetchOne(source, input))
    input.bar.tick(source.name)
  }
  return out
}

async function fetchOne(source: FetchSource, input: FetchInput): Promise<FetchReport> {
  const pins = (input.pins ?? ((name: string) => pinsOf(name).files))(source.name)
  const target = path.join(input.outDir, source.name)
  if (isWhole(source, target, pins)) return { source: source.name, state: 'present', message: '' }
  try {
    const files = new Map<string, string | Uint8Array>()
    const made: Record<string, string> = {}
    for (const { file, url } of source.plain) {
      const bytes = await download(url, input)
      const pin = pins[file]
      if (pin !== undefined && sha256(bytes) !== pin) {
        throw new SourceError(url, 1, `SHA-256 ${pin}, found ${sha256(bytes)}`)
      }
      files.set(file, bytes)
    }
    for (const step of source.made) {
      const text = new TextDecoder().decode(await download(step.url, input))
      for (const [file, content] of Object.entries(transform(step, text))) {
        files.set(file, content)
        made[file] = sha256(content)
      }
    }
    if (source.made.length > 0) files.set('fetched.json', `${JSON.stringify(made, null, 2)}\n`)
    put(target, files)
    return { source: source.name, state: 'fetched', message: `${files.size} files` }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { source: source.name, state: 'failed', message }
  }
}

/** A folder with every file under its digest needs no download. */
function isWhole(
  source: FetchSource,
  target: string,
  pins: Readonly<Record<string, string>>,
): boolean {
  const recorded = recordedDigests(target)
  if (source.made.length > 0 && Object.keys(recorded).length === 0) return false
  const all = [...source.plain.map((p) => p.file), ...Object.keys(recorded)]
  return all.every((file) => {
    const full = path.join(target, file)
    const want = recorded[file] ?? pins[file]
    return existsSync(full) && (want === undefined || sha256(readFileSync(full)) === want)
  })
}

/** Digests of made files, as recorded when they were made; empty for other folders. */
export function recordedDigests(dir: string): Readonly<Record<string, string>> {
  const file = path.join(dir, 'fetched.json')
  if (!existsSync(file)) return {}
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {}
}

async function download(url: string, input: FetchInput): Promise<Uint8Array> {
  const at = input.rewrite?.(url) ?? url
  for (let attempt = 1; ; attempt++) {
    const answer = await reach(at, input.timeoutMs ?? 120_000)
    if (answer instanceof Response && answer.ok) {
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (bytes.length <= fileBytesMax) return bytes
      throw new SourceError(url, 0, `at most ${fileBytesMax} bytes`)
    }
    const final = answer instanceof Response && answer.status < 500
    if (final || attempt >= attemptsMax) {
      const found = answer instanceof Response ? `HTTP ${answer.status}` : answer.message
      throw new SourceError(url, 0, `the file, found ${found}`)
    }
    await new Promise((done) => setTimeout(done, 200 * 2 ** attempt))
  }
}

/** One request; a broken connection is a value, for it is worth another try. */
async function reach(url: string, timeoutMs: number): Promise<Response | Error> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Writes a whole folder beside the old one, then swaps them. */
function put(target: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  mkdirSync(path.dirname(target), { recursive: true })
  const fresh = mkdtempSync(`${target}-`)
  for (const [file, bytes] of files) writeFileSync(path.join(fresh, file), bytes)
  rmSync(target, { recursive: true, force: true })
  renameSync(fresh, target)
}
