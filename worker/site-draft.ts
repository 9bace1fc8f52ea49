// The draft of a site file on its way: drafted from the tools that agents report, answered, tried on example
// plans. The same pure code as `npm run site`; here it is kept, and asked in pieces.
import {
  deleteDraft,
  readDraft,
  writeDraft,
  type SiteDraft,
  type StoredDraft,
} from '../adapters/drafts-d1.ts'
import type { Env } from '../durable-objects/env.ts'
import { inTurn } from '../durable-objects/turns.ts'
import { limits } from '../protocol/limits.ts'
import type { Violation } from '../protocol/reasons.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { z } from 'zod'
import { takeAnswer } from '../verify/onboard/answer.ts'
import { checkSite, type SiteCheck } from '../verify/onboard/check.ts'
import { blankSite, draftSite } from '../verify/onboard/draft.ts'
import { exampleOf } from '../verify/onboard/example.ts'
import type { Question } from '../verify/onboard/question.ts'
import type { Trial } from '../verify/onboard/trial.ts'
import { whysOf } from '../verify/onboard/why.ts'
import type { Principal } from './context.ts'
import { siteHub } from './objects.ts'
import type { Refusal } from './problems.ts'
import type { siteFileSchemas } from './site-file-schemas.ts'
import { toolLists, type ListSource } from './tool-lists.ts'

type DraftView = z.infer<typeof siteFileSchemas.SiteDraft>
type Answers = z.infer<typeof siteFileSchemas.SiteAnswersInput>['answers']

/** Two administrators at once: the second begins again with what the first wrote. */
const triesMax = 3

/** Where there is no draft yet: the file in force, or a blank one. */
async function firstDraft(env: Env, site: string): Promise<StoredDraft> {
  const registry = (await siteHub(env, site).settings())?.registry ?? blankSite()
  return { registry, answers: [], examples: [], version: 0 }
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/** What D1 could not keep is refused here, with its size. */
function tooLarge({ registry, answers, examples }: SiteDraft): Refusal | null {
  const file = bytesOf(registry)
  const all = file + bytesOf(answers) + bytesOf(examples)
  const told = (what: string, bytes: number, max: number): Refusal => ({
    code: 'body_too_large',
    detail: `${what} would be ${bytes} bytes; at most ${max} are kept.`,
  })
  if (file > limits.registryBytesMax) {
    return told('The file of the draft', file, limits.registryBytesMax)
  }
  return all > limits.draftBytesMax
    ? told('The draft with its examples and answers', all, limits.draftBytesMax)
    : null
}

type Change = (before: StoredDraft) => Promise<Result<SiteDraft, Refusal>>

async function changed(
  env: Env,
  { site, owner }: Principal,
  change: Change,
): Promise<Result<StoredDraft, Refusal>> {
  for (let tried = 1; tried <= triesMax; tried++) {
    const before = (await readDraft(env.DB, site)) ?? (await firstDraft(env, site))
    const made = await change(before)
    if (!made.ok) return made
    const stored = { ...made.value, version: before.version }
    const refusal = tooLarge(stored)
    if (refusal !== null) return err(refusal)
    if (await writeDraft(env.DB, site, stored, { by: owner, now_ms: Date.now() })) {
      return ok({ ...stored, version: before.version + 1 })
    }
  }
  return err({ code: 'unavailable', retryAfterS: 1 })
}

const checked = (site: string, { registry, examples }: SiteDraft): Promise<SiteCheck> =>
  inTurn(site, () =>
    checkSite(
      registry,
      examples.map((row, i) => exampleOf(row, i + 1)),
      Date.now(),
    ),
  )

const questionView = ({ proposals, about, ...question }: Question) => ({
  ...question,
  proposals: proposals.map(({ label }) => label),
  about: [...about],
})

const trialView = (trial: Trial) => ({
  id: trial.id,
  expect: trial.expect,
  verdict: trial.verdict ?? ('not_well_formed' as const),
  why: whysOf(trial),
})

async function viewOf(site: string, draft: StoredDraft, sources: ListSource[]): Promise<DraftView> {
  const check = await checked(site, draft)
  const { violations, quarantined, tools, questions, free_most, trials, held } = check
  return {
    version: draft.version,
    registry: draft.registry,
    sources,
    violations: [...violations],
    quarantined: [...quarantined],
    tools: { all: tools.all, described: tools.described, open: [...tools.open] },
    questions: questions.map(questionView),
    free_most: free_most.map(({ question, plans }) => ({ id: question.id, plans })),
    trials: trials.map(trialView),
    held,
    answers: draft.answers,
  }
}

/** The draft with its questions; null when there is none. */
export async function seeDraft(env: Env, site: string): Promise<DraftView | null> {
  const draft = await readDraft(env.DB, site)
  return draft === null ? null : viewOf(site, draft, [])
}

/** Adds what the agents report; begins with the file in force where there is no draft yet. */
export async function takeLists(env: Env, who: Principal): Promise<Result<DraftView, Refusal>> {
  const { offers, sources } = await toolLists(env, who.site)
  const made = await changed(env, who, async (before) => {
    const { registry } = await draftSite(before.registry, offers)
    return ok({ ...before, registry })
  })
  return made.ok ? ok(await viewOf(who.site, made.value, sources)) : made
}

/** Takes answers in their order, each kept at once: those before a wrong one stay. */
export async function answerDraft(
  env: Env,
  who: Principal,
  answers: Answers,
): Promise<Result<DraftView, Refusal>> {
  for (const [i, { id, answer }] of answers.entries()) {
    // Each answer tries all examples: others are let in between.
    if (i > 0) await scheduler.wait(0)
    const made = await changed(env, who, async (before) => {
      if (before.version === 0) return err({ code: 'not_found' })
      const taken = takeAnswer(before.registry, id, answer)
      if (!taken.ok) {
        const { message } = taken.error
        const violation: Violation = {
          code: 'answer_not_taken',
          at: `/answers/${i}`,
          message: message.slice(0, limits.claimCharsMax),
        }
        return err({ code: 'violations', violations: [violation] })
      }
      const draft = { ...before, registry: taken.value }
      const { held } = await checked(who.site, draft)
      const at_ms = Date.now()
      const of = draft.examples.length
      const log = [...before.answers, { id, answer, by: who.owner, at_ms, held, of }]
      return ok({ ...draft, answers: log.slice(-limits.draftAnswersKept) })
    })
    if (!made.ok) return made
  }
  const draft = await readDraft(env.DB, who.site)
  return draft === null ? err({ code: 'not_found' }) : ok(await viewOf(who.site, draft, []))
}

/** Puts a part of the draft by hand: a row that is changed so is as good as an answer. */
export async function putDraft(
  env: Env,
  who: Principal,
  part: Partial<Pick<SiteDraft, 'registry' | 'examples'>>,
): Promise<Result<DraftView, Refusal>> {
  const made = await changed(env, who, (before) => Promise.resolve(ok({ ...before, ...part })))
  return made.ok ? ok(await viewOf(who.site, made.value, [])) : made
}

export const dropDraft = (env: Env, site: string): Promise<boolean> => deleteDraft(env.DB, site)
