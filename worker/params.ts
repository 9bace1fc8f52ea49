// Ids in paths. What does not even look like an id of its kind is answered like one that does not
// exist, and wakes no object.
import { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { idOf, planIdSchema } from './ids.ts'
import { nameSchema, siteNameSchema } from './schemas.ts'

const cell = nameSchema.describe('Name of the cell.')
export const planParams = z.strictObject({ plan: planIdSchema.describe('Id of the plan.') })
export const sessionParams = z.strictObject({
  session: idOf('sess').describe('Id of the session.'),
})
export const nodeParams = sessionParams.extend({
  node: z.string().min(1).max(limits.idCharsMax).describe('Id of the node in the plan.'),
})
export const partParams = nodeParams.extend({
  digest: z
    .string()
    .regex(/^blob:[A-Za-z0-9_-]{43}$/)
    .describe('Digest of the part, as the result names it in `kept`.'),
})
export const credentialParams = z.strictObject({
  credential: idOf('cred').describe('Id of the credential.'),
})
export const signInParams = z.strictObject({
  sign_in: idOf('sign').describe('Id of the sign-in.'),
})
export const passkeyParams = z.strictObject({
  passkey: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,1364}$/)
    .describe('Id of the passkey.'),
})
export const templateParams = z.strictObject({
  template: idOf('tmpl').describe('Id of the standing approval.'),
})
export const ownerParams = z.strictObject({ owner: nameSchema.describe('Name of the person.') })
export const cellParams = z.strictObject({ cell })
export const thingParams = z.strictObject({
  cell,
  thing: z.string().min(1).max(80).describe('Id of the thing.'),
})
export const toolParams = z.strictObject({
  tool: z.string().min(1).max(limits.toolNameCharsMax).describe('Name of the tool.'),
})
export const agentParams = z.strictObject({ agent: nameSchema.describe('Name of the agent.') })
export const memoryParams = z.strictObject({
  memory: z
    .string()
    .regex(/^(?:failure|precedent):[A-Za-z0-9_.:-]{1,108}$/)
    .describe('Id of the memory.'),
})
export const keyParams = z.strictObject({
  key: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .describe('Name under which the key is stored.'),
})
export const siteParams = z.strictObject({ site: siteNameSchema.describe('Name of the site.') })
