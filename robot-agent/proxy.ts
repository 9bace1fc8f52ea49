// A lab often reaches the outside through a proxy only: HTTPS_PROXY, HTTP_PROXY and NO_PROXY are used for
// the gateway. What is configured as a device server is on the lab's own network and is reached directly.
import http from 'node:http'
import type { AgentConfig } from './config.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The proxy settings of this agent; null when none are set. */
export function proxyEnv(env: Env, config: AgentConfig): NodeJS.ProcessEnv | null {
  const https = env['HTTPS_PROXY'] ?? env['https_proxy']
  const plain = env['HTTP_PROXY'] ?? env['http_proxy']
  if (https === undefined && plain === undefined) return null
  const devices = Object.values(config.mcpServers).flatMap((one) =>
    'url' in one ? [new URL(one.url).hostname] : [],
  )
  const direct = [env['NO_PROXY'] ?? env['no_proxy'] ?? '', ...devices].filter(Boolean).join(',')
  return {
    ...(https === undefined ? {} : { HTTPS_PROXY: https }),
    ...(plain === undefined ? {} : { HTTP_PROXY: plain }),
    NO_PROXY: direct,
  }
}

/** Every connection from here on goes as the settings say. Throws on a Node that cannot. */
export function useProxy(env: Env, config: AgentConfig): void {
  const settings = proxyEnv(env, config)
  if (settings === null) return
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: (env: object) => void }
  if (setGlobalProxyFromEnv === undefined) {
    throw new Error('a proxy is set, and this Node cannot use one: take Node 24.14 or newer')
  }
  setGlobalProxyFromEnv(settings)
}
