// What another site file or policy would make of plans that were judged: each is run again by the deterministic
// half, over the cell as it was recorded then, once under what it was judged by and once under what is
// proposed. Judges are not asked again: what rested on their word is named, and has to be judged anew.
import { z } from 'zod'
import { limits } from '../../protocol/limits.ts'
import { policySchema, type Policy } from '../../protocol/policy.ts'
import { planSchema } from '../../protocol/plan.ts'
import { digestSchema } from '../../protocol/registry.ts'
import { cellStateSchema } from '../../protocol/state.ts'
import { verdictSchema, type Verdict } from '../../protocol/verdict.ts'
import { byRules, healthySite, type Ruled, type TrialFile } from './by-rules.ts'
import { whysOf, type Why } from './why.ts'

const id = z.string().max(limits.idCharsMax)

/** What is kept of a judged plan and is needed to run it again; its registry is named by digest. */
export const judgedPlanSchema = z.strictObject({
  plan_id: id,
  plan: planSchema,
  submitter: z.strictObject({ site: id, planner: id, owner: id }),
  /** The cell as it was looked at last, and when. */
  cell_state: cellStateSchema,
  at_ms: z.number(),
  agents: z.array(z.strictObject({ agent: id, cell: id })),
  registry_digest: digestSchema,
  policy: policySchema,
  /** What stands: the machine's verdict, or what people and time made of it; null while it is judged. */
  stands: verdictSchema.nullable(),
  /** Models were asked about it. */
  models: z.boolean(),
})
export type JudgedPlan = z.infer<typeof judgedPlanSchema>

/** `not_well_formed`: it would be answered 422. */
type RuleVerdict = Verdict | 'not_well_formed'

type WhatIf = {
  readonly plan: string
  readonly before: RuleVerdict
  readonly after: RuleVerdict
  readonly stands: Verdict | null
  /** Reasons of the second run that the first has not, and the other way round. */
  readonly gained: readonly Why[]
  readonly lost: readonly Why[]
  readonly models: boolean
}

/** More reasons than a person reads of one plan. */
const whyMax = 20

/** Reasons of one run that the other has not. */
function without(all: readonly Why[], others: readonly Why[]): Why[] {
  const known = new Set(others.map((why) => JSON.stringify(why)))
  return all.filter((why) => !known.has(JSON.stringify(why))).slice(0, whyMax)
}

export type Under = { readonly file: TrialFile; readonly policy: Policy }

/** Runs one judged plan again: under `was`, the file by which it was judged, and under `would`. */
export async function whatIf(judged: JudgedPlan, was: TrialFile, would: Under): Promise<WhatIf> {
  const { plan, submitter, cell_state, at_ms, agents } = judged
  const under = ({ file, policy }: Under): Promise<Ruled> => {
    const snapshot = healthySite({
      site: submitter.site,
      file,
      policy,
      agents,
      cell_state,
      at_ms,
    })
    return byRules(plan, { snapshot, submitter, received_ms: at_ms })
  }
  const before = await under({ file: was, policy: judged.policy })
  const after = await under(would)
  const [had, has] = [whysOf(before), whysOf(after)]
  return {
    plan: judged.plan_id,
    before: before.verdict ?? 'not_well_formed',
    after: after.verdict ?? 'not_well_formed',
    stands: judged.stands,
    gained: without(has, had),
    lost: without(had, has),
    models: judged.models,
  }
}
