// Keys and secrets of a local deployment: made on first start, kept in the state folder with
// permissions for the owner alone. A production deployment gets them as Worker secrets.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { z } from 'zod'

const secretsSchema = z.strictObject({
  operator_token: z.string(),
  signing_keys: z.array(z.looseObject({ kty: z.string() })),
})
export type LocalSecrets = z.infer<typeof secretsSchema>

/** Reads the secrets of a state folder, or makes them. `null` keeps them in memory only. */
export async function localSecrets(stateDir: string | null): Promise<LocalSecrets> {
  const file = stateDir === null ? null : path.join(stateDir, 'secrets.json')
  if (file !== null && existsSync(file)) {
    return secretsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  }
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const secrets: LocalSecrets = {
    operator_token: `pcop_${randomBytes(32).toString('base64url')}`,
    signing_keys: [{ ...(await exportJWK(pair.privateKey)), kty: 'OKP' }],
  }
  if (file !== null && stateDir !== null) {
    await mkdir(stateDir, { recursive: true, mode: 0o700 })
    await writeFile(file, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  }
  return secrets
}

/** SHA-256 in hex of a token's text, as the Worker keeps it. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
