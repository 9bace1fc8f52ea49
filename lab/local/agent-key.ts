// Makes an agent's Ed25519 key: the private JWK into a file that only its owner can read, the public
// JWK on stdout, for enrolment. `node lab/local/agent-key.ts FILE`
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'

export type PublicAgentJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string }

/**
 * Writes a fresh private key to `file` (mode 0600) and returns the public half.
 * Throws when the file exists: a key is never overwritten.
 */
export function createAgentKey(file: string): PublicAgentJwk {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x, d } = privateKey.export({ format: 'jwk' })
  if (typeof x !== 'string' || typeof d !== 'string') throw new TypeError('no Ed25519 JWK')
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  writeFileSync(file, `${JSON.stringify({ ...publicJwk, d })}\n`, { mode: 0o600, flag: 'wx' })
  return publicJwk
}

if (import.meta.main) {
  const file = process.argv[2]
  if (file === undefined || file.startsWith('-')) {
    process.stderr.write('usage: node lab/local/agent-key.ts FILE\n')
    process.exit(2)
  }
  try {
    process.stdout.write(`${JSON.stringify(createAgentKey(file))}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}
