// Every body that the door takes or gives, by name: the zod schemas that validate are the ones that
// /openapi.json shows. All are closed, so that an unknown field is refused and never ignored.
import { z } from 'zod'
import { agentJwkSchema } from '../adapters/agents-d1.ts'
import { roles } from '../adapters/credentials.ts'
import { auditEntrySchema } from '../protocol/audit.ts'
import { jsonObjectSchema } from '../protocol/json.ts'
import { limits } from '../protocol/limits.ts'
import { planSchema } from '../protocol/plan.ts'
import { policySchema } from '../protocol/policy.ts'
import { violationSchema } from '../protocol/reasons.ts'
import { approvalSchema, decisionReasonSchema, packetSchema } from '../protocol/records.ts'
import { digestSchema, registrySchema, riskClassSchema } from '../protocol/registry.ts'
import {
  agentStatusSchema,
  cellStatusSchema,
  planIndexRowSchema,
  planStateSchema,
  planStatusSchema,
  planWaitSchema,
  queueLineSchema,
  sessionStatusSchema,
  sessionStopSchema,
} from '../protocol/status.ts'
import { cellRecordSchema, cellStateSchema } from '../protocol/state.ts'
import { pinnedToolSchema } from '../protocol/tool-row.ts'
import { mcpAnswerSchema, mcpInputSchema } from './mcp/message.ts'
import { draining, operatingSchemas } from './operating-schemas.ts'
import { nodeEventSchema } from './node-events.ts'
import { provenSchemas, rowViewSchema } from './proven-schemas.ts'
import { nodeResultView } from './result-schema.ts'
import {
  accessSignInInput,
  credential,
  credentialEmailInput,
  signedIn,
  signIn,
  signInCode,
  signInCodeInput,
  signInInput,
  signInWaysView,
} from './credential-schemas.ts'
import { passkeySchemas } from './passkey-schemas.ts'
import { reviewSchemas } from './review-schemas.ts'
import { templateSchemas } from './template-schemas.ts'
import { runSchema } from './run-schema.ts'
import {
  findingViewSchema,
  meSchema,
  planCheckSchema,
  progressSchema,
  saidSchema,
} from './plan-schemas.ts'

/** Names of sites, agents, cells and subjects: plain ASCII without the separator of object names. */
export const nameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/, 'a name is 1 to 64 of A-Z a-z 0-9 _ . @ -')

/** Sites are named in lower case, so that no two names differ by case alone. */
export const siteNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a site is 1 to 63 of a-z 0-9 -')

/** A violation as it is told, with what to do about it. */
const toldViolation = violationSchema.extend({ remedy: z.string() })

const timeMs = z.number().min(0)

/** A plan as its planner sees it. What is not named here stays with the gateway. */
const planView = planStatusSchema
  .pick({
    plan: true,
    planner: true,
    state: true,
    verdict: true,
    reasons: true,
    decision_digest: true,
    session: true,
    session_reason: true,
    bind_refusal: true,
    supersedes: true,
    received_ms: true,
    decided_ms: true,
    valid_until_ms: true,
  })
  .extend({
    remedies: z
      .array(z.strictObject({ reason: decisionReasonSchema, remedy: z.string() }))
      .describe('What to do about each of the reasons.'),
    findings: z.array(findingViewSchema).describe('What was found, each code and place once.'),
    said: saidSchema,
  })
  .extend(progressSchema.shape)

export const planRowSchema = planIndexRowSchema.pick({
  plan: true,
  planner: true,
  state: true,
  verdict: true,
  reasons: true,
  supersedes: true,
  session: true,
  session_reason: true,
  received_ms: true,
  decided_ms: true,
})

export const reviewRowSchema = planIndexRowSchema
  .pick({
    plan: true,
    planner: true,
    owner: true,
    concern: true,
    reasons: true,
    packet_digest: true,
    received_ms: true,
    assignee: true,
  })
  .extend({
    expires_ms: timeMs.nullable(),
    summary: planIndexRowSchema.shape.summary,
  })

/** Whether a person may decide now, or why not. */
const mayDecide = [
  'yes',
  'not_escalated',
  'conflict_of_interest',
  'same_approver',
  'outdated',
  'review_expired',
] as const
export type MayDecide = (typeof mayDecide)[number]

