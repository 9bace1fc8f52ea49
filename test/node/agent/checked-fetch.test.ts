// An answer over HTTP that says a key twice is no answer, however its event is cut into lines and pieces; one
// without an end is not taken in for ever.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import { checkedFetch } from '../../../robot-agent/checked-fetch.ts'

/** What a reader gets of these pieces, and what it was told. */
async function read(pieces: readonly string[], type = 'text/event-stream') {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': type })
    void (async () => {
      for (const piece of pieces) {
        if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const told: string[] = []
  const ask = checkedFetch((fault) => told.push(fault.reason))
  try {
    const { port } = server.address() as AddressInfo
    const text = await ask(`http://127.0.0.1:${port}/`)
      .then((answer) => answer.text())
      .catch(() => null)
    return { text, told }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const twice = ['{', '"ok": false,', '"ok": true', '}']

test.each<[string, string[]]>([
  ['one line', [`data: ${twice.join('')}\n\n`]],
  ['several lines', [`${twice.map((line) => `data: ${line}`).join('\n')}\n\n`]],
  [
    'several lines, CRLF',
    [`event: message\r\n${twice.map((l) => `data:${l}`).join('\r\n')}\r\n\r\n`],
  ],
  ['several lines, CR', [`${twice.map((line) => `data: ${line}`).join('\r')}\r\r`]],
  ['a letter at a time', `data: {}\r\n\r\ndata: {"a":1,\r\ndata: "a":2}\r\n\r\n`.split('')],
  ['no blank line at the end', ['data: {"a":1,"a":2}']],
])('a key twice is seen in %s', async (_, pieces) => {
  expect(await read(pieces)).toEqual({ text: null, told: ['answer_unreadable'] })
})

test('what is well comes through as it is', async () => {
  const text = ': hello\n\nid: 1\ndata: {"a":1,\ndata: "b":[1,2]}\n\ndata: {"a":2}\r\n\r\n'
  expect(await read(text.split(''))).toEqual({ text, told: [] })
  expect(await read(['{"a":1}'], 'application/json')).toEqual({ text: '{"a":1}', told: [] })
})

test('an event without an end is given up at the limit', async () => {
  const line = `data: ${'x'.repeat(1_000_000)}\n`
  const pieces = Array.from(
    { length: Math.ceil(limits.deviceAnswerBytesMax / line.length) + 2 },
    () => line,
  )
  expect(await read(pieces)).toEqual({ text: null, told: ['answer_too_large'] })
})
