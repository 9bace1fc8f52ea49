// A reviewer's webhook for tests inside workerd: a real HTTP server that keeps what was posted to a path
// and gives it back on GET. A path that begins with /down answers 503.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const posted = new Map<string, unknown[]>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const kept = posted.get(path) ?? []
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(kept))
      return
    }
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    request.on('end', () => {
      posted.set(path, [...kept, JSON.parse(text) as unknown])
      response.statusCode = path.startsWith('/down') ? 503 : 204
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  project.provide('webhook', `http://127.0.0.1:${port}`)
  return () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
}
