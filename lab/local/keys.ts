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
  /** Left out by older state folders: made when it is missing. */
  metrics_token: z.string().optional(),
  signing_keys: z.array(z.looseObject({ kty: z.string() })),
})
export type LocalSecrets = z.infer<typeof secretsSchema> & { metrics_token: string }

/** Reads the secrets of a state folder, or makes them. `null` keeps them in memory only. */
export async function localSecrets(stateDir: string | null): Promise<LocalSecrets> {
  const file = stateDir === null ? null : path.join(stateDir, 'secrets.json')
  const freshToken = (prefix: string): string => prefix + randomBytes(32).toString('base64url')
  const kept =
    file !== null && existsSync(file)
      ? secretsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
      : null
  const { metrics_token } = kept ?? {}
  if (kept !== null && metrics_token !== undefined) return { ...kept, metrics_token }
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const secrets: LocalSecrets = {
    operator_token: kept?.operator_token ?? freshToken('pcop_'),
    metrics_token: freshToken('pcme_'),
    signing_keys: kept?.signing_keys ?? [{ ...(await exportJWK(pair.privateKey)), kty: 'OKP' }],
  }
  if (file !== null && stateDir !== null) {
    await mkdir(stateDir, { recursive: true, mode: 0o700 })
    await writeFile(file, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  }
  return secrets
}

/** SHA-256 in hex of a token's text, as the Worker keeps it. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
