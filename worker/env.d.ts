// Types `env` of "cloudflare:workers". It names no source of this room, so that other rooms may
// include it.
type PortcullisEnv = import('../durable-objects/env.ts').Env

declare namespace Cloudflare {
  interface Env extends PortcullisEnv {}
}
