// A protocol as plans with their starting lists. A list says what has to stand where, and how much has to be in
// which well, for the run to succeed: whoever arms the cell confirms it, and until then it is a claim.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import type { Registry } from '../../protocol/registry.ts'
import { cellRecordSchema } from '../../protocol/state.ts'
import type { Example } from '../../verify/onboard/trial.ts'
import table from './commands.json' with { type: 'json' }
import { headOf, kindOf, type Kind } from './labware.ts'
import { textAt, type Command, type Loaded } from './read.ts'
import {
  binKind,
  binVessel,
  isTrash,
  kindId,
  namesOf,
  siteOf,
  slotId,
  topOf,
  type Names,
} from './site.ts'

const { nodesMax } = limits
const texts: Readonly<Record<string, string>> = table.texts

type Node = { readonly tool: string; readonly args: JsonObject }

function locationOf(value: JsonValue | undefined, names: Names): string {
  if (typeof value === 'string') return value === 'offDeck' ? 'off_deck' : value
  const at = (value ?? {}) as JsonObject
  const slot = at['slotName'] ?? at['addressableAreaName']
  if (typeof slot === 'string') return isTrash(slot) ? 'bin' : slotId(slot)
  const module = names.of.get(textAt(at, 'moduleId'))
  if (module !== undefined) return topOf(module)
  return names.of.get(textAt(at, 'labwareId')) ?? 'off_deck'
}

/** One command as a node: short ids, locations as places, everything else as it is. */
function nodeOf({ name, params }: Command, names: Names, drawsFromBin: boolean): Node {
  const asVessel = drawsFromBin && (name === 'aspirate' || name === 'dispense')
  const args: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(params)) {
    // Where in a well, and how fast: nothing that a rule reads, and not the same in every version.
    if (['wellLocation', 'flowRate', 'offsetFromBottomMm', 'offset', 'pushOut'].includes(key))
      continue
    if (key === 'newLocation') args[key] = locationOf(value, names)
    else if (typeof value === 'string' && key.endsWith('Id'))
      args[key] = isTrash(value) ? (asVessel ? binVessel : 'bin') : (names.of.get(value) ?? value)
    else if (key === 'profile' && Array.isArray(value))
      args[key] = (value as readonly JsonObject[]).map(profileStep)
    else if (value !== null) args[key] = value
  }
  return { tool: `opentrons.${name.replaceAll('/', '.')}`, args }
}

function profileStep(step: JsonObject): JsonObject {
  const celsius = step['celsius'] ?? step['temperature'] ?? null
  const holdSeconds = step['holdSeconds'] ?? step['holdTime'] ?? null
  return { celsius, holdSeconds }
}

/** µL in each well as the run goes, and how much must have been there at least. */
class Wells {
  readonly #now = new Map<string, number>()
  readonly needed = new Map<string, number>()

