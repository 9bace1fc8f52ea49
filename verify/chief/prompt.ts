// The chief's prompts, versioned. The chief weighs what the judges claim; it never sees the plan.
import { doubtFamilies } from '../../protocol/evidence.ts'
import { findingCodes } from '../../protocol/finding-codes.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Policy } from '../../protocol/policy.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { fixedText } from '../panel/fixed-text.ts'
import type { PromptPart } from '../panel/port.ts'
import { delimiterFor, fence, markedJson } from '../panel/spotlight.ts'
import prompts from './prompts.json' with { type: 'json' }

/** By the policy's `prompt_version`, whose digest every decision names: a version never changes. */
const chiefSystemPrompts: Record<Policy['prompt_version'], string> = {
  '1': fixedText(prompts, '1'),
  '2': fixedText(prompts, '2'),
}

const chiefTask = 'Weigh the claims of the judges in the CLAIMS section and give your verdict.'

const keys = `panel_verdict judges judge outcome verdict confidence concern risk findings code
 place severity likelihood substantiated cites unknown_cites claim reasoning texts_withheld nodes
 node tool risk_class instructions checks level advisory effect memory basis similarity codes
 knowledge id category title breaches unknown what doubts doubt family for_judges question answers
 answer evidence settled open none argument state site graph ${Object.keys(doubtFamilies).join(' ')}`

/** Every text of ours that surrounds the claims: it is the same for every plan. */
export function chiefFixedTexts(): string[] {
  return [
    ...Object.values(chiefSystemPrompts),
    chiefTask,
    keys,
    Object.keys(findingCodes).join(' '),
  ]
}

export type ChiefPrompt = { readonly system: string; readonly parts: readonly PromptPart[] }

/** The prompt over the structured claims; `echo` is the request id that the answer must repeat. */
export function chiefPrompt(
  claims: JsonValue,
  version: Policy['prompt_version'],
  fresh: { readonly delimiter: string; readonly echo: string },
): Result<ChiefPrompt, 'delimiter_in_data'> {
  const d = delimiterFor(fresh.delimiter, [JSON.stringify(claims)])
  if (!d.ok) return err(d.error)
  return ok({
    system: chiefSystemPrompts[version],
    parts: [
      { text: chiefTask, cache: true, ours: true },
      { text: fence('CLAIMS', markedJson(claims, d.value), d.value), cache: false },
      { text: `The request id is ${fresh.echo}. Judge now.`, cache: false, ours: true },
    ],
  })
}