const reviewRecord = z.strictObject({
  plan: planSchema,
  packet: packetSchema.nullable(),
  status: planView.extend(
    planStatusSchema.pick({ owner: true, packet_digest: true, decision: true }).shape,
  ),
  /** Earlier versions, nearest first, with what changed from each to this one. */
  lineage: z.array(
    z.strictObject({
      plan: z.string(),
      state: planStateSchema,
      reasons: z.array(z.string()),
      codes: z.array(z.string()),
      approvals: z.array(approvalSchema),
      differences: z.array(
        z.strictObject({
          change: z.enum(['added', 'removed', 'changed']),
          at: z.string(),
          before: z.string().nullable(),
          after: z.string().nullable(),
        }),
      ),
    }),
  ),
  /** A person's earlier approval of exactly this plan under this policy. */
  precedent: z.string().nullable(),
  approvals: z.array(approvalSchema).describe('Given so far for this packet.'),
  approvals_required: z.int(),
  assignee: z.string().nullable().describe('Who looks at it; null for nobody. It gives no right.'),
  may: z
    .strictObject({
      accept: z.enum(mayDecide),
      reject: z.enum(mayDecide),
    })
    .describe('What this credential may do now; `yes`, or why not.'),
  /** What each code that occurs means, for a person, with the public names of its risks. */
  codes: z.record(
    z.string(),
    z.strictObject({
      title: z.string(),
      remedy: z.string(),
      risks: z.array(z.strictObject({ id: z.string(), name: z.string() })),
    }),
  ),
})

const toolView = z.strictObject({
  name: z.string(),
  description: z.string(),
  risk_class: riskClassSchema,
  capability: z.string(),
  args_schema: jsonObjectSchema,
  sandbox_required: z.boolean(),
})

const list = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), next: z.string().nullable() })

const rationale = z.string().trim().min(1).max(limits.rationaleCharsMax)

const seenChange = z
  .int()
  .min(0)
  .optional()
  .describe(
    'The `change` of the cell that was seen; another one is answered 409. It may be left out only ' +
      'when nothing has happened to the cell since that was not your own doing.',
  )

