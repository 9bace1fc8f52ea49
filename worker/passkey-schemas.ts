// Bodies of passkeys, as browsers write them (WebAuthn, JSON). What is not looked at is taken and left.
import { z } from 'zod'
import { jsonObjectSchema } from '../protocol/json.ts'
import { digestSchema } from '../protocol/registry.ts'

const timeMs = z.number().min(0)
const base64url = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(max)

/** 1,023 bytes at most (WebAuthn, credential id). */
const keyId = base64url(1_364)

const around = {
  id: keyId.describe('The authenticator’s own id of the key.'),
  rawId: keyId.describe('The same.'),
  type: z.literal('public-key').describe('Always this.'),
  clientExtensionResults: jsonObjectSchema.optional().describe('Not looked at.'),
  authenticatorAttachment: z.string().max(40).nullish().describe('Not looked at.'),
}

export const passkeyAnswerSchema = z.strictObject({
  ...around,
  response: z
    .strictObject({
      clientDataJSON: base64url(8_192).describe(
        'What the browser says was asked, and by which page.',
      ),
      authenticatorData: base64url(4_096).describe('What the authenticator says of itself.'),
      signature: base64url(2_048).describe('Over both.'),
      userHandle: z.string().max(200).nullish().describe('Not looked at.'),
    })
    .describe('What the authenticator signed.'),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswerSchema>

const passkeyRegistrationSchema = z.strictObject({
  ...around,
  response: z
    .strictObject({
      clientDataJSON: base64url(8_192).describe(
        'What the browser says was asked, and by which page.',
      ),
      attestationObject: base64url(32_768).describe('The new key, by the authenticator.'),
      transports: z.array(z.string().max(40)).max(16).optional().describe('Not looked at.'),
      publicKeyAlgorithm: z.number().optional().describe('Not looked at.'),
      publicKey: z.string().max(8_192).optional().describe('Not looked at.'),
      authenticatorData: z.string().max(8_192).optional().describe('Not looked at.'),
    })
    .describe('What the authenticator made.'),
})
export type PasskeyRegistration = z.infer<typeof passkeyRegistrationSchema>

/** What can be signed by a touch. */
export const touchActs = ['accept_plan', 'sign_template', 'add_passkey', 'end_passkey'] as const
export type TouchAct = (typeof touchActs)[number]

const passkeyView = z.strictObject({
  id: z.string().describe('The authenticator’s own id of the key.'),
  credential: z.string().describe('The credential whose rights it has.'),
  owner: z.string().describe('The person behind that credential.'),
  name: z.string().describe('What the person calls it.'),
  rp_id: z.string().describe('The host that it was made for.'),
  created_ms: timeMs,
  expires_ms: timeMs,
  last_used_ms: timeMs.nullable(),
  ended_ms: timeMs.nullable(),
  ended_by: z.string().nullable().describe('Who ended it.'),
})

export const passkeySchemas = {
  /** Given to `navigator.credentials` as they are. */
  PasskeyOptions: z.strictObject({
    options: jsonObjectSchema.describe(
      'For `navigator.credentials`, as WebAuthn writes them in JSON.',
    ),
  }),
  PasskeyInput: z.strictObject({
    name: z.string().trim().min(1).max(80).describe('What you call it.'),
    answer: passkeyRegistrationSchema.describe('What the browser gave.'),
    touch: passkeyAnswerSchema
      .optional()
      .describe('By one that you have: needed for every one but the first.'),
  }),
  PasskeyEndInput: z.strictObject({
    touch: passkeyAnswerSchema
      .optional()
      .describe('By one that you have, this one or another; an administrator needs none.'),
  }),
  Passkey: passkeyView,
  PasskeyList: z.strictObject({ items: z.array(passkeyView), next: z.string().nullable() }),
  PasskeySignInInput: z.strictObject({
    answer: passkeyAnswerSchema.describe('What the browser gave.'),
  }),
  TouchInput: z.strictObject({
    act: z.enum(touchActs).describe('What will be signed.'),
    of: z
      .string()
      .min(1)
      .max(1_364)
      .describe('Id of the plan, of the standing approval or of the passkey.'),
    digest: digestSchema
      .nullable()
      .describe('Of the packet or of the record that was displayed; null for a passkey.'),
  }),
} as const
