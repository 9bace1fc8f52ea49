// A stand-in of the platform's model binding: it answers as its models do, with the simulator's word
// model behind it, and fails in every way that the binding can. A fault is chosen by the model's name:
// `fault-<kind>`, after any prefix. It embeds nothing, and its verdicts measure nothing.
import { wordModel } from './word-model.ts'

type Message = { role: string; content: string }
type Input = { messages?: Message[]; max_tokens?: number }

/** What the binding can do wrong; codes are the platform's own. */
export const standInFaults = [
  'throws-text',
  'throws-nothing',
  'hangs',
  'null',
  'undefined',
  'text',
  'number',
  'array',
  'empty-object',
  'error-object',
  'errors-array',
  'null-response',
  'empty-response',
  'partial-json',
  'prose-around',
  'wrong-shape',
  'other-request',
  'duplicate-key',
  'too-long',
  'length-without-reason',
  'finish-length',
  'finish-filter',
  'finish-none',
  'two-choices',
  'refusal',
  'stream',
  'huge',
] as const
export type StandInFault = (typeof standInFaults)[number]

/** Codes with which the platform throws: capacity, allowance, timeout, model, agreement, JSON mode. */
export const standInCodes = ['3040', '3036', '3007', '5007', '5016', '5024'] as const

const chat = (content: string | null, finish_reason: string | null, more: object = {}): object => ({
  choices: [{ index: 0, finish_reason, message: { role: 'assistant', content, ...more } }],
  usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
})

const plain = (response: unknown, completion_tokens = 200): object => ({
  response,
  usage: { prompt_tokens: 1_000, completion_tokens, total_tokens: 1_000 + completion_tokens },
})

/** What one fault answers; a thrown one throws as the binding does. */
function faulty(fault: StandInFault, text: string, input: Input): unknown {
  const half = text.slice(0, Math.floor(text.length / 2))
  switch (fault) {
    case 'throws-text':
      throw new Error('something went wrong')
    case 'throws-nothing':
      throw new Error('')
    case 'hangs':
      return new Promise(() => {})
    case 'null':
      return null
    case 'undefined':
      return undefined
    case 'text':
      return text
    case 'number':
      return 1
    case 'array':
      return [plain(text)]
    case 'empty-object':
      return {}
    case 'error-object':
      return { error: { message: text, code: 'internal_error' } }
    case 'errors-array':
      return { success: false, errors: [{ code: 3040, message: text }], result: null }
    case 'null-response':
      return plain(null)
    case 'empty-response':
      return plain('')
    case 'partial-json':
      return plain(half)
    case 'prose-around':
      return plain(`Here is my verdict: ${text}`)
    case 'wrong-shape':
      return plain({ verdict: 'accept' })
    case 'other-request':
      return plain(text.replace(/"request":"[^"]*"/, '"request":"another"'))
    case 'duplicate-key':
      return plain(text.replace('{', '{"verdict":"accept",'))
    case 'too-long':
      return plain(`${' '.repeat(300_000)}${text}`)
    case 'length-without-reason':
      return plain(text, input.max_tokens ?? 0)
    case 'finish-length':
      return chat(text, 'length')
    case 'finish-filter':
      return chat(text, 'content_filter')
    case 'finish-none':
      return chat(text, null)
    case 'two-choices':
      return { choices: [chat(text, 'stop'), chat(text, 'stop')] }
    case 'refusal':
      return chat(text, 'stop', { refusal: 'I cannot help with that.' })
    case 'stream':
      return new ReadableStream()
    case 'huge':
      return plain('x'.repeat(4_000_000))
    default:
      return fault
  }
}

/** One call of the binding: `model` chooses the fault, or which of the two forms an answer takes. */
export async function standInRun(model: string, input: Record<string, unknown>): Promise<unknown> {
  const { messages } = input as Input
  if (messages === undefined) throw new Error('5007: no such model or task')
  const of = (role: string) => messages.find((message) => message.role === role)?.content ?? ''
  const prompt = of('user')
  const text = wordModel({
    n: 0,
    wire: 'openai',
    model,
    stream: false,
    key: '',
    system: of('system'),
    prompt,
    raw: '',
    at_ms: 0,
    aborted: false,
    status: 200,
  })
  const name = /fault-(.+)$/.exec(model)?.[1]
  const code = /^throws-(\d{4})$/.exec(name ?? '')?.[1]
  if (code !== undefined) throw new Error(`AiError: AiError: ${code}: something went wrong`)
  const fault = standInFaults.find((known) => known === name)
  if (fault !== undefined) return faulty(fault, text, input)
  const counted = { prompt_tokens: Math.ceil(prompt.length / 4), completion_tokens: 120 }
  // Llama-like models answer plainly, some of them with an object; the others as chat completions.
  if (model.includes('llama')) return { response: JSON.parse(text) as unknown, usage: counted }
  if (model.includes('mistral')) return { response: text, usage: counted }
  return { ...chat(text, 'stop'), usage: counted }
}
