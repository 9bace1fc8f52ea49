// Runs V_det in workerd, `reps` times per request over a plan and snapshot that were posted before. The
// clock stands still while a Worker computes, so the time is taken outside.
import { planSchema, type Plan } from '../../../protocol/plan.ts'
import { siteSnapshotSchema, type SiteSnapshot } from '../../../protocol/snapshot.ts'
import { screen } from '../../../verify/screen/index.ts'
import { defaultInjectionLibrary } from '../../../verify/screen/injection/index.ts'

type Ready = { readonly plan: Plan; readonly snapshot: SiteSnapshot }
let ready: Ready | null = null

async function once({ plan, snapshot }: Ready): Promise<string> {
  const submitter = { site: snapshot.site, planner: plan.planner.id, owner: 'owner-a' }
  return (await screen(plan, snapshot, submitter, snapshot.taken_at_ms)).level
}

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (request.method === 'POST') {
      const { plan, snapshot } = (await request.json()) as Record<string, unknown>
      ready = { plan: planSchema.parse(plan), snapshot: siteSnapshotSchema.parse(snapshot) }
      return new Response(await once(ready))
    }
    if (ready === null) return new Response('post the plan first', { status: 409 })
    const reps = Number(url.searchParams.get('reps') ?? 0)
    const seen = url.searchParams.has('seen')
    let level = ''
    for (let i = 0; i < reps; i += 1) {
      // A plan's first screening is the one to wait for; the second, when it is bound, knows the texts.
      if (!seen) defaultInjectionLibrary().clean.forget()
      level = await once(ready)
    }
    return new Response(level)
  },
}
