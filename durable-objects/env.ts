// The bindings that the objects and the adapters may touch. Secrets are optional: a missing one is
// an outage with a name, never a default.
import type { CellState } from './cell-state.ts'
import type { ExecutionSession } from './execution-session.ts'
import type { PlanReview } from './plan-review.ts'
import type { SiteHub } from './site-hub.ts'
import type { SiteKeeper } from './site-keeper.ts'
import type { SiteWindow } from './site-window.ts'
import type { StandingApproval } from './standing-approval.ts'
import type { SiteTotals } from './site-totals.ts'

/** The platform's rate limiters, by the name of their binding. */
export type PlatformRate = 'REQUEST_RATE' | 'SITE_REQUEST_RATE' | 'PLAN_RATE' | 'SITE_PLAN_RATE'

/** One of them: it takes a token of the key, and says whether there was one. */
type Limiter = { limit(of: { key: string }): Promise<{ success: boolean }> }

/** As much of the platform's binding as is used. */
type Mailer = {
  send(mail: { from: string; to: string; subject: string; text: string }): Promise<unknown>
}

export interface Env extends Partial<Record<PlatformRate, Limiter>> {
  DB: D1Database
  VECTORIZE: Vectorize
  AI?: Ai
  PLAN_REVIEW: DurableObjectNamespace<PlanReview>
  EXECUTION_SESSION: DurableObjectNamespace<ExecutionSession>
  SITE_HUB: DurableObjectNamespace<SiteHub>
  SITE_WINDOW: DurableObjectNamespace<SiteWindow>
  CELL_STATE: DurableObjectNamespace<CellState>
  SITE_TOTALS: DurableObjectNamespace<SiteTotals>
  STANDING_APPROVAL: DurableObjectNamespace<StandingApproval>
  SITE_KEEPER: DurableObjectNamespace<SiteKeeper>
  /** Static files of the reviewer's page. */
  ASSETS?: Fetcher
  DEPLOYMENT: string
  /** The platform's way to send mail (`send_email`); without it there is none. */
  MAIL?: Mailer
  /** From whom mail is, at a domain that the platform sends for. */
  MAIL_FROM?: string
  /** The public address of the deployment, for links in mail. */
  CONSOLE_URL?: string
  /** JSON array of private Ed25519 JWKs; the first signs, all are published. */
  SIGNING_KEYS?: string
  /** SHA-256 (hex) of the deployment operator's credential, which may create sites. */
  OPERATOR_TOKEN_SHA256?: string
  /** SHA-256 (hex) of the token with which metrics are read; without it there are none. */
  METRICS_TOKEN_SHA256?: string
  /** JSON {issuer, audience}: the identity provider in front (Cloudflare Access); without it nobody is asked. */
  ACCESS?: string
  /** JSON: named model endpoints {name: {wire, url, key}} of the deployment. */
  MODEL_ENDPOINTS?: string
  /** Seals the sites' own model keys at rest. */
  SITE_KEY_SECRET?: string
  /** Id of the platform's AI gateway in front of the binding; its cache is always refused. */
  AI_GATEWAY?: string
  /** JSON: price per million tokens by model, for cost accounting. */
  MODEL_PRICES?: string
  /** `1`: every judge is asked although a rejection is certain; costs more, decides the same. */
  JUDGES_ASK_ALL?: string
  /** JSON: where a recording answers instead of models; only a local deployment reads it. */
  MODEL_REPLAY?: string
  /** Where spans are sent (OTLP/HTTP JSON, `…/v1/traces`); without it none are. */
  OTLP_TRACES_URL?: string
  /** JSON: headers of that request, such as an authorization. */
  OTLP_HEADERS?: string
  /** JSON: hosts in private ranges that site endpoints may reach. */
  PRIVATE_HOSTS?: string
}
