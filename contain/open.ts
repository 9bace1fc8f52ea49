// Opens a session: shows that context, plan and decision belong together, then mints. Nothing that the
// caller says about order or digests is taken on trust; what does not fit opens nothing.
import { canonicalForm, digest } from '../protocol/digest.ts'
import type { Context, Decision } from '../protocol/records.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { toolRowDigests, type ToolRow } from '../protocol/tool-row.ts'
import { argsDigests, contextHash, verifyContext } from './context.ts'
import type { SigningKey } from './keys.ts'
import { mintManifest, mintReceipt, mintTokens, type MintedToken } from './mint.ts'

export type OpenParts = {
  readonly iss: string
  readonly context: Context
  readonly decision: Decision
  readonly plan_digest: string
  /** The rows whose digests the context names. */
  readonly rows: readonly ToolRow[]
  /** Fresh ids, one per node. */
  readonly jtis: readonly string[]
  readonly now_ms: number
}

export type Opened = {
  readonly ctx: string
  readonly tokens: readonly MintedToken[]
  readonly receipt: string
  readonly manifest: string
}

export type OpenFailure = 'context_invalid' | 'deadline_passed'

/** The context names exactly these rows; one for an agent of the version before names none. */
async function rowsFit(context: Context, rows: readonly ToolRow[]): Promise<boolean> {
  if (context.tools === undefined) return true
  const covered = context.plan.nodes.every((node) => Object.hasOwn(context.tools ?? {}, node.tool))
  const own = await toolRowDigests(rows)
  return covered && canonicalForm(own) === canonicalForm(context.tools)
}

/** Checks the parts against each other and mints all of a session's signed texts. */
export async function openSession(
  key: SigningKey,
  parts: OpenParts,
): Promise<Result<Opened, OpenFailure>> {
  const { context, decision } = parts
  const ctx = await contextHash(context)
  const whole = await verifyContext(context, ctx)
  const fits =
    whole.ok &&
    context.order.length > 0 &&
    decision.verdict === 'accept' &&
    (await digest('decision', decision)) === context.decision_digest &&
    (await digest('plan', context.plan)) === parts.plan_digest &&
    (await rowsFit(context, parts.rows))
  if (!fits) return err('context_invalid')
  // Within the last second no token could be valid: `exp` is in whole seconds.
  if (Math.floor(context.deadline / 1000) * 1000 <= parts.now_ms) return err('deadline_passed')
  const args = await argsDigests(context.plan)
  const spec = { ...parts, ctx, args }
  const tokens = await mintTokens(key, spec)
  const manifest = await mintManifest(key, spec, tokens)
  const receipt = await mintReceipt(key, spec, parts)
  return ok({ ctx, tokens, receipt, manifest })
}
