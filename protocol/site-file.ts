// What a lab means by its devices, places, labware and rules. Approved by administrators and named
// by digest in every decision. Nothing outside this file knows what a lab's names stand for.
import { z } from 'zod'
import { conditionSchema, quantityTextSchema } from './condition.ts'
import { limits } from './limits.ts'
import { jsonObjectSchema } from './json.ts'
import { startFactSchema } from './state.ts'

export const siteIdSchema = z.string().min(1).max(limits.idCharsMax)
const namesSchema = z
  .array(z.string().min(1).max(80))
  .max(20)
  .default([])
  .describe('Other spellings under which people and plans name the same thing.')

/** A range that a device or vessel is made for; either end may be open. */
export const rangeSchema = z.strictObject({
  min: quantityTextSchema.optional(),
  max: quantityTextSchema.optional(),
})

/** Where people may be. */
export const zoneSchema = z.strictObject({
  id: siteIdSchema,
  names: namesSchema,
  people: z.enum(['never', 'when_open', 'always']).describe('When somebody may be inside.'),
  barriers: z.array(siteIdSchema).max(16).default([]).describe('Barriers that keep people out.'),
  speed_with_people: quantityTextSchema.optional(),
})

/** A named pose or location. What is not listed may be anywhere. */
export const placeSchema = z.strictObject({
  id: siteIdSchema,
  names: namesSchema,
  zone: siteIdSchema,
  /** The device or store whose place this is: what lies here is treated by that device. */
  device: siteIdSchema.optional(),
  holds: z.int().min(0).max(1_000).default(1).describe('How many things fit.'),
  per_run: z.boolean().default(false).describe('Set up for each run; confirmed by who arms.'),
  /** Cells that share it: the session that uses it holds it against every other. */
  shared_by: z.array(siteIdSchema).max(64).optional(),
})

export const deviceClassSchema = z.enum([
  'robot_arm',
  'pipette',
  'pump',
  'heater',
  'shaker',
  'heater_shaker',
  'centrifuge',
  'thermocycler',
  'reactor',
  'balance',
  'meter',
  'camera',
  'hood',
  'store',
  'bin',
  'furnace',
  'light',
  'power',
  'gas',
  'computer',
  'records',
  /** A sensor, switch, light curtain or stop button that keeps people safe: nothing covers it. */
  'safety',
  'other',
])

export const deviceSchema = z.strictObject({
  id: siteIdSchema,
  names: namesSchema,
  class: deviceClassSchema,
  zone: siteIdSchema.optional(),
  /** Quantity → range: temperature, rotation, speed, opening, volume, payload, force, pressure … */
  limits: z.record(z.string().max(40), rangeSchema).default({}),
  /** Barriers that must be closed while it is energised. */
  closed_while_on: z.array(siteIdSchema).max(16).default([]),
  /** Remains on after the call that set it, until it is set to rest. */
  stays_on: z.boolean().default(true),
  /** What its rest is: the set point that counts as off (a shaker at `0 rpm`). */
  rest: z.record(z.string().max(40), quantityTextSchema).default({}),
  /** Only for a store: what may not be taken out without more than a plan. */
  controlled: z.boolean().default(false),
  /** Only for a store or bin: what stands in it, and whether its contents are final (disposal). */
  final: z.boolean().default(false),
  temperature: rangeSchema.optional().describe('A store: the temperature that it keeps.'),
  sees_people: z.boolean().default(false).describe('A camera that may see people.'),
  /** Cells that share it: one session at a time. Empty: it belongs to the cell of its agent. */
  shared_by: z.array(siteIdSchema).max(64).default([]),
})

export const barrierSchema = z.strictObject({
  id: siteIdSchema,
  names: namesSchema,
  guards: z.array(siteIdSchema).max(16).default([]).describe('Zones that it closes off.'),
  device: siteIdSchema.optional().describe('The device whose lid, sash or vent it is.'),
  /** Opening it, or leaving it open, is never a plan's decision. */
  outer: z.boolean().default(false).describe('A door of a building, a store or a room.'),
  /** Closed, it keeps hands, arms and pipettes from what lies in the device; a latch does not. */
  covers: z.boolean().default(true),
  working_opening: rangeSchema.optional(),
  closed_when: z.enum(['start', 'unknown']).default('unknown'),
  /** Cells that share it: the session that uses it holds it against every other. */
  shared_by: z.array(siteIdSchema).max(64).optional(),
})

