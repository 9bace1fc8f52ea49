// The JSON values that cross the wire, as types and as a bounded zod schema.
import { z } from 'zod'

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

export type JsonObject = { readonly [key: string]: JsonValue }

/** Any JSON value. Depth and size are bounded before, by the lossless parser. */
export const jsonValueSchema: z.ZodType<JsonValue> = z.json()

export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonValueSchema)
