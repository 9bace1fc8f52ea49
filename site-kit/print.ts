// What `npm run site` prints for people: questions with their proposals, and what became of example plans.
import type { CellRecord } from '../protocol/state.ts'
import type { Freeing, SiteCheck } from '../verify/onboard/check.ts'
import type { Question } from '../verify/onboard/question.ts'
import type { Trial } from '../verify/onboard/trial.ts'

export function questionText({ id, ask, server_says, proposals, own }: Question): string {
  const lines = [id, `  ${ask}`]
  if (server_says !== '') lines.push(`  The server says: ${server_says}`)
  for (const [i, { label }] of proposals.entries()) lines.push(`    ${i + 1}  ${label}`)
  lines.push(`    or  ${own}`)
  return lines.join('\n')
}

/** Why a plan is not accepted, one line each. */
export function whyText(trial: Trial): string[] {
  const { violations, findings, evidence } = trial
  const facts = (given: Readonly<Record<string, unknown>>): string =>
    Object.entries(given)
      .map(([key, value]) => `${key} ${String(value)}`)
      .join(', ')
  return [
    ...violations.map(({ at, message }) => `not well formed at ${at}: ${message}`),
    ...findings
      .filter(({ effect }) => effect !== 'advisory')
      .map(({ code, effect, at: nodes }) => `${effect}: ${code} ${nodes}`),
    ...evidence.breaches.map((one) => `${one.verdict}: ${one.code} ${one.at} ${facts(one.facts)}`),
    ...evidence.unknowns.map(
      (one) => `not known: ${one.code} ${one.node ?? ''} ${one.what} ${facts(one.facts)}`,
    ),
    ...evidence.doubts.map((one) => `in doubt: ${one.code} ${one.subject} ${one.text}`),
  ].map((line) => line.replaceAll(/\s+/g, ' ').trim())
}

function freeText({ question, plans, weight }: Freeing, examples: number): string {
  const about = examples === 0 ? `${weight} calls or things` : `${plans} held plans`
  return `${questionText(question)}\n  (${about} wait for it)`
}

export function checkText(check: SiteCheck, all: boolean): string {
  const { tools, questions, free_most, trials, held, violations, quarantined } = check
  const lines = [
    `${tools.described} of ${tools.all} calls are described; ${questions.length} open questions.`,
    ...(tools.open.length === 0
      ? []
      : [`A person decides on every plan that uses: ${tools.open.join(', ')}.`]),
    ...(trials.length === 0
      ? []
      : [`${held} of ${trials.length} example plans are held for a person.`]),
    ...violations.map(({ at, message }) => `Would be refused: ${at}: ${message}`),
    ...quarantined.map((name) => `Would be blocked: the texts of ${name} carry instructions.`),
  ]
  const shown = all
    ? questions.map(questionText)
    : free_most.map((one) => freeText(one, trials.length))
  if (shown.length > 0) {
    lines.push(
      '',
      all ? 'Every open question, most dangerous first:' : 'The answers that would free most:',
      '',
    )
    lines.push(shown.join('\n\n'))
  }
  return lines.join('\n')
}

export function trialText(trial: Trial): string {
  const { id, expect, verdict } = trial
  const came = verdict ?? 'refused as malformed'
  const wrong = expect !== null && expect !== came
  return [
    `${wrong ? 'NOT AS EXPECTED ' : ''}${id}: ${came}${wrong ? `, expected ${expect}` : ''}`,
    ...whyText(trial).map((line) => `    ${line}`),
  ].join('\n')
}

/** The starting list of a plan, for whoever sets the run up and confirms it. */
export function startText(state: CellRecord | null): string {
  const rows = (state?.inventory ?? []).map(({ thing, kind, at, contents }) => {
    const wells = contents.map(
      ({ part, substance, volume }) => `${part ?? 'in it'} ${volume ?? '?'} ${substance}`,
    )
    const holds = wells.length === 0 ? '' : `: ${wells.join(', ')}`
    return `  ${thing} (${kind}) at ${at ?? '?'}${holds}`
  })
  return ['To set up and to confirm before the run:', ...rows].join('\n')
}
