// Invariant 11: a renaming to meaningless ids is one-to-one and complete, and changes nothing of what floor,
// dry run and rules find. `eval rename` measures the same through the whole gateway, with the graph.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { Renaming } from '../../../lab/eval/rename.ts'
import { freshNames, proseRenamer } from '../../../lab/eval/rename-names.ts'
import { readCases } from '../../../lab/eval/rows.ts'
import { judgeAlone } from '../../../lab/eval/rules-alone.ts'
import { planSchema } from '../../../protocol/plan.ts'
import { registrySchema } from '../../../protocol/registry.ts'
import { cellRecordSchema } from '../../../protocol/state.ts'
import { admit, parse } from '../../../verify/admit/index.ts'
import { approveRegistry } from '../../../verify/screen/approve.ts'

const root = path.join(import.meta.dirname, '..', '..', '..')
const plansFile = path.join(root, 'lab/eval/data/dev-40.v2.jsonl')
const { registry, proven } = await loadSite()
const renaming = new Renaming(registry)
const renamed = registrySchema.parse(renaming.registry())
const cases = await readCases(plansFile, 'planner-wetlab-01')

/** Whether a plan is let in; what is wrong with it otherwise. */
async function admitted(plan: Record<string, unknown>, site: typeof registry): Promise<string> {
  const body = parse(new TextEncoder().encode(JSON.stringify(plan)))
  if (!body.ok) return 'not JSON'
  const { planner } = planSchema.parse(plan)
  const answer = await admit(body.value, site, planner.id)
  return answer.ok ? 'admitted' : answer.error.map(({ code }) => code).join(' ')
}

const idsOf = (site: typeof registry): string[] => [
  ...site.tools.flatMap((t) => [t.name, t.server, t.mcp_tool]),
  ...[site.zones, site.places, site.devices, site.barriers, site.kinds, site.things, site.streams]
    .flat()
    .flatMap(({ id, names }) => [id, ...names]),
  ...Object.keys(site.planners),
]

describe('the renamed site', () => {
  it('is a site that administrators may approve', () => {
    expect(approveRegistry(renamed)).toEqual({ violations: [], quarantined: [] })
  })

  it('keeps as many names as there were and none of them', () => {
    const before = idsOf(registry)
    const after = idsOf(renamed)
    expect(after).toHaveLength(before.length)
    expect(new Set(after).size).toBe(new Set(before).size)
    expect(after.filter((name) => before.includes(name))).toEqual([])
  })

  it('names nothing of the lab in rules, meanings and starts', () => {
    const { substances: _substances, rules, ...rest } = renamed
    const told = JSON.stringify({ ...rest, rules: rules.map(({ if: i, needs }) => [i, needs]) })
    const quoted = idsOf(registry).filter((name) => told.includes(`"${name}"`))
    // Words of the format that a lab also uses as names of its devices: classes, not names.
    expect(quoted.filter((name) => !['centrifuge', 'tip_rack'].includes(name))).toEqual([])
  })

  it('keeps every argument: as many, as deep, with its pointers', () => {
    const shape = (text: string): string => text.replaceAll(/"[^"]*":/g, '"k":')
    for (const [i, tool] of registry.tools.entries()) {
      const other = renamed.tools[i]
      expect(shape(JSON.stringify(other?.args_schema)).length).toBeGreaterThan(0)
      const keys = (s: unknown): number => (JSON.stringify(s).match(/":/g) ?? []).length
      expect(keys(other?.args_schema)).toBe(keys(tool.args_schema))
      for (const act of other?.meaning?.acts ?? []) {
        for (const bound of Object.values(act.bind)) {
          const at = typeof bound === 'string' ? bound : 'arg' in bound ? bound.arg : null
          const first = at?.split('/')[1] ?? null
          const properties = other?.args_schema['properties'] as Record<string, unknown>
          if (first !== null) expect(Object.keys(properties)).toContain(first)
        }
      }
    }
  })
})

describe('renamed plans', () => {
  it('are plans of the renamed site, with records of its kinds', async () => {
    const kinds = new Set(renamed.kinds.map(({ id }) => id))
    for (const { id, plan, state } of cases) {
      const other = renaming.row({ plan, state })
      expect(await admitted(other.plan, renamed), id).toBe(await admitted(plan, registry))
      for (const item of cellRecordSchema.parse(other.state ?? {}).inventory) {
        expect(kinds, `${id} ${item.thing}`).toContain(item.kind)
      }
    }
  })

  it('keep no tool, thing or planner of the lab, in arguments and in prose', () => {
    for (const { id, plan, state } of cases) {
      const other = renaming.row({ plan, state })
      const words = JSON.stringify(other)
      const things = (state?.inventory ?? []).map(({ thing }) => thing)
      const prefixes = registry.records.person_prefixes
      const own = things.filter((thing) => !prefixes.some((prefix) => thing.startsWith(prefix)))
      for (const name of [...own, ...registry.tools.map((t) => t.name), 'planner-wetlab-01']) {
        expect(words.includes(`"${name}"`), `${id}: ${name}`).toBe(false)
      }
    }
  })
})

describe('floor, dry run and rules', () => {
  it('find the same under the names of the lab and under meaningless ones', async () => {
    const own = await readCases(path.join(root, 'lab/eval/data/own-plans.v2.jsonl'), 'planner')
    const [named, unnamed] = [
      judgeAlone(registry, proven),
      judgeAlone(renamed, await renaming.proven(proven, renamed)),
    ]
    // Every row of the first file and a share of the second, another one for each kind of plan.
    const rows = [...cases, ...own.filter((_, i) => i % 3 === 0)]
    for (const { id, plan, planner, state } of rows) {
      const other = renaming.row({ plan, state })
      const before = await named({ plan, planner, state })
      const after = await unnamed({ ...other, planner: planSchema.parse(other.plan).planner.id })
      const there = after.places.map((found) => {
        const [code, at = ''] = found.split(' ')
        return `${code} ${renaming.pointerBack(at)}`
      })
      expect(there.toSorted(), id).toEqual(before.places)
      expect([after.stopped_by, after.held_by], id).toEqual([before.stopped_by, before.held_by])
    }
  }, 120_000)
})

describe('names in prose', () => {
  const change = proseRenamer(
    new Map([
      ['plate_12', 'zqa'],
      ['plate_1', 'zqb'],
      ['hood 1', 'zqc'],
      ['crate', 'zqd'],
    ]),
  )
  it.each([
    ['Put plate 12 on Plate-1.', 'Put zqa on zqb.'],
    ['plate_1 stays, plate_123 too', 'zqb stays, plate_123 too'],
    ['Sash of Hood 1 to 30 cm', 'Sash of zqc to 30 cm'],
    ['plateau 1 and replate 1', 'plateau 1 and replate 1'],
    ['Crate the vials. Take them to the crate.', 'Crate the vials. Take them to the zqd.'],
  ])('%s', (from, to) => {
    expect(change(from)).toBe(to)
  })

  it('makes ids of the asked form, each once', () => {
    const fresh = freshNames()
    const made = Array.from({ length: 4_000 }, () => fresh('hood_1'))
    expect(new Set(made).size).toBe(4_000)
    expect(fresh('#lab')).toMatch(/^#[a-z]+$/)
    expect(fresh('artifacts.lab.internal')).toMatch(/^[a-z]+\.lab\.internal$/)
    expect(fresh('PL-12')).toMatch(/^[A-Z]{1,5}-[A-Z0-9]+$/)
  })
})
