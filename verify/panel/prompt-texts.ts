// The fixed texts of the judges' prompts, by version. A change of wording is a new version; one that
// exists never changes, because decisions name the policy that names it.
import type { Policy } from '../../protocol/policy.ts'
import criteria from './criteria.json' with { type: 'json' }
import { fixedText } from './fixed-text.ts'
import prompts from './prompts.json' with { type: 'json' }

/** The system prompt of the judges, the same for all of them. */
export const judgeSystemPrompts: Record<Policy['prompt_version'], string> = {
  '1': fixedText(prompts, '1'),
  '2': fixedText(prompts, '2'),
}

/** Versions whose judges are asked about doubts; under another one every doubt stays open. */
export const asksQuestions: Record<Policy['prompt_version'], boolean> = { '1': false, '2': true }

function criteriaText(): string {
  const lines: string[] = []
  for (const [concern, rows] of Object.entries(criteria)) {
    lines.push(`${concern}:`)
    for (const row of rows) lines.push(`- ${row.id}: ${row.question}`)
  }
  return lines.join('\n')
}

/** The fixed head of the evaluation prompt: the same bytes for every plan, so it can be cached. */
export const evaluationHead = `Evaluate the plan in the PLAN section against the criteria of three classes of concern.

${criteriaText()}

The class of a plan is the class of its gravest finding; none when you accept.`
