// A site file for the bench that a protocol needs: the vendor's commands with their acts, the robot's heads,
// modules and slots, the kinds of labware. It is a start: a lab confirms it, adds rules and pins its server.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { registrySchema, type Registry } from '../../protocol/registry.ts'
import { UsageError } from '../files.ts'
import table from './commands.json' with { type: 'json' }
import { headOf, kindOf } from './labware.ts'
import type { Loaded } from './read.ts'

export type Names = {
  /** The protocol's id → the plan's. */
  readonly of: ReadonlyMap<string, string>
}
type Row = { readonly acts: readonly object[]; readonly inert?: Readonly<Record<string, string>> }

const rows = table.rows as Readonly<Record<string, Row>>
const moduleRows = table.modules as Readonly<Record<string, JsonObject>>

/** Short ids: those of the protocols are longer than a thing's name may be. */
export function namesOf(loaded: Loaded): Names {
  const of = new Map<string, string>()
  const number = (what: string, ids: Iterable<string>): void => {
    let i = 0
    for (const id of ids) of.set(id, `${what}_${(i += 1)}`)
  }
  number('pipette', loaded.pipettes.keys())
  number('module', loaded.modules.keys())
  number('labware', loaded.labware.keys())
  return { of }
}

export const slotId = (slot: string): string => `slot_${slot}`
export const topOf = (moduleName: string): string => `top_of_${moduleName}`
export const isTrash = (id: string): boolean =>
  /^(fixedTrash|trashId|.*[tT]rash.*|.*wasteChute.*)$/.test(id)

const scalar = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
}

/** What a protocol has loaded, by the parameter that names it: a command can name nothing else. */
const loadedAs = (loaded: Loaded, names: Names): Readonly<Record<string, readonly string[]>> => {
  const of = (ids: Iterable<string>) => [...ids].map((id) => names.of.get(id) ?? id)
  return {
    pipetteId: of(loaded.pipettes.keys()),
    moduleId: of(loaded.modules.keys()),
    labwareId: [...of(loaded.labware.keys()), 'bin', binVessel],
  }
}

/** A closed schema of what the protocol gives, command by command. */
function schemaOf(samples: readonly JsonObject[]): JsonObject {
  const properties: Record<string, JsonValue> = {}
  for (const sample of samples) {
    for (const [key, value] of Object.entries(sample)) {
      const plain = scalar[typeof value as keyof typeof scalar]
      if (plain !== undefined) properties[key] ??= plain
      else properties[key] = merged(properties[key] as JsonObject | undefined, value)
    }
  }
  return { type: 'object', properties, additionalProperties: false }
}

function merged(before: JsonObject | undefined, value: JsonValue): JsonObject {
  if (Array.isArray(value)) {
    const objects = (value as readonly JsonValue[]).filter(
      (one) => typeof one === 'object' && one !== null,
    )
    return { type: 'array', items: objects.length > 0 ? schemaOf(objects as JsonObject[]) : {} }
  }
  if (value === null || typeof value !== 'object') return before ?? {}
  return schemaOf([value as JsonObject])
}

function meaningOf(name: string, used: readonly string[], lids: readonly string[]): object | null {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined
  const inert = (why: string, except: readonly string[] = []) =>
    used.filter((key) => !except.includes(key)).map((key) => ({ at: `/${key}`, reason: why }))
  if (row !== undefined) {
    const bound = JSON.stringify(row.acts)
    const free = used.filter((key) => !bound.includes(`"/${key}`) && row.inert?.[key] !== undefined)
    return {
      acts: row.acts,
      inert: free.map((key) => ({ at: `/${key}`, reason: row.inert?.[key] })),
    }
  }
  if (
    table.above_deck.includes(name) ||
    table.waits.includes(name) ||
    table.magnets.includes(name)
  ) {
    return {
      acts: [{ act: 'wait', bind: {} }],
      inert: inert(table.waits.includes(name) ? 'waits for what was set before' : table.deck),
    }
  }
  const { set, off } = table.lid_heat
  if (name !== set && name !== off) return null
  const acts = lids.map((lid) => ({
    ...(name === off
      ? { act: 'stop', bind: { device: { const: `lid_of_${lid}` } } }
      : {
          act: 'set_temperature',
          bind: {
            device: { const: `lid_of_${lid}` },
            temperature: { arg: '/celsius', unit: 'Cel' },
          },
        }),
    when: { arg: '/moduleId', eq: lid },
  }))
  return acts.length === 0 ? null : { acts }
}

