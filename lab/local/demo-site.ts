// Loads and validates a site file: the demo site LC-7, or any other. A file that is not what it should
// be is refused with the place, never half loaded.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { policySchema, type Policy } from '../../protocol/policy.ts'
import { provenRowsSchema, type ProvenRows } from '../../protocol/proven.ts'
import { registrySchema, type Registry } from '../../protocol/registry.ts'

const siteDir = path.join(import.meta.dirname, '..', 'site', 'lc7')
/** Where the demo site lives in the project. */
export const demoSiteFiles = {
  registry: path.join(siteDir, 'registry.json'),
  policy: path.join(siteDir, 'policy.json'),
} as const

export type Site = {
  readonly registry: Registry
  readonly policy: Policy
  /** Rows that the lab of this site file states to be proven: none where it states nothing. */
  readonly proven: ProvenRows
}

/** Beside `NAME.json` a lab may state in `NAME.proven.json` which rows have run there before. */
export const provenFile = (siteFile: string): string =>
  siteFile.replace(/(?:\.json)?$/, '.proven.json')

const statedSchema = z.strictObject({ says: z.string(), rows: provenRowsSchema })

async function provenStated(siteFile: string): Promise<ProvenRows> {
  const file = provenFile(siteFile)
  if (!existsSync(file)) return {}
  return parsed(statedSchema, await readJson(file), file).rows
}

export class SiteFileError extends Error {
  override readonly name = 'SiteFileError'
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const at = issue === undefined ? '' : issue.path.join('/')
  throw new SiteFileError(`${file}: /${at}: ${issue?.message ?? 'not a site'}`)
}

async function readJson(file: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    throw new SiteFileError(`${file}: cannot be read`)
  }
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new SiteFileError(`${file}: is not JSON`)
  }
}

/**
 * Loads a site file. The policy comes from `policyFile`, else from the demo site. Throws
 * `SiteFileError` with the place that is wrong.
 */
export async function loadSite(
  file: string = demoSiteFiles.registry,
  policyFile: string = demoSiteFiles.policy,
): Promise<Site> {
  return {
    registry: parsed(registrySchema, await readJson(file), file),
    policy: parsed(policySchema, await readJson(policyFile), policyFile),
    proven: await provenStated(file),
  }
}
