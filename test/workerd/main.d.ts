// Types `exports.default` of "cloudflare:workers" for the tests of the whole Worker.
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('../../worker/index.ts')
    durableNamespaces: 'PlanReview' | 'ExecutionSession' | 'SiteHub'
  }
}
