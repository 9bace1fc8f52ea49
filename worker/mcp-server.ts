// The tools of the MCP intake. Answers carry what the planner's HTTP view carries, no more.
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Env } from '../durable-objects/env.ts'
import { canonicalForm } from '../protocol/digest.ts'
import { jsonObjectSchema } from '../protocol/json.ts'
import { limits } from '../protocol/limits.ts'
import { planSchema } from '../protocol/plan.ts'
import type { Principal } from './context.ts'
import { idempotencyKey } from './headers.ts'
import { planReview, siteHub } from './objects.ts'
import { planIdSchema } from './params.ts'
import { problems, withRemedies, type Refusal } from './problems.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { toolViews } from './routes/tools.ts'
import { submitPlan, waitForDecision } from './submit.ts'
import { sessionStopSchema } from '../protocol/status.ts'
import { checkOnly } from './check.ts'
import { meOf } from './routes/me.ts'
import { schemas } from './schemas.ts'
import { toldPlan } from './told.ts'
import type { PlanView } from './views.ts'

/** Who asks, and when it was let in: before its message was read. */
export type Caller = { principal: Principal; asked_ms: number }

type Answer = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/** The same value twice: structured, and as text for clients that read no other. */
function say(value: object): Answer {
  const text = JSON.stringify(value)
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  }
}

/** What a client may tell its model at the start. */
const instructions = [
  'Portcullis decides whether a plan of tool calls may run in a laboratory, and runs exactly that plan.',
  'Call who_am_i for the name that belongs into planner.id, and list_tools for what a plan may call.',
  'check_plan says what the rules alone would say and stores nothing; submit_plan asks for a decision.',
  'Then call get_plan until waiting_for is null: it tells what the plan waits for, and each step.',
  'A rejected plan says in findings and said what to change: submit another one that names it in supersedes.',
].join(' ')

function refuse(refusal: Refusal): Answer {
  const { title } = problems[refusal.code]
  const { code, detail, violations } = refusal
  const told = violations === undefined ? undefined : withRemedies(violations)
  const { content } = say({ code, title, detail, violations: told })
  return { content, isError: true }
}

const sayPlan = (plan: PlanView | null): Answer =>
  plan === null ? refuse({ code: 'not_found' }) : say(plan)

/** Admission gives its own violations, with pointers; the schema is shown, not enforced, here. */
const planArgument = jsonObjectSchema.meta({ ...jsonSchemaOf(planSchema, 'input') })

async function view(env: Env, principal: Principal, plan: string) {
  const record = await planReview(env, principal.site, plan).record()
  if (record === null || record.status.planner !== principal.subject) return null
  return toldPlan(env, record)
}