/** A kind of labware or part. A new tube of a known kind needs no approval; a new kind does. */
export const kindSchema = z.strictObject({
  id: siteIdSchema,
  names: namesSchema,
  class: z.enum([
    'vessel',
    'plate',
    'tube_rack',
    'tip_rack',
    'rotor',
    'tool',
    'object',
    'tray',
    'waste',
  ]),
  /** Parts: wells of a plate, tubes of a rack, positions of a rotor. */
  rows: z.int().min(1).max(64).default(1),
  columns: z.int().min(1).max(64).default(1),
  /** Of one part. */
  capacity: quantityTextSchema.optional(),
  temperature: rangeSchema.optional(),
  closed: z.boolean().default(false).describe('Sealed in use: heat builds pressure.'),
  open_top: z.boolean().default(false).describe('Spills when it is carried fast.'),
  /** Rotors: greatest speed, permitted difference between opposite positions, load of a position. */
  max_rotation: quantityTextSchema.optional(),
  imbalance: quantityTextSchema.optional(),
  max_load: quantityTextSchema.optional(),
  mass: quantityTextSchema.optional(),
})

/** A thing that always stands there; what changes belongs to the inventory. */
export const standingThingSchema = z.strictObject({
  id: siteIdSchema,
  names: namesSchema,
  kind: siteIdSchema,
  at: siteIdSchema.optional(),
  contents: z.string().max(120).optional().describe('A substance of the graph or of `substances`.'),
  /** Cells that share it: the session that uses it holds it against every other. */
  shared_by: z.array(siteIdSchema).max(64).optional(),
})

/** Where waste goes, and what may meet there. */
export const streamSchema = z.strictObject({
  id: siteIdSchema,
  names: namesSchema,
  says: z.string().max(500),
  accepts: z.array(z.string().max(80)).max(64).default([]).describe('Chemical groups.'),
  refuses: z.array(z.string().max(80)).max(64).default([]),
  solid: z.boolean().default(false),
})

/** A name that this lab gives to a substance or mixture. */
export const siteSubstanceSchema = z.strictObject({
  id: siteIdSchema,
  names: z.array(z.string().min(1).max(120)).min(1).max(40),
  groups: z.array(z.string().max(80)).max(16).default([]),
  hazards: z.array(z.string().max(80)).max(16).default([]),
  boils: quantityTextSchema.optional(),
  flash: quantityTextSchema.optional(),
  graph: z.string().max(120).optional().describe('Id in the knowledge graph.'),
  human: z.boolean().default(false).describe('From a person: consent decides its use.'),
  risk_group: z.int().min(1).max(4).optional(),
  controlled: z.boolean().default(false),
})

export const recordsSchema = z
  .strictObject({
    person_fields: z.array(z.string().max(80)).max(200).default([]),
    /** Fields that rules, people or releases rely on: who writes them needs a person. */
    relied_on_fields: z.array(z.string().max(80)).max(500).default([]),
    raw_fields: z.array(z.string().max(80)).max(200).default([]),
    /** Fields that hold approvals or sign-offs. */
    approval_fields: z.array(z.string().max(80)).max(100).default([]),
    consent_fields: z.array(z.string().max(80)).max(100).default([]),
    /** Prefixes of record ids that stand for people or their material. */
    person_prefixes: z.array(z.string().max(20)).max(100).default([]),
  })
  .prefault({})

export const networkSchema = z
  .strictObject({
    /** Pages that may be read: exact host and a prefix of the path, files only unless it says so. */
    pages: z
      .array(
        z.strictObject({
          host: z.string().max(200),
          path: z.string().max(300).default('/'),
          query: z.boolean().default(false),
        }),
      )
      .max(500)
      .default([]),
    domains: z.array(z.string().max(200)).max(1_000).default([]),
    channels: z
      .array(
        z.strictObject({
          id: z.string().max(80),
          /** Who reads it: people only, or other agents and automations too. */
          read_by: z.enum(['people', 'agents']).default('people'),
        }),
      )
      .max(200)
      .default([]),
    hosts: z.array(z.string().max(200)).max(200).default([]),
  })
  .prefault({})

