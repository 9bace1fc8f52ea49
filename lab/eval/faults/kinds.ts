// The kinds of faults: rows of the tables with the mechanism that seeds them. `oracle` says who knows that it
// is a fault: the product's own acts, a table written by hand, or the vendor's data.
import { z } from 'zod'
import type { Registry } from '../../../protocol/registry.ts'
import { kindOf } from '../../../site-kit/opentrons/labware.ts'
import type { Json } from './draft.ts'
import { mechanisms, type MechanismName } from './mechanisms.ts'
import type { Params } from './params.ts'
import acts from './tables/acts.json' with { type: 'json' }
import chemistry from './tables/chemistry.json' with { type: 'json' }
import controls from './tables/controls.json' with { type: 'json' }
import labware from './tables/labware.json' with { type: 'json' }
import orders from './tables/orders.json' with { type: 'json' }
import vendor from './tables/vendor.json' with { type: 'json' }

export type Oracle = 'acts' | 'chemistry' | 'labware' | 'orders' | 'vendor'
export type FaultKind = {
  readonly id: string
  readonly oracle: Oracle
  readonly mechanism: MechanismName
  readonly params: Params
}

const names = Object.keys(mechanisms) as [MechanismName, ...MechanismName[]]
const jsonSchema: z.ZodType<Json> = z.json()
const rowSchema = z.strictObject({
  id: z.string().min(5),
  do: z.enum(names),
  with: z.record(z.string(), jsonSchema),
})
const fileSchema = z.strictObject({ source: z.string(), rows: z.array(rowSchema) })

const rowsOf = (oracle: Oracle, file: unknown): FaultKind[] =>
  fileSchema
    .parse(file)
    .rows.map((row) => ({ id: row.id, oracle, mechanism: row.do, params: row.with }))

const transfer = 'liquid_handler.transfer'
const spin = 'centrifuge.spin'

/** Ways in which two liquids meet, in turn over the rows. */
const ways = ['direct', 'between', 'hidden'] as const

const chemistryKinds = (): FaultKind[] => [
  ...chemistry.meetings.map(({ id, a, b }, i): FaultKind => {
    const params = { a, b, way: ways[i % ways.length] ?? 'direct' }
    return { id, oracle: 'chemistry', mechanism: 'meet', params }
  }),
  ...chemistry.wastes.map(({ id, substance, stream }, i): FaultKind => ({
    id,
    oracle: 'chemistry',
    mechanism: 'pour',
    params: { substance, stream, ...(i % 2 === 0 ? {} : { label: 'PBS' }) },
  })),
  ...chemistry.boiling.map(({ id, substance, celsius }): FaultKind => ({
    id: `${id} heated past its boiling point`,
    oracle: 'chemistry',
    mechanism: 'warm',
    params: { substance, celsius, kind: 'vial_20' },
  })),
]

const labwareKinds = (): FaultKind[] => {
  const made = (id: string, mechanism: MechanismName, params: Params): FaultKind => {
    return { id, oracle: 'labware', mechanism, params }
  }
  const destination = { tool: transfer, at: '/destination/labware', empty: true }
  return [
    ...labware.overfilled.map(({ id, kind, microlitres }) =>
      made(`more than ${id} holds`, 'labware', {
        ...destination,
        kind,
        set: { '/volume_ul': microlitres, '/destination/well': 'A1' },
      }),
    ),
    ...labware.formats.map(({ id, kind, well }) =>
      made(id, 'labware', { ...destination, kind, set: { '/destination/well': well } }),
    ),
    ...labware.softened.map(({ id, kind, celsius }) => made(id, 'warm', { kind, celsius })),
    ...labware.sealed.map(({ id, kind, substance, celsius }) =>
      made(id, 'warm', { kind, substance, celsius }),
    ),
    ...labware.frozen.map(({ id, kind, store }) => made(id, 'store', { kind, store })),
    ...labware.heavy.map(({ id, kind, substance, volume }) =>
      made(`${id} lifted by the arm`, 'lift', { kind, substance, volume }),
    ),
    ...labware.heads.map(({ id, pipette, microlitres }) =>
      made(id, 'head', { tool: transfer, pipette, microlitres }),
    ),
    ...labware.rotors.map(({ id, load }) => {
      const params = { tool: spin, load, places: 24, grams: 2, rotor: 'FA-45-24', rpm: 12_000 }
      return made(`a rotor with ${id}`, 'rotor', params)
    }),
  ]
}

/** The vendor's definitions as kinds of labware of this site. */
export function withVendorKinds(registry: Registry): Registry {
  const kinds = vendor.labware.map((name): Registry['kinds'][number] => {
    const kind = kindOf(name, null)
    if (kind === null) throw new TypeError(`the vendor has no ${name}`)
    const { class: of, rows, columns, capacity } = kind
    return {
      id: name,
      names: [],
      class: of,
      rows,
      columns,
      closed: false,
      open_top: false,
      capacity: `${capacity} uL`,
    }
  })
  return { ...registry, kinds: [...registry.kinds, ...kinds] }
}

const vendorKinds = (): FaultKind[] =>
  vendor.labware.flatMap((name): FaultKind[] => {
    const kind = kindOf(name, null)
    if (kind === null || kind.capacity === null) throw new TypeError(`the vendor has no ${name}`)
    const change = (id: string, set: Params): FaultKind => {
      const params = { tool: transfer, at: '/destination/labware', empty: true, kind: name, set }
      return { id, oracle: 'vendor', mechanism: 'labware', params }
    }
    const over = Math.ceil(kind.capacity * 1.05)
    return [
      change(`more than ${name} holds`, { '/volume_ul': over, '/destination/well': 'A1' }),
      change(`a column that ${name} does not have`, {
        '/destination/well': `COL${kind.columns + 1}`,
      }),
    ]
  })

/** The same changes without a fault: the dry run must not stop them. */
export const controlKinds = (): readonly FaultKind[] => rowsOf('acts', controls)

/** Every kind, each once. */
export function faultKinds(): readonly FaultKind[] {
  return [
    ...rowsOf('acts', acts),
    ...rowsOf('orders', orders),
    ...chemistryKinds(),
    ...labwareKinds(),
    ...vendorKinds(),
  ]
}
