// What is still missing in a site file, and which ten answers would free most: the example plans that wait
// for each, or, without examples, the calls. Nothing is approved here.
import { capViolations } from '../../protocol/violations.ts'
import type { Violation } from '../../protocol/reasons.ts'
import type { Registry } from '../../protocol/registry.ts'
import { approveRegistry } from '../screen/approve.ts'
import { trialFile, withoutRefused } from './by-rules.ts'
import type { Question } from './question.ts'
import { questionsOf } from './questions.ts'
import { tryPlan, type Example, type Trial } from './trial.ts'

export type Freeing = {
  readonly question: Question
  /** Example plans that wait for it, and the share of what they wait for that it is. */
  readonly plans: number
  readonly weight: number
}

export type SiteCheck = {
  /** Would be refused at approval. */
  readonly violations: readonly Violation[]
  readonly quarantined: readonly string[]
  readonly tools: {
    readonly all: number
    readonly described: number
    readonly open: readonly string[]
  }
  readonly questions: readonly Question[]
  readonly free_most: readonly Freeing[]
  readonly trials: readonly Trial[]
  /** Examples that do not come out as expected, or, where nothing is expected, are not accepted. */
  readonly held: number
}

export const shownMax = 10

/** Tools and things that a held plan touches: what an answer must be about to free it. */
function touched(trial: Trial): Set<string> {
  const out = new Set(Object.values(trial.tools))
  for (const { facts } of trial.evidence.unknowns) {
    for (const value of Object.values(facts)) if (typeof value === 'string') out.add(value)
  }
  return out
}

function freeing(questions: readonly Question[], held: readonly Trial[]): Freeing[] {
  const weight = new Map<string, { plans: number; weight: number }>()
  for (const trial of held) {
    const about = touched(trial)
    const waits = questions.filter((question) => question.about.some((name) => about.has(name)))
    for (const { id } of waits) {
      const before = weight.get(id) ?? { plans: 0, weight: 0 }
      weight.set(id, { plans: before.plans + 1, weight: before.weight + 1 / waits.length })
    }
  }
  return questions
    .map((question) => {
      const plain = { plans: 0, weight: held.length === 0 ? question.about.length : 0 }
      return { question, ...(weight.get(question.id) ?? plain) }
    })
    .toSorted((a, b) => b.weight - a.weight || b.question.danger - a.question.danger)
    .slice(0, shownMax)
}

/** Checks a file, with the site's example plans if there are any. `at` is the time of the trial, ms. */
export async function checkSite(
  registry: Registry,
  examples: readonly Example[],
  at: number,
): Promise<SiteCheck> {
  const { violations, quarantined } = approveRegistry(registry)
  const questions = questionsOf(registry)
  const trials: Trial[] = []
  const file = await trialFile(withoutRefused(registry, violations), quarantined)
  for (const example of examples) trials.push(await tryPlan(file, example, at))
  const held = trials.filter(({ verdict, expect }) => verdict !== (expect ?? 'accept'))
  const open = registry.tools.filter(({ meaning }) => meaning === undefined).map(({ name }) => name)
  const { length: all } = registry.tools
  return {
    violations: capViolations([...violations]),
    quarantined,
    tools: { all, described: all - open.length, open },
    questions,
    free_most: freeing(questions, held),
    trials,
    held: held.length,
  }
}
