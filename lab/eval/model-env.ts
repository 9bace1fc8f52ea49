// Model endpoints from the environment: MODEL_ENDPOINTS as the gateway takes it, or the vendors' own
// key variables over the default endpoints. A vendor without a key stays in the panel and is missing.
import { z } from 'zod'
import { defaultEndpoints } from '../../adapters/models/default-seats.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Default endpoint → the variable that holds its key. */
const keyVariables: Readonly<Record<string, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  google: 'GEMINI_API_KEY',
  xai: 'XAI_API_KEY',
  groq: 'GROQ_API_KEY',
}

const namesSchema = z.record(z.string(), z.looseObject({ key: z.string().optional() }))

export type ModelEnv = {
  /** Variables of the Worker. */
  readonly vars: Record<string, string>
  /** Endpoints that have no key. */
  readonly missing: string[]
}

/** Reads the environment. Never prints or returns a key but inside the Worker's variables. */
export function modelEnv(env: Env): ModelEnv {
  const vars: Record<string, string> = {}
  for (const name of ['MODEL_PRICES', 'PRIVATE_HOSTS']) {
    const value = env[name]
    if (value !== undefined) vars[name] = value
  }
  const given = env['MODEL_ENDPOINTS']
  const endpoints =
    given === undefined
      ? Object.entries(defaultEndpoints).map(([name, endpoint]) => {
          const key = env[keyVariables[name] ?? ''] ?? ''
          return [name, key === '' ? endpoint : { ...endpoint, key }] as const
        })
      : Object.entries(namesSchema.parse(JSON.parse(given)))
  vars['MODEL_ENDPOINTS'] = given ?? JSON.stringify(Object.fromEntries(endpoints))
  const missing = endpoints.flatMap(([name, endpoint]) =>
    'key' in endpoint && endpoint.key !== undefined && endpoint.key !== '' ? [] : [name],
  )
  return { vars, missing }
}
