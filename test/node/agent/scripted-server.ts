// An MCP server over stdio that misbehaves on order: `node scripted-server.ts MODE FILE`. It writes one
// line to FILE for each call that it begins and ends, so that a test sees what the device got.
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [mode = 'normal', journal = '/dev/null'] = process.argv.slice(2)
const [kind = '', given = '0'] = mode.split('=')
const amount = Number(given)

type Message = {
  id?: number
  method?: string
  error?: object
  params?: { name?: string; _meta?: { progressToken?: number } }
}

const note = (line: string) => appendFileSync(journal, `${process.pid} ${line}\n`)
const raw = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
const send = (body: object) => raw(JSON.stringify({ jsonrpc: '2.0', ...body }))
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const ok = { content: [{ type: 'text', text: 'done' }] }

const schema = { type: 'object', properties: {} }
const tool = (name: string, more: object = {}) => ({
  name,
  description: `What ${name} does.`,
  inputSchema: schema,
  ...more,
})

let lists = 0
let stops = 0
let token: number | undefined
let onRefused: () => void = () => {}

function toolsNow(): object[] {
  const tools = [tool('t0'), tool('stop')]
  if (kind === 'null-desc') return [tool('other', { description: null }), ...tools]
  if (kind === 'dup') return [tool('t0', { description: 'something else' }), ...tools]
  if (kind === 'redefine' && lists > amount) return [tool('t0'), tool('stop', { title: 'new' })]
  return tools
}

async function list(id: number): Promise<void> {
  lists += 1
  if (kind === 'list-slow') await sleep(amount)
  if (kind === 'list-fail' && lists === amount) {
    return send({ id, error: { code: -32_603, message: 'database is locked' } })
  }
  if (kind === 'many') {
    const page = Math.max(0, lists - 1) % amount
    const next = page + 1 < amount ? { nextCursor: `page-${page + 1}` } : {}
    const tools = page === 0 ? toolsNow() : [tool(`p${page}`)]
    return send({ id, result: { tools, ...next } })
  }
  if (kind === 'pages')
    return send({ id, result: { tools: [tool(`p${lists}`)], nextCursor: given } })
  send({ id, result: { tools: toolsNow() } })
}

const answers: Record<string, (id: number) => void> = {
  late: (id) =>
    void sleep(amount).then(() => send({ id, result: { structuredContent: { ok: true } } })),
  // The result of a file, byte for byte, once it is there.
  file: (id) => raw(`{"jsonrpc":"2.0","id":${id},"result":${readFileSync(given, 'utf8')}}`),
  nan: (id) => raw(`{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":{"g":NaN}}}`),
  'rpc-error': (id) => send({ id, error: { code: -32_603, message: 'axis stalled' } }),
  'bad-params': (id) => send({ id, error: { code: -32_602, message: 'output validation' } }),
  'no-method': (id) => send({ id, error: { code: -32_601, message: 'no such tool' } }),
  'error-string': (id) => send({ id, result: { isError: 'true', content: [] } }),
  task: (id) => send({ id, result: { task: { taskId: 't-1', status: 'working' } } }),
  empty: (id) => send({ id, result: {} }),
  huge: (id) => send({ id, result: { content: [{ type: 'text', text: 'x'.repeat(amount) }] } }),
  twice: (id) => {
    send({ id, result: { structuredContent: { answer: 'first' } } })
    send({ id, result: { isError: true, content: [{ type: 'text', text: 'second' }] } })
  },
  // Nobody asked for this one; the right one comes after it.
  unasked: (id) => {
    send({ id: id + 1_000, result: { structuredContent: { answer: 'stray' } } })
    send({ id, result: { structuredContent: { answer: 'own' } } })
  },
  half: (id) => {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"structur`, () => process.exit(1))
  },
  'error-text': (id) =>
    send({ id, result: { content: [{ type: 'text', text: '{"ok":false,"error":"stalled"}' }] } }),
  noise: (id) => {
    raw('{"level":"info","msg":"moving"}')
    raw('plain words')
    send({ id, result: ok })
  },
  flood: (id) => {
    for (let i = 0; i < amount; i++) send({ method: 'notifications/tools/list_changed' })
    send({ id, result: ok })
  },
}

async function call(id: number, name: string): Promise<void> {
  note(`begin ${name}`)
  if (name === 'stop') {
    stops += 1
    if (kind === 'stop-slow') await sleep(amount)
    const refused = kind === 'stop-refused' && stops <= amount
    note(refused ? 'refused stop' : 'end stop')
    const text = 'servo drive does not answer'
    return send({ id, result: refused ? { isError: true, content: [{ type: 'text', text }] } : ok })
  }
  if (kind === 'serial') {
    // A synchronous driver: nothing is read before this call has ended.
    reader.pause()
    await sleep(amount)
    note(`end ${name}`)
    send({ id, result: ok })
    reader.resume()
    return
  }
  if (kind === 'progress') {
    const message = 'y'.repeat(1_000)
    for (let progress = 0; progress < amount; progress++) {
      const params = { progressToken: token, progress, total: amount, message }
      send({ method: 'notifications/progress', params })
    }
    await sleep(50)
  }
  if (kind === 'asks') {
    const refused = new Promise<void>((resolve) => (onRefused = resolve))
    send({ id: 9_000, method: given, params: { message: 'Shall I?', requestedSchema: schema } })
    // The call ends only once the question was answered.
    await refused
  }
  const answer = answers[kind]
  if (answer === undefined) send({ id, result: ok })
  else answer(id)
  note(`end ${name}`)
}

const reader = createInterface({ input: process.stdin })
reader.on('line', (line) => {
  const { id, method, params, error } = JSON.parse(line) as Message
  if (method === 'notifications/cancelled') note('cancelled')
  if (id === 9_000 && error !== undefined) return onRefused()
  if (id === undefined) return
  if (method === 'initialize') {
    const serverInfo = { name: 'scripted', version: '1' }
    const capabilities = { tools: { listChanged: true } }
    return send({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo } })
  }
  if (method === 'tools/list') return void list(id)
  token = params?.['_meta']?.progressToken
  if (method === 'tools/call') return void call(id, params?.name ?? '')
  if (method === 'ping') return send({ id, result: {} })
  send({ id, error: { code: -32_601, message: 'unknown method' } })
})
reader.on('close', () => process.exit(0))
