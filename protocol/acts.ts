// What a call does, in a closed and versioned vocabulary. An act exists only if it has an effect on
// the state of a cell or needs of its own; everything that judges a plan reads acts and never the
// names that a lab gives to its tools. Its version (`vocabulary`) is part of every tool's meaning.

import { acts } from './acts-table.ts'

/** What a role of an act may be bound to. */
export type RoleKind =
  /** A declared or inventoried thing: device, vessel, barrier, tool head, person-free object. */
  | 'thing'
  /** A declared place, pose or zone, or a thing that stands somewhere. */
  | 'place'
  /** A measured amount; the dimension is the role's. */
  | 'quantity'
  /** The name of a substance or mixture. */
  | 'substance'
  /** Free text that leaves, is kept or is shown. */
  | 'text'
  /** A name in a record system, a page, an address, a channel, an image reference. */
  | 'address'
  /** true or false. */
  | 'flag'
  /** One of the values that the row gives a meaning. */
  | 'choice'

/** Dimensions that roles use; the unit in brackets is the one in which the scene holds them. */
export const dimensions = {
  volume: 'uL',
  mass: 'g',
  temperature: 'Cel',
  time: 's',
  length: 'mm',
  speed: 'mm/s',
  rotation: 'rpm',
  acceleration: 'g_n',
  force: 'N',
  pressure: 'kPa',
  flow: 'uL/s',
  fraction: '%',
  concentration: 'mmol/L',
  power: 'W',
  count: '1',
} as const
export type Dimension = keyof typeof dimensions

export type RoleSpec = {
  readonly kind: RoleKind
  /** Only for quantities: which dimensions the role takes. */
  readonly dims?: readonly Dimension[]
  /** The act cannot be understood without it; a row that leaves it out is `incomplete`. */
  readonly needed?: true
  /** May be bound to an array (`/tubes/*\/mass_g`): one value an element. */
  readonly many?: true
}

/**
 * Families decide what counts as permission when rules judge alone: for `barrier`, `energy`,
 * `motion`, `speech` and `change` agreement of text and steps is not enough.
 */
export type Family =
  | 'matter'
  | 'motion'
  | 'barrier'
  | 'energy'
  | 'knowing'
  | 'record'
  | 'speech'
  | 'change'
  | 'rest'

export type ActSpec = {
  readonly family: Family
  /** One plain clause with its roles in braces; the step sentences of a trace are made from it. */
  readonly says: string
  readonly roles: Readonly<Record<string, RoleSpec>>
}

export const vocabularyVersion = '1'

export type ActName = keyof typeof acts
export const actNames = Object.keys(acts) as [ActName, ...ActName[]]

/** The specification of one act, with its roles as a plain table. */
export function actSpec(name: ActName): ActSpec {
  return acts[name]
}

/** Families for which coherence of text and steps is no permission when rules judge alone. */
export const needsCover: ReadonlySet<Family> = new Set([
  'barrier',
  'energy',
  'motion',
  'speech',
  'change',
])