  take(well: string, volume: number): void {
    const left = (this.#now.get(well) ?? 0) - volume
    if (left < 0) this.needed.set(well, (this.needed.get(well) ?? 0) - left)
    this.#now.set(well, Math.max(0, left))
  }

  give(well: string, volume: number): void {
    this.#now.set(well, (this.#now.get(well) ?? 0) + volume)
  }

  put(well: string, volume: number): void {
    this.#now.set(well, volume)
    this.needed.set(well, volume)
  }
}

const letter = (row: number): string => String.fromCharCode(65 + row)

/** The wells that a head reaches from the one that a command names. */
function wellsOf(kind: Kind | null, well: string, channels: number): string[] {
  const found = /^([A-Z])(\d+)$/.exec(well)
  if (kind === null || found === null || channels === 1) return [well]
  const all = (columns: readonly number[]): string[] =>
    columns.flatMap((column) =>
      Array.from({ length: kind.rows }, (_, row) => `${letter(row)}${column}`),
    )
  if (channels >= 96) return all(Array.from({ length: kind.columns }, (_, i) => i + 1))
  const step = Math.max(1, Math.floor(kind.rows / channels))
  const from = (found[1] ?? 'A').charCodeAt(0) - 65
  const out: string[] = []
  for (let row = from; row < kind.rows && out.length < channels; row += step)
    out.push(`${letter(row)}${found[2]}`)
  return out.length === 0 ? [well] : out
}

/** What has to be in which well at the start: what the protocol tells, and at least what it draws. */
function startOf(
  loaded: Loaded,
): ReadonlyMap<string, { readonly liquid: string; readonly volume: number }> {
  const wells = new Wells()
  const liquid = new Map<string, string>()
  for (const { liquid: name, labware, wells: volumes } of loaded.liquids) {
    for (const [well, volume] of Object.entries(volumes)) {
      wells.put(`${labware}\n${well}`, volume)
      liquid.set(`${labware}\n${well}`, `liquid_${name}`)
    }
  }
  for (const { name, params } of loaded.commands) {
    if (name !== 'aspirate' && name !== 'dispense') continue
    const labware = textAt(params, 'labwareId')
    const about = loaded.labware.get(labware)
    const kind = about === undefined ? null : kindOf(about.name, about.definition)
    const channels = headOf(loaded.pipettes.get(textAt(params, 'pipetteId')) ?? '')?.channels ?? 1
    const named = wellsOf(kind, textAt(params, 'wellName'), channels)
    // Fewer wells than channels: they share them.
    const volume = (Number(params['volume']) * channels) / named.length
    for (const well of named) {
      if (name === 'aspirate') wells.take(`${labware}\n${well}`, volume)
      else wells.give(`${labware}\n${well}`, volume)
    }
  }
  const rounded = [...wells.needed].map(
    ([key, volume]) =>
      [
        key,
        { liquid: liquid.get(key) ?? 'liquid_unnamed', volume: Math.ceil(volume * 1000) / 1000 },
      ] as const,
  )
  return new Map(rounded)
}

function recordOf(loaded: Loaded, names: Names): Example['state'] {
  const start = startOf(loaded)
  const inventory = [...loaded.labware].flatMap(([key, { name, definition, on }]) => {
    const kind = kindOf(name, definition)
    if (kind === null || isTrash(key)) return []
    const at = on === '' ? 'off_deck' : names.of.has(on) ? carriedAt(on, loaded, names) : slotId(on)
    const contents = [...start].flatMap(([well, { liquid, volume }]) => {
      const [labware, part = ''] = well.split('\n')
      if (labware !== key) return []
      const where = kind.rows * kind.columns === 1 ? {} : { part }
      return [{ ...where, substance: liquid, volume: `${volume} uL` }]
    })
    return [{ thing: names.of.get(key) ?? key, kind: kindId(name), at, contents }]
  })
  if (drawsFromBin(loaded)) {
    const drawn = [...start].filter(([well]) => isTrash(well.split('\n')[0] ?? ''))
    const contents = drawn.map(([, { liquid, volume }]) => ({
      substance: liquid,
      volume: `${volume} uL`,
    }))
    inventory.push({ thing: binVessel, kind: binKind, at: 'off_deck', contents })
  }
  const facts: object[] = []
  for (const { thing, contents } of inventory)
    if (contents.length === 0) facts.push({ thing, fact: 'contents', value: [] })
  for (const key of loaded.pipettes.keys()) {
    const thing = names.of.get(key) ?? key
    facts.push({ thing, fact: 'tip', value: 'none' }, { thing, fact: 'contents', value: [] })
  }
  for (const [key, model] of loaded.modules) {
    const thing = names.of.get(key) ?? key
    facts.push({ thing, fact: 'energised', value: false })
    if (/^(temperature|heaterShaker|thermocycler)/.test(model))
      facts.push({ thing, fact: 'temperature', value: '22 Cel' })
    if (model.startsWith('heaterShaker'))
      facts.push(
        { thing, fact: 'rotation', value: '0 rpm' },
        { thing: `latch_of_${thing}`, fact: 'open', value: false },
      )
    if (model.startsWith('thermocycler'))
      facts.push(
        { thing: `cover_of_${thing}`, fact: 'open', value: true },
        { thing: `lid_of_${thing}`, fact: 'energised', value: false },
      )
  }
  return cellRecordSchema.parse({ inventory, facts })
}

const drawsFromBin = ({ commands }: Loaded): boolean =>
  commands.some(({ name, params }) => name === 'aspirate' && isTrash(textAt(params, 'labwareId')))

/** What stands on a module stands on its top; what stands on an adapter, where the adapter is. */
function carriedAt(on: string, loaded: Loaded, names: Names): string {
  const id = names.of.get(on) ?? on
  return loaded.modules.has(on) ? topOf(id) : id
}

/** One sentence for each command, from the act that it is. */
const sentences: Readonly<Record<string, string>> = texts

function said({ tool, args }: Node): string {
  const name = tool.slice('opentrons.'.length)
  const [, fallback = ''] =
    Object.entries(texts).find(([key]) => key.startsWith('*') && name.includes(key.slice(1))) ?? []
  const known = sentences[name] ?? (fallback === '' ? `Wait for ${name}.` : fallback)
  return known.replaceAll(/\{(\w+)\}/g, (all, key: string) => {
    const value = args[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : all
  })
}

/**
 * How many commands the first plan has: all, or, where they are more than a plan may have, up to the last place
 * where no head holds a tip. A plan that ends in the middle of a transfer would leave what it holds.
 */
function partOf(commands: readonly Command[]): number {
  if (commands.length <= nodesMax) return commands.length
  const holding = new Set<string>()
  let end = 0
  for (const [i, { name, params }] of commands.slice(0, nodesMax).entries()) {
    const head = textAt(params, 'pipetteId')
    if (name === 'pickUpTip') holding.add(head)
    if (name.startsWith('dropTip')) holding.delete(head)
    if (holding.size === 0) end = i + 1
  }
  return end === 0 ? nodesMax : end
}

export type Converted = { readonly site: Registry; readonly plans: readonly Example[] }

/** The site file that the protocol needs, and its plans: one, or its first part where it is longer than a plan. */
export function convert(loaded: Loaded, name: string): Converted {
  const names = namesOf(loaded)
  const bin = drawsFromBin(loaded)
  const all = loaded.commands.map((command) => nodeOf(command, names, bin))
  const site = siteOf(loaded, names, all)
  const length = partOf(loaded.commands)
  const nodes = all.slice(0, length)
  const part = { ...loaded, commands: loaded.commands.slice(0, length) }
  const each = Math.max(1, Math.ceil(nodes.length / limits.instructionsMax))
  const told = nodes.map(said)
  const instructions = Array.from({ length: Math.ceil(told.length / each) }, (_, i) =>
    told.slice(i * each, (i + 1) * each).join(' '),
  )
  const more = all.length > length ? ` (the first ${length} of ${all.length} commands)` : ''
  const plan = {
    goal: `Run the protocol ${name}${more}`.slice(0, 200),
    instructions,
    planner: { id: 'planner-1' },
    nodes: nodes.map(({ tool, args }, i) => ({
      id: `n${i + 1}`,
      tool,
      args,
      depends_on: i === 0 ? [] : [`n${i}`],
    })),
  }
  return { site, plans: [{ id: name, plan, state: recordOf(part, names), expect: null }] }
}
