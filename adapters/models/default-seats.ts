// The default panel as data: heavyweight reasoning models first, so that a shallow depth has the
// strongest, then lightweight ones of the same vendors; a Claude Sonnet as chief. The endpoints are
// names that the operator defines in MODEL_ENDPOINTS. A policy may name any others.
import type { PolicyInput } from '../../protocol/policy.ts'

type Seats = NonNullable<PolicyInput['judges']>

export const defaultJudges: Seats = [
  { name: 'judge-1', endpoint: 'openai', model: 'gpt-6.2-sol', max_tokens: 16_384 },
  { name: 'judge-2', endpoint: 'anthropic', model: 'claude-opus-5-5', max_tokens: 16_384 },
  { name: 'judge-3', endpoint: 'google', model: 'gemini-2.5-pro', max_tokens: 16_384 },
  { name: 'judge-4', endpoint: 'xai', model: 'grok-4', max_tokens: 16_384 },
  { name: 'judge-5', endpoint: 'anthropic', model: 'claude-haiku-5-5', max_tokens: 8_192 },
  { name: 'judge-6', endpoint: 'openai', model: 'gpt-6-luna', max_tokens: 8_192 },
  { name: 'judge-7', endpoint: 'google', model: 'gemini-2.5-flash', max_tokens: 8_192 },
]

export const defaultChief: Seats[number] = {
  name: 'chief',
  endpoint: 'anthropic',
  model: 'claude-sonnet-5-5',
  max_tokens: 8_192,
}

/** Where the vendors of the defaults are reached; the operator adds the keys. */
export const defaultEndpoints = {
  anthropic: { wire: 'anthropic', url: 'https://api.anthropic.com' },
  openai: { wire: 'openai', url: 'https://api.openai.com/v1' },
  google: {
    wire: 'openai',
    url: 'https://generativelanguage.googleapis.com/v1beta/openai',
  },
  xai: { wire: 'openai', url: 'https://api.x.ai/v1' },
  groq: { wire: 'openai', url: 'https://api.groq.com/openai/v1' },
} as const
