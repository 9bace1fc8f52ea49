// The demo site is a valid registry whose pins are those of the cell that really runs.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { demoSiteFiles, loadSite, SiteFileError } from '../../../lab/local/demo-site.ts'
import { definitionDigest } from '../../../protocol/definition.ts'
import { checkLinear } from '../../../verify/linear-regex/check.ts'
import { cellTools } from '../../../lab/sim-cell/definitions.ts'
import { toolTable } from '../../../lab/sim-cell/tool-table.ts'
import { pinnedRegistry } from '../../../lab/tools/pin-site.ts'
import { scratch } from '../support/scratch.ts'

test('the committed registry carries the digests that the running cell publishes', async () => {
  const site = await loadSite()
  expect(site.registry).toEqual(await pinnedRegistry())
  expect(site.registry.tools).toHaveLength(30)
})

test('the cell implements every tool that it publishes, with the schema that the site approved', async () => {
  const { registry } = await loadSite()
  expect(Object.keys(toolTable).sort()).toEqual(cellTools.map((t) => t.name).sort())
  for (const tool of registry.tools) {
    const published = cellTools.find((t) => t.name === tool.mcp_tool)
    expect(published?.inputSchema).toEqual(tool.args_schema)
    expect(published?.description).toEqual(tool.description)
  }
})

test('every pattern of the demo site lies in the linear subset', () => {
  JSON.parse(readFileSync(demoSiteFiles.registry, 'utf8'), (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') {
      expect(checkLinear(value, 'u'), value).toMatchObject({ ok: true })
    }
    return value
  })
})

test('refuses a site file with the place that is wrong', async () => {
  await expect(loadSite('/nowhere/site.json')).rejects.toThrow(SiteFileError)
  const { registry } = await loadSite()
  const file = path.join(scratch(), 'site.json')
  const [first, ...rest] = registry.tools
  writeFileSync(
    file,
    JSON.stringify({ ...registry, tools: [{ ...first, capability: '' }, ...rest] }),
  )
  await expect(loadSite(file)).rejects.toThrow('/tools/0/capability')
  writeFileSync(file, JSON.stringify({ ...registry, tools: [{ ...first, surprise: 1 }, ...rest] }))
  await expect(loadSite(file)).rejects.toThrow('surprise')
  writeFileSync(file, '{')
  await expect(loadSite(file)).rejects.toThrow('is not JSON')
})

test('a changed description, schema or annotation changes the definition digest', async () => {
  const tool = cellTools[0]
  if (tool === undefined) throw new Error('no tools')
  const digests = await Promise.all([
    definitionDigest(tool),
    definitionDigest({ ...tool, description: `${tool.description} ` }),
    definitionDigest({ ...tool, title: 'Other' }),
    definitionDigest({ ...tool, annotations: { ...tool.annotations, readOnlyHint: true } }),
    definitionDigest({ ...tool, inputSchema: { ...tool.inputSchema, required: [] } }),
  ])
  expect(new Set(digests).size).toBe(5)
  const withMeta = { ...tool, _meta: { any: 1 } }
  expect(await definitionDigest(withMeta)).toBe(digests[0])
})
