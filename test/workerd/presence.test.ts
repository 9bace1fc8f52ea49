// One agent of a site cannot disturb the others or the site itself: sockets that never prove their key
// are bounded, and what is reported must be something that can be kept.
import { exports } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import { readPresenceFrame } from '../../durable-objects/hub/presence.ts'
import { agentToken } from './support/agent-token.ts'
import { freshSite } from './support/door.ts'
import { robot } from './support/hub.ts'
import { decided, enrolAgent, loadTinyGraph, readPlan } from './support/site.ts'

beforeAll(loadTinyGraph)

const frame = (health: string): string =>
  `{"v":1,"fid":"f1","nonce":"n1","type":"health","health":${health}}`

it('refuses reports that could not be kept', () => {
  const good = frame('{"servers":{"cell":{"state":"up","tools":{}}},"sandboxes":{}}')
  expect(readPresenceFrame(good).ok).toBe(true)
  const bad = [
    frame('{"servers":{"\\ud800":{"state":"up","tools":{}}},"sandboxes":{}}'),
    frame(
      '{"servers":{"a":{"state":"up","tools":{}},"a":{"state":"down","tools":{}}},"sandboxes":{}}',
    ),
    frame('{"servers":{"__proto__":{"state":"up","tools":{}}},"sandboxes":{}}'),
    frame('{"servers":{"two words":{"state":"up","tools":{}}},"sandboxes":{}}'),
    `${' '.repeat(limits.agentFrameBytesMax)}${good}`,
    `${good.slice(0, -1)},"pad":"${'é'.repeat(limits.agentFrameBytesMax / 2)}"}`,
  ]
  for (const text of bad)
    expect(readPresenceFrame(text), text.slice(0, 90)).toMatchObject({ ok: false })
})

it('keeps a few sockets per agent, so that the others still get in', async () => {
  const site = await freshSite()
  const first = await enrolAgent(site, robot)
  first.health()
  const closed: number[] = []
  const dial = async (i: number): Promise<void> => {
    const jti = `silent-${i}-${crypto.randomUUID()}`
    const token = await agentToken(robot.jwk, { site: site.site, agent: robot.agent, jti })
    const answer = await exports.default.fetch(
      new Request('https://gateway.test/v1/agent', {
        headers: { upgrade: 'websocket', authorization: `Bearer ${token}` },
      }),
    )
    expect(answer.status).toBe(101)
    answer.webSocket?.accept()
    answer.webSocket?.addEventListener('close', () => {
      closed.push(i)
    })
  }
  const dials = limits.socketsPerAgentMax * 4
  for (let i = 0; i < dials; i++) await dial(i)
  await expect.poll(() => closed.length).toBe(dials - limits.socketsPerAgentMax)
  const judged = await decided(site, readPlan(site.plannerId))
  expect(judged.status).toBe(200)
})
