// Nothing of the product knows a lab (invariant 11): no tool, device, place, stream, kind or planner of the demo lab
// stands in a product room. The names are read from the site file, so a new one is covered by itself.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { deviceClassSchema, kindSchema } from '../../../protocol/site-file.ts'

const root = path.join(import.meta.dirname, '..', '..', '..')
const rooms =
  'protocol verify contain adapters durable-objects worker robot-agent console kg-build site-kit deploy'.split(
    ' ',
  )
const { registry } = await loadSite()

/** Words that the format itself uses. */
const ofTheFormat = new Set<string>([
  ...deviceClassSchema.options,
  ...kindSchema.shape.class.options,
])

/** Ids that are no ordinary words: they have a digit, a dot, an underscore or a hyphen. */
function labNames(): string[] {
  const things = [
    registry.zones,
    registry.places,
    registry.devices,
    registry.barriers,
    registry.kinds,
    registry.things,
    registry.streams,
  ].flat()
  const names = [
    ...registry.tools.flatMap((tool) => [tool.name, tool.server, tool.capability]),
    ...things.map(({ id }) => id),
    ...Object.keys(registry.planners),
    ...registry.sandboxes,
    ...registry.signers,
    ...registry.network.domains,
    ...registry.network.hosts,
  ]
  return [...new Set(names)].filter((name) => /[\d._-]/.test(name) && !ofTheFormat.has(name))
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const found = new RegExp(`(?<![\\w.-])(?:${labNames().map(escaped).join('|')})(?![\\w-])`, 'g')

const files = rooms.flatMap((room) =>
  readdirSync(path.join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|tsx|js|json|html|css|sql)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
)

describe('the rooms of the product', () => {
  it('name nothing of the demo lab', () => {
    expect(labNames().length).toBeGreaterThan(150)
    expect(files.length).toBeGreaterThan(200)
    const hits = files.flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      return [...new Set(text.match(found))].map((name) => `${file}: ${name}`)
    })
    expect(hits).toEqual([])
  })

  it('would be caught: the demo lab itself names them', () => {
    const text = readFileSync(path.join(root, 'lab/sim-cell/world.ts'), 'utf8')
    expect(text.match(found)).toContain('hs_1')
  })
})