/** A rule for people and judges; with `if` and `needs` also for the dry run. */
export const ruleSchema = z.strictObject({
  id: z.string().min(1).max(40),
  text: z.string().min(1).max(2_000),
  /** What steps it speaks about: an act, and values that roles must have. */
  if: z
    .strictObject({
      act: z.union([z.string().max(40), z.array(z.string().max(40)).min(1).max(40)]),
      that: conditionSchema.optional(),
    })
    .optional(),
  needs: conditionSchema.optional(),
  else: z.enum(['reject', 'escalate']).default('escalate'),
  /** What a plan may leave as the act has set it; without it a person is asked at the end of the plan. */
  leaves: z
    .enum(['on', 'open'])
    .optional()
    .describe(
      'Where the rule holds, the device of the act may stay on, or its barrier open, when the plan has ended.',
    ),
  remedy: z.string().max(500).optional(),
  /** What this site has done before the rule came into force, for conditions that ask for the most. */
  proven: z
    .array(
      z.strictObject({
        role: z.string().min(1).max(40),
        of: siteIdSchema.optional(),
        most: quantityTextSchema,
      }),
    )
    .max(200)
    .optional()
    .describe('What this site had done before the rule came into force, for conditions on `most`.'),
  /** Which graph ids or standards it comes from. */
  source: z.string().max(200).optional(),
})
export type SiteRule = z.infer<typeof ruleSchema>

/** What a stop does in one cell: devices in order, those of one group at the same time. */
export const stopSequenceSchema = z.strictObject({
  cell: siteIdSchema,
  groups: z
    .array(
      z.strictObject({
        devices: z.array(siteIdSchema).min(1).max(32),
        within: quantityTextSchema,
      }),
    )
    .max(32),
  stays_on: z.array(siteIdSchema).max(64).default([]).describe('Cooling, exhaust.'),
  last_drill: z.string().max(40).optional().describe('ISO 8601 date of the last drill.'),
})

/** Everything of a site file beside tools, planners and version; all parts may be left out. */
export const siteMeaningShape = {
  zones: z.array(zoneSchema).max(200).default([]),
  places: z.array(placeSchema).max(2_000).default([]),
  devices: z.array(deviceSchema).max(500).default([]),
  barriers: z.array(barrierSchema).max(300).default([]),
  kinds: z.array(kindSchema).max(1_000).default([]),
  things: z.array(standingThingSchema).max(2_000).default([]),
  streams: z.array(streamSchema).max(100).default([]),
  substances: z.array(siteSubstanceSchema).max(2_000).default([]),
  records: recordsSchema,
  network: networkSchema,
  sandboxes: z.array(siteIdSchema).max(100).default([]),
  signers: z.array(z.string().max(limits.idCharsMax)).max(100).default([]),
  people: z.array(z.string().max(limits.idCharsMax)).max(1_000).default([]),
  stops: z.array(stopSequenceSchema).max(64).default([]),
  /** What is so at the start of a day unless something newer is known; who arms confirms it. */
  starts: z.array(startFactSchema).max(2_000).default([]),
  /** The age after which a fact is no longer known, by fact name; `default` for the rest. */
  fact_age: z.record(z.string().max(40), quantityTextSchema).default({}),
  notes: jsonObjectSchema.optional(),
} as const

export const siteMeaningSchema = z.strictObject(siteMeaningShape)
export type SiteMeaning = z.infer<typeof siteMeaningSchema>

/** A site file that says nothing yet: every tool is opaque, every name unknown. */
export const emptyMeaning: SiteMeaning = siteMeaningSchema.parse({})

/** The part of a registry that says what the lab means, without tools, planners and rules. */
export function siteMeaningOf(registry: SiteMeaning): SiteMeaning {
  const keys = Object.keys(siteMeaningShape) as (keyof SiteMeaning)[]
  return Object.fromEntries(keys.map((key) => [key, registry[key]])) as SiteMeaning
}
