// The default panels as data. Through the platform's binding: models of several families, the first
// three each of another one, and a chief of a family that no seat has. With vendors' keys: heavyweight
// reasoning models first, so that a shallow depth has the strongest. A policy may name any others.
import { z } from 'zod'
import { modelSeatSchema, type ModelSeat } from '../../protocol/policy.ts'
import { wireSchema } from '../../protocol/opinion.ts'
import seats from './seats.json' with { type: 'json' }

const panelSchema = z.strictObject({ judges: z.array(modelSeatSchema), chief: modelSeatSchema })
const read = z
  .strictObject({
    binding: panelSchema,
    vendors: panelSchema,
    endpoints: z.record(
      z.string(),
      z.strictObject({ wire: wireSchema.exclude(['workers-ai']), url: z.url() }),
    ),
  })
  .parse(seats)

export type DefaultPanel = { readonly judges: ModelSeat[]; readonly chief: ModelSeat }

/** Seats that are reached through the platform's binding; no key is needed. */
export const bindingPanel: DefaultPanel = read.binding

/** Seats that are reached with vendors' keys. */
export const vendorPanel: DefaultPanel = read.vendors

/** Where the vendors of the default seats are reached; the operator adds the keys. */
export const defaultEndpoints = read.endpoints
