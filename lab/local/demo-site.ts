// Loads and validates a site: the demo site LC-7, or any file of the same plain shape. A file that is
// not what it should be is refused with the place, never half loaded.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { jsonObjectSchema } from '../../protocol/json.ts'
import { policySchema, type Policy } from '../../protocol/policy.ts'
import {
  plannerEntrySchema,
  referenceSchema,
  registrySchema,
  riskClassSchema,
  type Registry,
} from '../../protocol/registry.ts'
import { emptyMeaning } from '../../protocol/site-file.ts'
import { deriveTool } from './derive-registry.ts'

const siteDir = path.join(import.meta.dirname, '..', 'site', 'lc7')
/** Where the demo site lives in the project. */
export const demoSiteFiles = {
  plain: path.join(siteDir, 'site.json'),
  registry: path.join(siteDir, 'registry.json'),
  policy: path.join(siteDir, 'policy.json'),
} as const

const rulesSchema = z.array(z.strictObject({ id: z.string(), text: z.string() }))

/** A site as a lab would write it down: tools, people's rules and reference tables, nothing of MCP. */
export const plainSiteSchema = z.looseObject({
  registry_version: z.string(),
  cell: z.string(),
  planners: z.record(z.string(), plannerEntrySchema),
  reference: referenceSchema,
  policy: rulesSchema,
  tools: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      risk_class: riskClassSchema,
      capability: z.string(),
      args_schema: jsonObjectSchema,
      policy_hints: jsonObjectSchema.optional(),
    }),
  ),
})
export type PlainSite = z.infer<typeof plainSiteSchema>

export type Site = { readonly registry: Registry; readonly policy: Policy }

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

/** The MCP server of a derived registry, from the cell's name: `LC-7` → `lc7-cell`. */
export function serverName(cell: string): string {
  return `${cell.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}-cell`
}

/** Plain site → full registry; the pins are those of the plain definitions. */
export async function registryOf(plain: PlainSite): Promise<Registry> {
  const server = serverName(plain.cell)
  const tools: Registry['tools'] = []
  for (const tool of plain.tools) tools.push(await deriveTool(tool, server))
  return {
    registry_version: plain.registry_version,
    tools,
    planners: plain.planners,
    reference: plain.reference,
    rules: plain.policy.map((rule) => ({ ...rule, else: 'escalate' as const })),
    ...emptyMeaning,
  }
}

/** Reads a plain site file. Throws `SiteFileError` with the place that is wrong. */
export async function readPlainSite(file: string): Promise<PlainSite> {
  return parsed(plainSiteSchema, await readJson(file), file)
}

/**
 * Loads a registry file, or a plain site file from which the registry is derived. The policy comes
 * from `policyFile`, else from the demo site. Throws `SiteFileError` with the place that is wrong.
 */
export async function loadSite(
  file: string = demoSiteFiles.registry,
  policyFile: string = demoSiteFiles.policy,
): Promise<Site> {
  const value = await readJson(file)
  const policy = parsed(policySchema, await readJson(policyFile), policyFile)
  const isPlain = typeof value === 'object' && value !== null && 'policy' in value
  const registry = isPlain
    ? parsed(registrySchema, await registryOf(parsed(plainSiteSchema, value, file)), file)
    : parsed(registrySchema, value, file)
  return { registry, policy }
}
