// Types `env` of "cloudflare:workers". It names no source of this room, so that other rooms may
// include it.
type PortcullisEnv = import('../durable-objects/env.ts').Env

declare namespace Cloudflare {
  interface Env extends PortcullisEnv {
    /** Only in tests: the contents of migrations/, applied by the set-up file. */
    TEST_MIGRATIONS: { name: string; queries: string[] }[]
    /** Only in tests: the approved registry of the demo site, and the operator's token. */
    TEST_REGISTRY: import('../protocol/registry.ts').Registry
    TEST_OPERATOR_TOKEN: string
  }
}
