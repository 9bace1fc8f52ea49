// Files of `npm run site`: site files, lists of example plans, lists of tools. What cannot be read is
// refused with the file and the place; a site file is replaced as a whole, never left half written.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { registrySchema, type Registry } from '../protocol/registry.ts'
import { exampleOf, exampleSchema, toolListSchema } from '../verify/onboard/example.ts'
import type { Offer } from '../verify/onboard/draft.ts'
import type { Example } from '../verify/onboard/trial.ts'

/** Something in a file or a command that its author can mend. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new UsageError(
    `${where}: /${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'not valid'}`,
  )
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new UsageError(`${file}: cannot be read`)
  }
}

function json(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new UsageError(`${where}: is not JSON (${cause instanceof Error ? cause.message : ''})`)
  }
}

/** Any JSON file. */
export async function readJson(file: string): Promise<unknown> {
  const text = await textOf(file)
  if (text === null) throw new UsageError(`${file}: there is no such file`)
  return json(text, file)
}

/** A site file; null when there is none yet. */
export async function readSite(file: string): Promise<Registry | null> {
  const text = await textOf(file)
  return text === null ? null : parsed(registrySchema, json(text, file), file)
}

export async function readSiteOrFail(file: string): Promise<Registry> {
  const site = await readSite(file)
  if (site === null) throw new UsageError(`${file}: there is no such file; make one with draft`)
  return site
}

export async function writeSite(file: string, registry: Registry): Promise<void> {
  await writeFile(`${file}.part`, `${JSON.stringify(registry, null, 2)}\n`)
  await rename(`${file}.part`, file)
}

/** Example plans, one JSON object a line: a plan, and beside it `expect` and `state`. */
export async function readExamples(file: string): Promise<Example[]> {
  const text = await textOf(file)
  if (text === null) throw new UsageError(`${file}: there is no such file`)
  const lines = text.split('\n').map((line, i) => ({ line, where: `${file}: line ${i + 1}` }))
  return lines.flatMap(({ line, where }, i) => {
    if (line.trim() === '') return []
    return [exampleOf(parsed(exampleSchema, json(line, where), where), i + 1)]
  })
}

/** A list of tools as `tools/list` answers it. */
export function offerOf(server: string, list: unknown, where: string): Offer {
  return { server, tools: parsed(toolListSchema, list, where) }
}

export async function readOffer(server: string, file: string): Promise<Offer> {
  const text = await textOf(file)
  if (text === null) throw new UsageError(`${file}: there is no such file`)
  return offerOf(server, json(text, file), file)
}