function addPlanTools(server: McpServer, env: Env, { principal, asked_ms }: Caller): void {
  server.registerTool(
    'submit_plan',
    {
      title: 'Submit a plan',
      outputSchema: schemas.Plan,
      description:
        'Submit a plan for a decision. Answers with its state; an undecided plan is asked for again with get_plan.',
      inputSchema: z.strictObject({
        plan: planArgument,
        idempotency_key: z.string().max(limits.idempotencyKeyCharsMax).optional(),
        wait_s: z.int().min(0).max(limits.waitSecondsMax).optional(),
      }),
    },
    async ({ plan, idempotency_key, wait_s }) => {
      const key = idempotencyKey(idempotency_key)
      if (!key.ok) return refuse({ code: 'header_invalid', detail: key.error })
      const taken = await submitPlan(env, {
        principal,
        // The message was parsed without loss, so the canonical form says exactly what was sent.
        bytes: new TextEncoder().encode(canonicalForm(plan)),
        idempotencyKey: key.value,
        now_ms: asked_ms,
      })
      if (!taken.ok) return refuse(taken.error)
      const status = await waitForDecision(env, taken.value, wait_s ?? 0)
      return sayPlan(await view(env, principal, status.plan))
    },
  )
  server.registerTool(
    'check_plan',
    {
      title: 'Check a plan',
      description: 'What the rules alone would say of a plan. Nothing is stored or judged.',
      inputSchema: z.strictObject({ plan: planArgument }),
      outputSchema: schemas.PlanCheck,
      annotations: { readOnlyHint: true },
    },
    async ({ plan }) => {
      const bytes = new TextEncoder().encode(canonicalForm(plan))
      const done = await checkOnly(env, { principal, bytes, now_ms: asked_ms })
      return done.ok ? say(done.value) : refuse(done.error)
    },
  )
  server.registerTool(
    'get_plan',
    {
      title: 'Look at a plan',
      outputSchema: schemas.Plan,
      description:
        'State, verdict, reasons, what to change, what it waits for and each step of one of your plans.',
      inputSchema: z.strictObject({ plan: z.string().max(limits.idCharsMax) }),
      annotations: { readOnlyHint: true },
    },
    async ({ plan }) =>
      sayPlan(planIdSchema.safeParse(plan).success ? await view(env, principal, plan) : null),
  )
  server.registerTool(
    'withdraw_plan',
    {
      title: 'Withdraw a plan',
      outputSchema: schemas.Plan,
      description: 'Withdraw one of your plans that no session runs yet.',
      inputSchema: z.strictObject({ plan: z.string().max(limits.idCharsMax) }),
    },
    async ({ plan }) => {
      const found = planIdSchema.safeParse(plan).success ? await view(env, principal, plan) : null
      if (found === null) return refuse({ code: 'not_found' })
      const done = await planReview(env, principal.site, plan).withdraw(principal.owner)
      if (!done.ok) return refuse(done.error)
      return sayPlan(await view(env, principal, plan))
    },
  )
}

function addStopTool(server: McpServer, env: Env, { principal }: Caller): void {
  server.registerTool(
    'stop_run',
    {
      title: 'Stop a run',
      outputSchema: sessionStopSchema,
      description:
        'Stop the run of one of your plans: no further step, devices to their safe state.',
      inputSchema: z.strictObject({ plan: z.string().max(limits.idCharsMax) }),
    },
    async ({ plan }) => {
      const found = planIdSchema.safeParse(plan).success ? await view(env, principal, plan) : null
      if (found?.session == null) return refuse({ code: 'not_found' })
      const hub = siteHub(env, principal.site)
      const done = await hub.stopSession(found.session, principal.owner, principal.subject)
      return done === null ? refuse({ code: 'not_found' }) : say(done.stop)
    },
  )
}

function buildServer(env: Env, caller: Caller): McpServer {
  const { principal } = caller
  const server = new McpServer({ name: 'portcullis', version: '0.1.0' }, { instructions })
  addPlanTools(server, env, caller)
  addStopTool(server, env, caller)
  server.registerTool(
    'who_am_i',
    {
      title: 'Who am I',
      description: 'Whose credential this is; `subject` belongs into `planner.id`.',
      inputSchema: z.strictObject({}),
      outputSchema: schemas.Me,
      annotations: { readOnlyHint: true },
    },
    async () => say(await meOf(env, principal, null)),
  )
  server.registerTool(
    'list_tools',
    {
      title: 'List the tools of the site',
      outputSchema: schemas.Tools.pick({ tools: true }),
      description:
        'The tools that a plan of this site may call, with the schema of their arguments.',
      inputSchema: z.strictObject({}),
      annotations: { readOnlyHint: true },
    },
    async () => {
      const settings = await siteHub(env, principal.site).settings()
      return say({ tools: settings?.registry ? toolViews(settings.registry) : [] })
    },
  )
  return server
}

/** Serves one MCP request for one planner; nothing is kept between requests. */
export function mcpFetch(
  env: Env,
  caller: Caller,
  request: Request,
  options: { parsedBody?: unknown },
): Promise<Response> {
  const handler = createMcpHandler(() => buildServer(env, caller), {
    onerror: (cause) => {
      console.warn(JSON.stringify({ event: 'mcp_failed', cause: cause.message }))
    },
  })
  return handler.fetch(request, options)
}
