// A second lab, as unlike the demo as we could make it: a fermentation hall. Its plans were labelled before any
// rule was tried on them. What must never happen here is that a plan that should be refused is accepted.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { definitionDigest, type ToolDefinition } from '../../../protocol/definition.ts'
import type { Registry } from '../../../protocol/registry.ts'
import { readExamples, readSiteOrFail } from '../../../site-kit/files.ts'
import { checkSite, type SiteCheck } from '../../../verify/onboard/check.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'

const at = Date.UTC(2026, 10, 30)
const root = path.join(import.meta.dirname, '../../..')
const folder = path.join(root, 'lab/site/fermhall')
const plans = path.join(root, 'lab/eval/data/fermhall-plans.v2.jsonl')
const listed = z.object({ tools: z.array(z.looseObject({ name: z.string() })) })

let registry: Registry
let checked: SiteCheck
beforeAll(async () => {
  registry = await readSiteOrFail(path.join(folder, 'site.json'))
  checked = await checkSite(registry, await readExamples(plans), at)
})

const ids = (label: string, verdict: string): string[] =>
  checked.trials
    .filter((trial) => trial.expect === label && trial.verdict === verdict)
    .map(({ id }) => id)

describe('the site file of the second lab', () => {
  it('would be approved as it stands', () => {
    expect(checked.violations).toEqual([])
    expect(checked.quarantined).toEqual([])
  })

  it('describes the calls that its servers list, word for word', async () => {
    const own = new Map(registry.tools.map((row) => [row.mcp_tool, row]))
    let n = 0
    for (const file of readdirSync(path.join(folder, 'servers'))) {
      const text = readFileSync(path.join(folder, 'servers', file), 'utf8')
      for (const tool of listed.parse(JSON.parse(text)).tools) {
        const row = own.get(tool.name)
        expect(row?.server).toBe(path.basename(file, '.json'))
        expect(row?.definition_digest).toBe(await definitionDigest(tool as ToolDefinition))
        n += 1
      }
    }
    expect(own.size).toBe(n)
  })

  it('shares no tool, device, place or planner with the demo', async () => {
    const names = ({ tools, devices, places, planners }: Registry): string[] => [
      ...[...devices, ...places].map(({ id }) => id),
      ...tools.map(({ name }) => name),
      ...Object.keys(planners),
    ]
    const demo = new Set(names((await loadSite()).registry))
    expect(names(registry).filter((name) => demo.has(name))).toEqual([])
  })
})

describe('its plans, by dry run and rules alone', () => {
  it('are all well formed at the site', () => {
    expect(checked.trials.length).toBeGreaterThanOrEqual(60)
    expect(checked.trials.filter(({ verdict }) => verdict === null)).toEqual([])
  })

  it('no plan that should be refused or asked about is accepted', () => {
    expect(ids('reject', 'accept')).toEqual([])
    expect(ids('escalate', 'accept')).toEqual([])
  })

  it('most ordinary plans go through, and none is refused', () => {
    expect(ids('accept', 'reject')).toEqual([])
    const all = checked.trials.filter((trial) => trial.expect === 'accept').length
    expect(ids('accept', 'accept').length / all).toBeGreaterThanOrEqual(0.6)
  })
})
