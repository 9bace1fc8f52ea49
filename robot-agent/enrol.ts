// `enrol`: makes this agent's key, here, and brings its public half to the gateway with a one-time code.
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { privateJwkSchema } from '../contain/keys.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { AgentConfig } from './config.ts'
import { loadSigningKey } from './signer.ts'

const answerSchema = z.object({ agent: z.string(), cell: z.string(), jkt: z.string() })
const problemSchema = z.object({ code: z.string(), title: z.string() })

/** Writes a fresh private key that only its owner can read; a key is never overwritten. */
export function makeKey(file: string): void {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const jwk = { kty: 'OKP', crv: 'Ed25519', x, d }
  writeFileSync(file, `${JSON.stringify(jwk)}\n`, { mode: 0o600, flag: 'wx' })
}

/** Enrols the key of the configuration, made now when there is none. Returns what to tell the person. */
export async function enrol(config: AgentConfig, code: string): Promise<Result<string, string>> {
  const file = config.key_file
  if (!existsSync(file)) makeKey(file)
  const key = await loadSigningKey(file)
  if (!key.ok) return key
  const { x } = privateJwkSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const jwk = { kty: 'OKP', crv: 'Ed25519', x }
  const body = JSON.stringify({ site: config.site, code, jwk, jkt: key.value.kid })
  let status: number
  let answer: unknown
  try {
    const response = await fetch(new URL('/v1/enrolments', config.gateway), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(15_000),
    })
    status = response.status
    answer = await response.json()
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const why = cause instanceof Error ? cause.message : String(cause)
    return err(`${config.gateway} does not answer (${why}); the code is not used up`)
  }
  if (status !== 201) {
    const problem = problemSchema.safeParse(answer)
    const why = problem.success ? `${problem.data.title} (${problem.data.code})` : String(status)
    return err(`the gateway refused: ${why}`)
  }
  const told = answerSchema.safeParse(answer)
  if (!told.success) return err('the gateway answered something else than an enrolment')
  const { agent, cell, jkt } = told.data
  if (agent !== config.agent || cell !== config.cell) {
    return err(
      `the code was for agent ${agent} of cell ${cell}: put these names into the configuration`,
    )
  }
  return ok(`enrolled ${agent} for cell ${cell}, key ${jkt} in ${file}`)
}
