// Ids in paths. What does not even look like an id of its kind is answered like one that does not
// exist, and wakes no object.
import { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { nameSchema, siteNameSchema } from './schemas.ts'

const idOf = (kind: string) => z.string().regex(new RegExp(`^${kind}_[0-9a-hjkmnp-tv-z]{26}$`))

export const planIdSchema = idOf('plan')
export const planParams = z.strictObject({ plan: planIdSchema })
export const sessionParams = z.strictObject({ session: idOf('sess') })
export const nodeParams = sessionParams.extend({ node: z.string().min(1).max(limits.idCharsMax) })
export const credentialParams = z.strictObject({ credential: idOf('cred') })
export const signInParams = z.strictObject({ sign_in: idOf('sign') })
export const ownerParams = z.strictObject({ owner: nameSchema })
export const cellParams = z.strictObject({ cell: nameSchema })
export const thingParams = z.strictObject({ cell: nameSchema, thing: z.string().min(1).max(80) })
export const agentParams = z.strictObject({ agent: nameSchema })
export const memoryParams = z.strictObject({
  memory: z.string().regex(/^(?:failure|precedent):[A-Za-z0-9_.:-]{1,108}$/),
})
export const keyParams = z.strictObject({ key: z.string().regex(/^[a-z0-9-]{1,40}$/) })
export const siteParams = z.strictObject({ site: siteNameSchema })
