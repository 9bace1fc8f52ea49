// Types `exports.default` of "cloudflare:workers" for the tests of the whole Worker.
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('../../worker/index.ts')
    durableNamespaces: 'PlanReview' | 'ExecutionSession' | 'SiteHub'
  }
  interface Env {
    /** The contents of migrations/, applied by the set-up file. */
    TEST_MIGRATIONS: { name: string; queries: string[] }[]
    /** The approved registry of the demo site. */
    TEST_REGISTRY: import('../../protocol/registry.ts').Registry
    /** With it the tests create their sites. */
    TEST_OPERATOR_TOKEN: string
    TEST_METRICS_TOKEN: string
    /** What the stand-in of the platform's mail was handed. */
    TEST_MAIL: { sent(): Promise<{ to: string; subject: string; text: string }[]> }
  }
}