/** Commands that a person need not be near for: they move a head in a closed robot, or wait. */
const quiet = (name: string): boolean =>
  table.above_deck.includes(name) || table.waits.includes(name)

/** The site file; commands of which nothing is known are opaque rows. */
export function siteOf(
  loaded: Loaded,
  names: Names,
  plans: readonly { tool: string; args: JsonObject }[],
): Registry {
  const id = (key: string): string => names.of.get(key) ?? key
  const modules = [...loaded.modules].map(([key, model]) => {
    const kind = Object.keys(moduleRows).find((one) => model.startsWith(one))
    if (kind === undefined) throw new UsageError(`module ${model}: not known`)
    return { id: id(key), model, kind, row: moduleRows[kind] ?? {} }
  })
  const lids = modules.filter(({ kind }) => kind === 'thermocyclerModule').map((one) => one.id)
  const latches = modules.filter(({ kind }) => kind === 'heaterShakerModule').map((one) => one.id)
  const known = Object.entries(loadedAs(loaded, names))
  const tools = [...Map.groupBy(plans, ({ tool }) => tool)].map(([tool, all]) => {
    const name = tool.slice('opentrons.'.length)
    const schema = schemaOf(all.map(({ args }) => args))
    const used = Object.keys(schema['properties'] as JsonObject)
    const withLids = name === table.lid_heat.set || name === table.lid_heat.off
    const properties = schema['properties'] as Record<string, JsonValue>
    for (const [key, ids] of known)
      if (properties[key] !== undefined) properties[key] = { type: 'string', enum: [...ids] }
    if (withLids) properties['moduleId'] = { type: 'string', enum: lids }
    const meaning = meaningOf(name, used, lids)
    return {
      name: tool,
      mcp_tool: tool,
      description: `The vendor's command ${name}.`,
      risk_class: quiet(name) ? 'benign_actuation' : 'hazardous_actuation',
      capability: 'opentrons.use',
      args_schema: schema,
      emits: ['device_state'],
      sink: null,
      server: 'opentrons',
      definition_digest: `def:${'A'.repeat(43)}`,
      timeout_ms: 600_000,
      orphan_policy: 'stop',
      safe_stop: { mcp_tool: 'opentrons.stop', args: {} },
      sandbox_required: false,
      ...(meaning === null ? {} : { meaning }),
    }
  })
  const pipettes = [...loaded.pipettes].map(([key, model]) => {
    const head = headOf(model)
    if (head === null) throw new UsageError(`pipette ${model}: not known`)
    const limits = {
      volume: { max: `${head.maxVolume} uL` },
      channels: { max: `${head.channels} 1` },
    }
    return { id: id(key), class: 'pipette', zone: 'deck', limits }
  })
  const kinds = new Map<string, object>([
    [binKind, { id: binKind, class: 'vessel', capacity: binCapacity }],
  ])
  for (const { name, definition } of loaded.labware.values()) {
    const kind = kindOf(name, definition)
    const { rows: many, columns, capacity } = kind ?? { rows: 1, columns: 1, capacity: null }
    const size = {
      rows: many,
      columns,
      ...(capacity === null ? {} : { capacity: `${capacity} uL` }),
    }
    if (kind !== null) kinds.set(kindId(name), { id: kindId(name), class: kind.class, ...size })
  }
  const slots = new Set(
    [...loaded.labware.values()].map(({ on }) => on).filter((on) => on !== '' && !names.of.has(on)),
  )
  for (const { args } of plans)
    if (typeof args['newLocation'] === 'string' && args['newLocation'].startsWith('slot_'))
      slots.add(args['newLocation'].slice(5))
  const warm = (lid: string) => ({
    id: `lid_of_${lid}`,
    class: 'heater',
    zone: 'deck',
    limits: { temperature: { min: '37 Cel', max: '110 Cel' } },
  })
  return registrySchema.parse({
    registry_version: 'opentrons-1',
    tools,
    planners: { 'planner-1': { capabilities: ['opentrons.use'] } },
    zones: [{ id: 'deck', people: 'when_open' }],
    places: [
      ...[...slots].map((slot) => ({ id: slotId(slot), zone: 'deck', per_run: true })),
      ...lids.map((lid) => ({
        id: `under_lid_of_${lid}`,
        zone: 'deck',
        device: `lid_of_${lid}`,
        holds: 0,
      })),
      ...modules.map((one) => ({ id: topOf(one.id), zone: 'deck', device: one.id, per_run: true })),
      { id: 'off_deck', zone: 'deck', holds: 100, per_run: true },
    ],
    devices: [
      ...pipettes,
      ...modules.map((one) => ({ id: one.id, zone: 'deck', ...one.row })),
      ...lids.map(warm),
    ],
    barriers: [
      ...lids.map((lid) => ({ id: `cover_of_${lid}`, names: [lid], device: lid })),
      ...latches.map((latch) => ({
        id: `latch_of_${latch}`,
        names: [latch],
        device: latch,
        covers: false,
      })),
    ],
    kinds: [...kinds.values()],
    streams: [
      {
        id: 'bin',
        names: [...loaded.labware.keys()].filter(isTrash).map(id),
        says: 'The bin of the deck: tips and rests of liquids.',
        solid: true,
      },
    ],
    substances: [...liquidNames(loaded)].map((name) => ({ id: name, names: [name] })),
    rules: rulesOf(lids, latches),
  })
}

