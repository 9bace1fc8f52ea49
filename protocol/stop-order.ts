// Words of the stop of a whole cell: its place in the site's stop sequence, the gateway's signed order,
// the agent's signed answer. The danger: whoever holds only the connection chooses what is called "to make it
// safe". So every call of an order is signed, and it is good on one connection.
import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { limits } from './limits.ts'
import { measuredOf } from './units.ts'

const id = z.string().min(1).max(limits.idCharsMax)
const name = z.string().min(1).max(limits.toolNameCharsMax)

/** The group of the sequence in which a device stops, and how long the next group waits for it. */
export const stopPlaceSchema = z.strictObject({
  group: z
    .int()
    .min(0)
    .max(limits.stopGroupsMax - 1),
  within_ms: z.int().min(0).max(limits.stopGroupMsMax),
})
export type StopPlace = z.infer<typeof stopPlaceSchema>

/** How long the next group waits (`2 s`), in milliseconds; null for what is no time or too long. */
export function groupMs(within: string): number | null {
  const read = measuredOf(within)
  if (read?.dim !== 'time') return null
  const ms = Math.round(read.value * 1_000)
  return ms >= 0 && ms <= limits.stopGroupMsMax ? ms : null
}

/** A safe-stop; `place` null: in no group of the sequence, so that nobody waits for it. */
export const placedStopSchema = z.strictObject({
  server: id,
  mcp_tool: name,
  args: jsonObjectSchema,
  place: stopPlaceSchema.nullable(),
})
export type PlacedStop = z.infer<typeof placedStopSchema>

/** What a drill may take beyond the times that its groups state. */
const drillGraceMs = 60_000

/** How long a drill of these calls may take, in milliseconds: then both sides give it up. */
export function drillMs(calls: readonly Pick<PlacedStop, 'place'>[]): number {
  const groups = new Map(calls.map(({ place }) => [place?.group, place?.within_ms ?? 0]))
  return [...groups.values()].reduce((sum, ms) => sum + ms, drillGraceMs)
}

/** `drill`: the same calls, while nothing runs, to see that they work and how long they take. */
export const stopKindSchema = z.enum(['stop', 'drill'])
export type StopKind = z.infer<typeof stopKindSchema>

/** Signed by the gateway for one agent on one connection of it. */
export const stopOrderClaimsSchema = z.strictObject({
  iss: z.string().max(300),
  /** The site. */
  aud: id,
  /** The agent. */
  sub: id,
  cell: id,
  /** The nonce of the presence connection: an order that somebody kept is worth nothing on another. */
  cn: id,
  /** The same stop may be ordered again; it is carried out once. */
  stop: id,
  kind: stopKindSchema,
  calls: z.array(placedStopSchema).max(limits.stopCallsMax),
  iat_ms: z.number(),
})
export type StopOrderClaims = z.infer<typeof stopOrderClaimsSchema>

/** `absent`: the agent has no such device server, so nothing of this cell is behind it. */
export const stopCallStateSchema = z.enum([
  'at_rest',
  'pending',
  'refused',
  'unreachable',
  'absent',
])
export type StopCallState = z.infer<typeof stopCallStateSchema>

/** Signed by the agent's key: how each call of the order stands, in the order's own sequence. */
export const stopAnswerClaimsSchema = z.strictObject({
  sub: id,
  cell: id,
  stop: id,
  boot_id: id,
  /** Counts the answers of one agent process; a later one replaces the earlier. */
  seq: z.int().min(0),
  calls: z
    .array(
      z.strictObject({
        state: stopCallStateSchema,
        /** A stable word, or the device's own words when it refused. */
        detail: z.string().max(limits.restDetailCharsMax).nullable(),
        /** When the device was first asked; null while its turn has not come. */
        asked_ms: z.number().nullable(),
        /** When it confirmed; null before. */
        rested_ms: z.number().nullable(),
      }),
    )
    .max(limits.stopCallsMax),
  at_ms: z.number(),
})
export type StopAnswerClaims = z.infer<typeof stopAnswerClaimsSchema>
