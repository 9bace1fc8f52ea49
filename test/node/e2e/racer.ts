// One of two processes in a race: makes everything ready, says so, and at a line on its input lets all of it
// go at once. Prints what came of it as one line of JSON. Run by racers.test.ts.
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { HostileAgent, type HeldKey } from '../../../lab/local/attacks/hostile-agent.ts'
import type { SiteHandle } from '../../../lab/local/client.ts'

export type RacerCall = { method: string; path: string; token: string; body: object }
export type RacerStarts = {
  handle: SiteHandle
  held: HeldKey
  session: string
  token: string
  sockets: number
  each: number
}
export type Race = { base: string; calls: RacerCall[]; starts: RacerStarts | null }
export type Outcome = { statuses: number[]; gos: number; sent: number }

const settleMs = 4_000
const answerMs = 300_000

/** Connections of the bound key, each with so many different starts of one node, signed beforehand. */
async function prepare(starts: RacerStarts) {
  const agent = await HostileAgent.holding(starts.handle, starts.held)
  return Promise.all(
    Array.from({ length: starts.sockets }, async () => {
      const session = await agent.join(starts.session)
      await session.expect('welcome')
      const frames = await Promise.all(
        Array.from({ length: starts.each }, () => session.startFrame(starts.token)),
      )
      return { socket: session.socket, frames: frames.map((frame) => JSON.stringify(frame)) }
    }),
  )
}

/** One call; a race of so many takes as long as it takes. */
async function call({ method, path, token, body }: RacerCall): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(answerMs)
  const init = { method, headers, signal, body: JSON.stringify(body) }
  const answer = await fetch(race.base + path, init)
  await answer.text()
  return answer.status
}

const race = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as Race
const lines = race.starts === null ? [] : await prepare(race.starts)
const input = createInterface({ input: process.stdin })
process.stdout.write('ready\n')
await new Promise((resolve) => input.once('line', resolve))
input.close()
let sent = 0
for (const { socket, frames } of lines) {
  for (const frame of frames) {
    if (socket.closed === null) socket.send(frame)
    sent += 1
  }
}
const statuses = await Promise.all(race.calls.map(call))
if (lines.length > 0) await new Promise((resolve) => setTimeout(resolve, settleMs))
const gos = lines.flatMap(({ socket }) => socket.drain()).filter(({ type }) => type === 'go').length
const outcome: Outcome = { statuses, gos, sent }
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0))
