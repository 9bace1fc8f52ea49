// A device server whose list of tools takes its time: `node slow-list.ts MS COMMAND ARGS…` starts the server and
// passes every line on, the requests for its list late.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const [ms = '0', command = '', ...args] = process.argv.slice(2)
const server = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] })
server.once('exit', (code) => process.exit(code ?? 1))
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const { method } = JSON.parse(line) as { method?: string }
  const wait = method === 'tools/list' ? Number(ms) : 0
  setTimeout(() => server.stdin.write(`${line}\n`), wait)
})
lines.on('close', () => server.stdin.end())
