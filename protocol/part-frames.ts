// Kept parts of results on the presence socket, piece by piece: a picture is larger than a frame, and the
// site asks for the next piece only when the last one was taken.
import { z } from 'zod'
import { limits } from './limits.ts'
import { digestSchema } from './registry.ts'

const ask = z.string().min(1).max(limits.idCharsMax)

/** What the gateway asks for: bytes of one part, from `offset`. */
export const partWantedShape = {
  type: z.literal('part_wanted'),
  ask,
  digest: digestSchema,
  offset: z.int().min(0),
  bytes: z.int().min(1).max(limits.partPieceBytes),
} as const

/** What the agent answers; `absent`: never kept here, past its time, or given up for newer ones. */
export const partShape = {
  type: z.literal('part'),
  ask,
  piece: z
    .strictObject({
      total: z.int().min(0),
      /** base64. */
      data: z.string().max(Math.ceil(limits.partPieceBytes / 3) * 4),
    })
    .nullable(),
} as const

export type PartWanted = z.infer<z.ZodObject<typeof partWantedShape>>
export type PartPiece = { readonly total: number; readonly data: string }
