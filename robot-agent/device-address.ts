// Where a device server is reached, as a digest: two agents that drive one instrument tell the same, and
// the site learns nothing else of the lab's network.
import { createHash } from 'node:crypto'
import type { McpServerConfig } from './config.ts'

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * `device:` and the digest of host, port and path of a server that is reached over the network; null for a
 * process of the agent's own, which nobody else can reach. On the loopback the machine is part of it: two
 * machines each have their own. One server under two names, or behind two addresses, is not seen.
 */
export function addressOf(server: McpServerConfig, machine: string): string | null {
  if (!('url' in server)) return null
  const { protocol, hostname, port, pathname } = new URL(server.url)
  const host = loopback.test(hostname) ? `loopback of ${machine}` : hostname
  const known = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  const path = pathname.replace(/\/+$/, '')
  const text = JSON.stringify([host, known, path])
  return `device:${createHash('sha256').update(`portcullis/device/v1\n${text}`).digest('base64url')}`
}
