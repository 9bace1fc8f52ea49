// Mail to reviewers by the platform's own binding: that a plan waits, its class, the first eight characters of
// what would be signed, and a link. Never a word of the plan, which stays inside the site, and never a way to
// decide: that is done on the page, where the packet is read.
import { z } from 'zod'
import { forgetMail, mayMail, reviewersWithMail, type Recipient } from '../../adapters/mails.ts'
import { samePerson } from '../../verify/decide/resolve.ts'
import type { MailEvent, ReviewSpec, ReviewState } from '../../verify/review/state.ts'
import type { Env } from '../env.ts'

const noteSchema = z.object({
  /** The same at every attempt. */
  message: z.string(),
  event: z.enum(['waiting', 'near_expiry', 'assigned']),
  plan: z.string(),
  owner: z.string(),
  concern: z.string(),
  /** First characters of the packet's digest, without its kind. */
  digest: z.string(),
  expires_ms: z.number(),
  assignee: z.string().nullable(),
  /** People who are written to only when the time is nearly over. */
  second: z.array(z.string()),
})
type MailNote = z.infer<typeof noteSchema>

const digestChars = 8

/** What the outbox keeps of it; null where the site wants no mail or nothing waits. */
export function mailNote(
  spec: ReviewSpec,
  { event, state, now_ms }: { event: MailEvent; state: ReviewState; now_ms: number },
): MailNote | null {
  const settings = spec.snapshot.policy.review_mail
  if (settings === undefined || state.state !== 'escalated') return null
  const { decision, concern } = state.standing
  return {
    message: `${spec.plan_id}/${event}/${now_ms}`,
    event,
    plan: spec.plan_id,
    owner: spec.submitter.owner,
    concern,
    digest: decision.packet_digest.replace(/^[a-z]+:/, '').slice(0, digestChars),
    expires_ms: decision.valid_until,
    assignee: state.assignee?.person ?? null,
    second: settings.second,
  }
}

/**
 * Whom it concerns: the assignee, else every reviewer; those who are named as second only once the time is nearly
 * over, and then everybody. Never the owner of the planner, who may not decide.
 */
export function concerned(note: MailNote, reviewers: readonly Recipient[]): Recipient[] {
  const { event, assignee, owner, second } = note
  return reviewers.filter((one) => {
    if (samePerson(one.owner, owner)) return false
    if (event === 'near_expiry') return true
    if (assignee !== null) return samePerson(one.owner, assignee)
    return event === 'waiting' && !second.some((name) => samePerson(name, one.owner))
  })
}

const subjects: Record<MailEvent, string> = {
  waiting: 'A plan waits for a person',
  near_expiry: 'A plan that waits will soon expire',
  assigned: 'A plan that waits was given to you',
}

/** The whole message. */
export function mailText(
  note: MailNote,
  { site, console: page }: { site: string; console: string },
) {
  const { event, plan, concern, digest, expires_ms } = note
  return {
    subject: `${subjects[event]} (${concern})`,
    text: [
      `${subjects[event]} at ${site}.`,
      `Class: ${concern}. Packet: ${digest}. Due: ${new Date(expires_ms).toISOString()}.`,
      `${page.replace(/\/+$/, '')}/console/#/plans/${plan}`,
      'Nothing is decided by mail: read the plan on the page.',
    ].join('\n\n'),
  }
}

/** Hands it over to the platform, for each person once. Throws when it was not taken for somebody. */
export async function sendMail(env: Env, site: string, body: unknown): Promise<void> {
  const note = noteSchema.parse(body)
  const { MAIL, MAIL_FROM, CONSOLE_URL } = env
  if (MAIL === undefined || MAIL_FROM === undefined || CONSOLE_URL === undefined) {
    throw new Error('mail is not configured: MAIL, MAIL_FROM and CONSOLE_URL')
  }
  const now_ms = Date.now()
  // What is late by hours tells of something that is over.
  if (now_ms >= note.expires_ms) return
  const people = concerned(note, await reviewersWithMail(env.DB, { site, now_ms }))
  const message = mailText(note, { site, console: CONSOLE_URL })
  const failures: unknown[] = []
  for (const { email } of people) {
    const mail = { site, message: note.message, email }
    if (!(await mayMail(env.DB, mail, now_ms))) continue
    try {
      await MAIL.send({ from: MAIL_FROM, to: email, ...message })
    } catch (cause) {
      await forgetMail(env.DB, mail)
      failures.push(cause)
    }
  }
  if (failures.length > 0)
    throw new Error(`mail: ${failures.length} not taken: ${String(failures[0])}`)
}
