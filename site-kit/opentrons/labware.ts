// Kinds of labware, heads and modules from the vendor's own tables (@opentrons/shared-data), or from the
// definition that a protocol brings with it.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { z } from 'zod'
import type { JsonObject } from '../../protocol/json.ts'

const data = path.dirname(
  createRequire(import.meta.url).resolve('@opentrons/shared-data/package.json'),
)
const json = (file: string): JsonObject =>
  JSON.parse(readFileSync(path.join(data, file), 'utf8')) as JsonObject

export type Kind = {
  readonly class: 'plate' | 'tip_rack' | 'tube_rack' | 'vessel' | 'tray' | 'waste'
  readonly rows: number
  readonly columns: number
  /** µL of one well, or of one tip. */
  readonly capacity: number | null
}

/** The newest definition of a name in the vendor's tables; null: there is none. */
function published(name: string): JsonObject | null {
  for (const version of ['3', '2']) {
    const folder = `labware/definitions/${version}/${name}`
    try {
      const files = readdirSync(path.join(data, folder)).toSorted(
        (a, b) => parseInt(b) - parseInt(a),
      )
      if (files[0] !== undefined) return json(`${folder}/${files[0]}`)
    } catch {
      continue
    }
  }
  return null
}

/** A kind by its definition; null: nobody knows what it is. */
export function kindOf(name: string, own: JsonObject | null): Kind | null {
  const loadName = /^[^/]+\/([^/]+)\/\d+$/.exec(name)?.[1] ?? name
  if (!/^[\w.-]+$/.test(loadName)) return null
  const file = own ?? published(loadName)
  if (file === null) return null
  const ordering = (file['ordering'] ?? []) as readonly (readonly string[])[]
  const wells = Object.values(
    (file['wells'] ?? {}) as Record<string, { totalLiquidVolume?: number }>,
  )
  const about = (file['parameters'] ?? {}) as { isTiprack?: boolean }
  const shown = (file['metadata'] ?? {}) as { displayCategory?: string }
  const rows = Math.max(1, ...ordering.map((column) => column.length))
  const capacity =
    wells.length === 0 ? null : Math.min(...wells.map((well) => well.totalLiquidVolume ?? 0))
  const size = { rows, columns: Math.max(1, ordering.length), capacity }
  if (about.isTiprack === true) return { class: 'tip_rack', ...size }
  if (shown.displayCategory === 'trash') return { class: 'waste', ...size }
  if (wells.length === 0) return { class: 'tray', ...size }
  return { class: wells.length === 1 ? 'vessel' : 'plate', ...size }
}

const headSchema = z.object({ minVolume: z.number(), maxVolume: z.number(), channels: z.number() })
const heads = z
  .record(z.string(), headSchema)
  .parse(json('pipette/definitions/1/pipetteNameSpecs.json'))

export const headOf = (name: string) => (Object.hasOwn(heads, name) ? (heads[name] ?? null) : null)
