// Credentials, and people's sign-ins at the console.
import { z } from 'zod'
import { roles } from '../adapters/credentials.ts'
import { signInWays } from '../adapters/sign-ins.ts'

const timeMs = z.number().min(0)

export const credential = z.strictObject({
  id: z.string(),
  site: z.string(),
  role: z.enum(roles),
  subject: z.string(),
  owner: z.string(),
  created_ms: timeMs,
  expires_ms: timeMs.nullable(),
  revoked_ms: timeMs.nullable(),
  last_used_ms: timeMs.nullable(),
  /** Owner of the administrator's credential that did it, or `deployment-operator`. */
  created_by: z.string().nullable(),
  revoked_by: z.string().nullable(),
  email: z
    .string()
    .nullable()
    .describe('Under which the identity provider knows the person; null where none is set.'),
})

export const credentialEmailInput = z.strictObject({
  email: z
    .email()
    .max(254)
    .nullable()
    .describe('As the identity provider writes it, in any case of letters; null takes it away.'),
})

export const signIn = z.strictObject({
  id: z.string().describe('Names this sign-in.'),
  way: z.enum(signInWays).describe('By what it was opened.'),
  credential: z.string().describe('The credential whose rights it has.'),
  owner: z.string().describe('The person behind that credential.'),
  created_ms: timeMs,
  expires_ms: timeMs,
  last_used_ms: timeMs.nullable(),
  ended_ms: timeMs.nullable(),
  ended_by: z.string().nullable().describe('Who ended it; `gateway` when there were too many.'),
  current: z.boolean().describe('True for the sign-in that asks.'),
})

export const signInCodeInput = z.strictObject({
  credential: z
    .string()
    .max(40)
    .optional()
    .describe('Id of the credential of the person who will sign in; left out: your own.'),
})

export const signInCode = z.strictObject({
  code: z.string().describe('Good once, for a quarter of an hour.'),
  link: z.string().describe('The console with this code; what follows # is sent to no server.'),
  credential: z.string().describe('Whose sign-in it opens.'),
  owner: z.string().describe('The person behind that credential.'),
  expires_ms: timeMs,
})

export const signInInput = z.strictObject({
  code: z.string().min(1).max(100).describe('A one-time code.'),
})

export const signedIn = z.strictObject({
  id: z.string().describe('Id of the sign-in.'),
  expires_ms: timeMs,
})

export const accessSignInInput = z.strictObject({
  site: z.string().min(1).max(63).describe('The site to sign in at.'),
  credential: z.string().min(1).max(40).describe('Id of the credential whose rights it will have.'),
})

export const signInWaysView = z.strictObject({
  access: z
    .strictObject({
      email: z.string().describe('As the identity provider has said.'),
      choices: z
        .array(
          z.strictObject({
            site: z.string(),
            credential: z.string().describe('Id of the credential.'),
            role: z.enum(roles).describe('What it may do.'),
            owner: z.string().describe('The person behind that credential.'),
          }),
        )
        .describe('What an administrator has put this address on.'),
    })
    .nullable()
    .describe('Null where the deployment asks no identity provider, or it has vouched for nobody.'),
})
