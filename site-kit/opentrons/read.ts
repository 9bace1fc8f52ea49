// One of the vendor's JSON protocols (schema versions 3 to 8) in one form: what is loaded where, and the
// commands with the parameter names of the newest version. A file that cannot be read so is refused.
import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { UsageError } from '../files.ts'

export type Command = { readonly name: string; readonly params: JsonObject }
export type Loaded = {
  readonly robot: string
  /** id → model name, e.g. p300_single_gen2. */
  readonly pipettes: ReadonlyMap<string, string>
  readonly modules: ReadonlyMap<string, string>
  readonly labware: ReadonlyMap<
    string,
    { readonly definition: JsonObject | null; readonly name: string; readonly on: string }
  >
  readonly liquids: readonly {
    readonly liquid: string
    readonly labware: string
    readonly wells: Readonly<Record<string, number>>
  }[]
  readonly commands: readonly Command[]
}

const object = z.record(z.string(), z.json())
const fileSchema = z.looseObject({
  schemaVersion: z.int().min(3).max(8),
  robot: z.looseObject({ model: z.string().default('OT-2 Standard') }).optional(),
  pipettes: z.record(z.string(), z.looseObject({ name: z.string().optional() })).default({}),
  modules: z
    .record(z.string(), z.looseObject({ model: z.string(), slot: z.string().optional() }))
    .default({}),
  labware: z
    .record(z.string(), z.looseObject({ definitionId: z.string(), slot: z.string().optional() }))
    .default({}),
  labwareDefinitions: z.record(z.string(), object).default({}),
  commands: z
    .array(
      z.looseObject({
        command: z.string().optional(),
        commandType: z.string().optional(),
        params: object.default({}),
      }),
    )
    .max(20_000),
})

/** Older names of parameters and commands. */
const params: Readonly<Record<string, string>> = {
  pipette: 'pipetteId',
  labware: 'labwareId',
  well: 'wellName',
  module: 'moduleId',
  temperature: 'celsius',
  engageHeight: 'height',
}
const commands: Readonly<Record<string, string>> = {
  'magneticModule/engageMagnet': 'magneticModule/engage',
  'magneticModule/disengageMagnet': 'magneticModule/disengage',
  'temperatureModule/awaitTemperature': 'temperatureModule/waitForTemperature',
  'thermocycler/awaitBlockTemperature': 'thermocycler/waitForBlockTemperature',
  'thermocycler/awaitLidTemperature': 'thermocycler/waitForLidTemperature',
  'thermocycler/awaitProfileComplete': 'thermocycler/waitForProfile',
  pause: 'waitForResume',
  touchTip: 'touchTip',
}

function commandOf(name: string, given: JsonObject): Command {
  const out: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(given)) out[params[key] ?? key] = value
  if (name === 'delay') {
    const seconds = given['seconds'] ?? given['wait']
    if (typeof seconds === 'number') return { name: 'waitForDuration', params: { seconds } }
    return { name: 'waitForResume', params: {} }
  }
  return { name: commands[name] ?? name, params: out }
}

export const textAt = (value: JsonObject, key: string): string =>
  typeof value[key] === 'string' ? value[key] : ''

/** Where something stands: the id or slot of what carries it. */
function placeOf(location: JsonValue | undefined): string {
  if (typeof location !== 'object' || location === null || Array.isArray(location)) return ''
  const at = location as JsonObject
  return (
    textAt(at, 'slotName') ||
    textAt(at, 'moduleId') ||
    textAt(at, 'labwareId') ||
    textAt(at, 'addressableAreaName')
  )
}

/** Reads a protocol. Throws `UsageError` with the place that is wrong. */
export function readProtocol(value: unknown, where: string): Loaded {
  const parsed = fileSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new UsageError(`${where}: /${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''}`)
  }
  const file = parsed.data
  const pipettes = new Map(Object.entries(file.pipettes).map(([id, { name }]) => [id, name ?? '']))
  const modules = new Map(Object.entries(file.modules).map(([id, { model }]) => [id, model]))
  const labware = new Map<string, { definition: JsonObject | null; name: string; on: string }>()
  const add = (id: string, key: string, on: string): void => {
    const definition = file.labwareDefinitions[key] ?? null
    const own = definition?.['parameters'] as JsonObject | undefined
    labware.set(id, { definition, name: own === undefined ? key : textAt(own, 'loadName'), on })
  }
  for (const [id, { definitionId, slot }] of Object.entries(file.labware))
    add(id, definitionId, slot ?? '')
  const liquids: { liquid: string; labware: string; wells: Record<string, number> }[] = []
  const run: Command[] = []
  for (const one of file.commands) {
    const name = one.command ?? one.commandType ?? ''
    const given = one.params as JsonObject
    if (name === 'loadPipette') {
      const id = textAt(given, 'pipetteId')
      pipettes.set(id, textAt(given, 'pipetteName') || (pipettes.get(id) ?? ''))
    } else if (name === 'loadModule') {
      const id = textAt(given, 'moduleId')
      modules.set(id, textAt(given, 'model') || (modules.get(id) ?? ''))
    } else if (name === 'loadLabware') {
      const id = textAt(given, 'labwareId')
      const key =
        given['loadName'] === undefined
          ? (file.labware[id]?.definitionId ?? '')
          : `${textAt(given, 'namespace')}/${textAt(given, 'loadName')}/${typeof given['version'] === 'number' ? given['version'] : 1}`
      add(id, key, placeOf(given['location']))
    } else if (name === 'loadLiquid') {
      const wells = (given['volumeByWell'] ?? {}) as Record<string, number>
      liquids.push({
        liquid: textAt(given, 'liquidId'),
        labware: textAt(given, 'labwareId'),
        wells,
      })
    } else run.push(commandOf(name, given))
  }
  return {
    robot: file.robot?.model ?? 'OT-2 Standard',
    pipettes,
    modules,
    labware,
    liquids,
    commands: run,
  }
}
