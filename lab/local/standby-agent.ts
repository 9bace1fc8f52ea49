// An enrolled agent that keeps reporting healthy devices over the real presence socket and takes no work.
// Evaluations judge plans in `shadow` mode with it: V_det asks for the health of sandboxes and pins.
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { must, type SiteHandle } from './client.ts'
import { gatewayPresenceFrame } from '../../protocol/frames.ts'
import { tokenTypes } from '../../protocol/tokens.ts'

const connectTimeoutMs = 15_000

/** Enrols a fresh key for the cell, connects, reports health once and stays connected. */
export async function startStandbyAgent(
  handle: SiteHandle,
  spec: { agent: string; cell: string },
): Promise<{ close: () => void }> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { x } = await exportJWK(pair.publicKey)
  const enrolled = await must<{ jkt: string }>(handle.base, {
    method: 'POST',
    path: '/v1/agents',
    token: handle.admin,
    body: { ...spec, jwk: { kty: 'OKP', crv: 'Ed25519', x } },
  })
  const sign = (typ: string, claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: enrolled.jkt, typ })
      .sign(pair.privateKey)
  const now = Math.floor(Date.now() / 1000)
  const jwt = await sign(tokenTypes.agent, {
    iss: spec.agent,
    sub: spec.agent,
    aud: handle.site,
    iat: now,
    exp: now + 60,
    jti: crypto.randomUUID(),
  })
  const socket = new WebSocket(`${handle.base.replace(/^http/, 'ws')}/v1/agent`, {
    headers: { authorization: `Bearer ${jwt}` },
  })
  const boot_id = crypto.randomUUID()
  let nonce = ''
  let reports: ReturnType<typeof setInterval> | undefined
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('standby agent: no answer')), connectTimeoutMs)
    socket.addEventListener('error', () => reject(new Error('standby agent: refused')))
    socket.addEventListener('close', (event) => reject(new Error(`closed: ${event.reason}`)))
    socket.addEventListener('message', (event) => {
      void (async () => {
        if (event.data === 'pong') return
        const frame = gatewayPresenceFrame.parse(JSON.parse(String(event.data)))
        if (frame.type === 'challenge') {
          nonce = frame.nonce
          const proof = await sign(tokenTypes.hello, {
            sub: spec.agent,
            sid: null,
            nonce,
            boot_id,
            iat_ms: Date.now(),
          })
          const hello = {
            v: 1,
            fid: 'hello',
            nonce,
            type: 'hello',
            boot_id,
            cell: spec.cell,
            proof,
          }
          socket.send(JSON.stringify(hello))
        } else if (frame.type === 'welcome') {
          const report = (): void => {
            const health = healthOf(frame)
            const fid = crypto.randomUUID()
            socket.send(JSON.stringify({ v: 1, fid, nonce, type: 'health', health }))
          }
          report()
          reports = setInterval(report, frame.health_every_ms)
        } else if (frame.type === 'ack') {
          clearTimeout(late)
          resolve()
        } else if (frame.type === 'error') reject(new Error(`${frame.code}: ${frame.detail}`))
      })().catch(reject)
    })
  })
  return {
    close: () => {
      clearInterval(reports)
      socket.close()
    },
  }
}

type Welcome = {
  tools: readonly { server: string; mcp_tool: string; definition_digest: string }[]
  sandboxes: readonly string[]
}

/** Health of a site where everything is up and as pinned. */
export function healthOf(welcome: Welcome) {
  const servers: Record<string, { state: 'up'; tools: Record<string, string> }> = {}
  for (const tool of welcome.tools) {
    const server = (servers[tool.server] ??= { state: 'up', tools: {} })
    server.tools[tool.mcp_tool] = tool.definition_digest
  }
  return {
    servers,
    sandboxes: Object.fromEntries(welcome.sandboxes.map((name) => [name, 'up' as const])),
  }
}
