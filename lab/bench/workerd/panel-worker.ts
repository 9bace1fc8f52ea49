// The panel inside workerd for `npm run bench`: one request judges one plan with the models that it
// names, through the real adapters, and answers with what was decided and what each call took.
import { createModelPort, wallClock } from '../../../adapters/models/port.ts'
import { policySchema } from '../../../protocol/policy.ts'
import { planSchema } from '../../../protocol/plan.ts'
import { registrySchema, type Registry } from '../../../protocol/registry.ts'
import { decide } from '../../../verify/decide/decide.ts'
import { nothingHidden } from '../../../verify/hide/index.ts'
import { judgePlan } from '../../../verify/judge.ts'
import { noEvidence } from '../../../protocol/evidence.ts'
import { passesScreen } from '../../../verify/screen/claims.ts'

type Ask = { vendor: string; plan: unknown; policy: unknown }

/** The site's registry, sent once: a plan's object has it at hand and does not parse it again. */
let registry: Registry | null = null

export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/registry') {
      registry = registrySchema.parse(await request.json())
      return Response.json({})
    }
    if (registry === null) throw new Error('the registry comes first')
    const ask = (await request.json()) as Ask
    const policy = policySchema.parse(ask.policy)
    const input = {
      plan: planSchema.parse(ask.plan),
      registry,
      policy,
      floor: {
        level: 'pass' as const,
        findings: [],
        sigma: 0,
        tau_advisory: 0.25,
        tau_warning: 0.5,
        snapshot_digest: 'snap:bench',
      },
      evidence: noEvidence,
      steps: [],
      bench: { panel: 'models' as const, seats: policy.judges, chief: policy.chief },
      memory: [],
      window: [],
      grounding: { degraded: null, nodes: [], findings: [] },
      knowledge: null,
      done: [],
      signal: new AbortController().signal,
    }
    const result = await judgePlan(
      {
        model: createModelPort({
          deployment: {
            openai: { wire: 'openai', url: `${ask.vendor}/v1`, key: 'k', stream: true },
            anthropic: { wire: 'anthropic', url: ask.vendor, key: 'k', stream: true },
          },
          policy,
          siteKey: () => null,
          privateHosts: [],
          prices: {},
          fetch: (url, init) => fetch(url, init),
          ai: null,
          gateway: null,
          hiding: nothingHidden,
          clock: wallClock,
        }),
        clock: wallClock,
        nonce: () => crypto.randomUUID().replaceAll('-', ''),
        screen: (text) => passesScreen(text, policy),
        estimate: (seat) => ({ name: seat.name, cost_usd: null, ms: null }),
        reserve: () => Promise.resolve(true),
      },
      input,
      () => {},
    )
    const asked = result.opinions
    return Response.json({
      verdict: decide({ ...input, ...result, trace: null }).verdict,
      outcomes: asked.map((opinion) => opinion.outcome),
      judge_ms: Math.max(0, ...asked.map((opinion) => opinion.ms)),
      chief_ms: result.chief?.ms ?? 0,
    })
  },
}