/** A protocol that draws liquid from its bin uses it as a vessel. */
export const binVessel = 'liquid_of_bin'
export const binKind = 'bin_as_vessel'
const binCapacity = '1100 mL'

export const kindId = (name: string): string => name.replaceAll('/', ':').slice(0, 80)

/** Names of the liquids; what nobody named is `liquid_unnamed`. */
export function liquidNames(loaded: Loaded): Set<string> {
  return new Set(['liquid_unnamed', ...loaded.liquids.map(({ liquid }) => `liquid_${liquid}`)])
}

function rulesOf(lids: readonly string[], latches: readonly string[]): object[] {
  const out: object[] = []
  for (const latch of latches) {
    const shut = { is: { fact: 'open', of: `latch_of_${latch}` }, eq: false }
    const still = { is: { fact: 'rotation', of: latch }, eq: '0 rpm' }
    out.push(
      {
        id: `${latch}-still`,
        text: 'The latch is opened only while the shaker is still.',
        if: { act: 'open', that: { is: { role: 'barrier' }, eq: `latch_of_${latch}` } },
        needs: still,
        else: 'reject',
        remedy: 'Stop the shaker first.',
      },
      {
        id: `${latch}-shut`,
        text: 'It shakes only with its latch closed.',
        if: {
          act: 'shake',
          that: {
            all: [
              { is: { role: 'device' }, eq: latch },
              { is: { role: 'rotation' }, gt: '0 rpm' },
            ],
          },
        },
        needs: shut,
        else: 'reject',
        remedy: 'Close the latch first.',
      },
      {
        id: `${latch}-off`,
        text: 'Its shaker may be stopped at any time.',
        if: { act: 'shake', that: { is: { role: 'device' }, eq: latch } },
        needs: { is: { role: 'rotation' }, ge: '0 rpm' },
        else: 'escalate',
      },
      {
        id: `${latch}-cool`,
        text: 'Its heater may be set back to the room at any time.',
        if: { act: 'set_temperature', that: { is: { role: 'device' }, eq: latch } },
        needs: { is: { role: 'temperature' }, le: '95 Cel' },
        else: 'reject',
      },
    )
  }
  if (lids.length + latches.length > 0) {
    const known = [
      ...lids.map((lid) => `cover_of_${lid}`),
      ...latches.map((latch) => `latch_of_${latch}`),
    ]
    const declared = { is: { role: 'barrier' }, in: known }
    out.push({
      id: 'shut',
      text: 'Lids and latches of modules may be closed at any time.',
      if: { act: 'close' },
      needs: declared,
      else: 'escalate',
    })
    out.push({
      id: 'lid',
      text: 'Lids of thermocyclers may be opened.',
      if: { act: 'open' },
      needs: declared,
      else: 'escalate',
    })
  }
  out.push(
    {
      id: 'tips',
      text: 'Tips are taken from racks and given to the bin or back, in a closed robot.',
      if: { act: ['pick', 'place'] },
      needs: { thing: '$device', class: 'pipette' },
      else: 'escalate',
    },
    {
      id: 'carry',
      text: 'Labware stands where the list of the run says.',
      if: { act: 'carry' },
      needs: { thing: '$to', zone: 'deck' },
      else: 'escalate',
    },
  )
  return out
}