/** The table. Names ending in `Input` are bodies that the door takes. */
export const schemas = {
  Violation: toldViolation,
  Problem: z.strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    instance: z.string().optional(),
    violations: z.array(toldViolation).optional(),
  }),
  Me: meSchema,
  PlanInput: planSchema,
  PlanCheck: planCheckSchema,
  Plan: planView,
  /** The data of a `node` event of a plan's stream; that of a `status` event is a `Plan`. */
  NodeEvent: nodeEventSchema,
  PlanList: list(planRowSchema),
  ReviewList: list(reviewRowSchema),
  Review: reviewRecord,
  ...reviewSchemas,
  Session: sessionStatusSchema,
  NodeResult: nodeResultView,
  AuditPage: z.strictObject({ items: z.array(auditEntrySchema), next: z.int().nullable() }),
  Cell: cellStatusSchema,
  CellList: list(cellStatusSchema),
  ArmInput: z.strictObject({ until_ms: z.int().min(0), seen: seenChange }),
  ClearInput: z.strictObject({ note: rationale, seen: seenChange }),
  ReleaseInput: z.strictObject({ seen: seenChange }),
  PlanReleaseInput: z.strictObject({ note: rationale }),
  PlanWaits: z.strictObject({ items: z.array(planWaitSchema) }),
  /** The waiting plans with what each would do, in words; null for plans that were indexed before. */
  QueueList: list(queueLineSchema.extend({ summary: planIndexRowSchema.shape.summary })),
  Run: runSchema,
  CellRecordInput: cellRecordSchema,
  CellRecorded: z.strictObject({ cell: z.string(), version: z.int() }),
  CellState: cellStateSchema,
  ThingRemoved: z.strictObject({ thing: z.string(), removed: z.literal(true) }),
  SiteInput: z.strictObject({
    site: siteNameSchema,
    location_hint: z
      .enum(['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'])
      .nullable()
      .optional(),
    administrator: z.strictObject({ subject: nameSchema, owner: nameSchema }),
  }),
  SiteCreated: z.strictObject({
    site: z.string(),
    administrator: z.strictObject({ credential, token: z.string() }),
  }),
  AdministratorInput: z.strictObject({ subject: nameSchema, owner: nameSchema }),
  Site: z.strictObject({
    site: z.string(),
    created_ms: timeMs,
    jurisdiction: z.string().nullable(),
    location_hint: z.string().nullable(),
    registry_digest: z.string().nullable(),
    policy_version: z.string(),
    epoch: z.int(),
    quarantined: z.array(z.string()),
    draining,
  }),
  SiteStopped: z.strictObject({ sessions: z.array(sessionStopSchema) }),
  /** Left out of the session's members: what could not be asked of it. */
  SessionStopped: sessionStatusSchema.partial().extend(sessionStopSchema.shape),
  CredentialInput: z.strictObject({
    role: z.enum(roles),
    subject: nameSchema,
    owner: nameSchema,
    expires_ms: z.int().min(0).nullable().optional(),
  }),
  CredentialCreated: z.strictObject({ credential, token: z.string() }),
  Credential: credential,
  CredentialList: list(credential),
  CredentialEmailInput: credentialEmailInput,
  SignInWays: signInWaysView,
  AccessSignInInput: accessSignInInput,
  ...passkeySchemas,
  SignInCodeInput: signInCodeInput,
  SignInCode: signInCode,
  SignInInput: signInInput,
  SignedIn: signedIn,
  SignIn: signIn,
  SignInList: list(signIn),
  AgentInput: z.strictObject({ agent: nameSchema, cell: nameSchema, jwk: agentJwkSchema }),
  AgentStanding: z.strictObject({
    site: z.string(),
    agent: z.string(),
    cell: z.string(),
    jkt: z.string(),
    tools: z.array(pinnedToolSchema),
    sandboxes: z.array(z.string()),
  }),
  EnrolmentCodeInput: z.strictObject({
    agent: nameSchema,
    cell: nameSchema,
    lives_s: z.int().min(60).max(limits.enrolmentCodeSMax).default(limits.enrolmentCodeS),
  }),
  EnrolmentCode: z.strictObject({
    code: z.string(),
    agent: z.string(),
    cell: z.string(),
    expires_ms: timeMs,
  }),
  EnrolmentInput: z.strictObject({
    site: siteNameSchema,
    code: z.string().min(1).max(100),
    jwk: agentJwkSchema,
    jkt: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/)
      .describe('RFC 7638 thumbprint of the key that the agent made.'),
  }),
  Agent: agentStatusSchema,
  AgentEnrolled: z.strictObject({ agent: z.string(), cell: z.string(), jkt: z.string() }),
  AgentList: list(agentStatusSchema),
  AgentRevoked: z.strictObject({ agent: z.string(), revoked: z.literal(true) }),
  RegistryInput: registrySchema,
  RegistryApproved: z.strictObject({
    registry_digest: digestSchema,
    quarantined: z.array(z.string()),
  }),
  /** Administrators, reviewers and operators see the registry, planners only what they may call. */
  Tools: z.strictObject({
    registry_digest: z.string().nullable(),
    tools: z.array(toolView),
    registry: registrySchema.nullable(),
    quarantined: z.array(z.string()),
    rows: z.array(rowViewSchema).describe('For people: which rows are proven in this lab.'),
  }),
  ...provenSchemas,
  JudgeSkillList: z.strictObject({
    resolutions: z.int(),
    items: z.array(
      z.strictObject({
        judge: z.string(),
        asked: z.int(),
        answered: z.int(),
        agreed: z.int(),
        deferred: z.int(),
        missed: z.int(),
        false_alarms: z.int(),
        brier: z.number().nullable(),
      }),
    ),
  }),
  MemoryList: list(
    z.strictObject({
      id: z.string(),
      kind: z.enum(['failure', 'precedent']),
      event: z.string(),
      plan: z.string(),
      planner: z.string(),
      basis: z.string(),
      codes: z.array(z.string()),
      at_ms: timeMs,
      expires_ms: timeMs,
      resolved_ms: timeMs.nullable(),
      resolved_by: z.string().nullable(),
      resolved_reason: z.string().nullable(),
    }),
  ),
  ResolveInput: z.strictObject({ reason: rationale }),
  Resolved: z.strictObject({ memory: z.string(), resolved: z.literal(true) }),
  ...operatingSchemas,
  PolicyInput: policySchema,
  Policy: z.strictObject({ policy_version: z.string(), policy: policySchema }),
  /** A model key of the site's own; it is sealed at rest and never shown again. */
  SiteKeyInput: z.strictObject({ key: z.string().min(1).max(limits.siteKeyCharsMax) }),
  SiteKeySet: z.strictObject({ name: z.string() }),
  PolicySet: z.strictObject({ policy_version: z.string() }),
  ...templateSchemas,
  McpInput: mcpInputSchema,
  McpAnswer: mcpAnswerSchema,
  Jwks: z.strictObject({ keys: z.array(z.record(z.string(), z.string())) }),
} as const satisfies Record<string, z.ZodType>

export type SchemaName = keyof typeof schemas

/** The schema of one name, with its type. */
export function schemaOf<Name extends SchemaName>(name: Name): (typeof schemas)[Name] {
  return schemas[name]
}
