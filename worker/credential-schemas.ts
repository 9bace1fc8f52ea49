// Credentials, and people's sign-ins at the console.
import { z } from 'zod'
import { roles } from '../adapters/credentials.ts'

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
})

export const signIn = z.strictObject({
  id: z.string().describe('Names this sign-in.'),
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
