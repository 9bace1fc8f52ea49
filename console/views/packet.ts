// One escalated plan: the whole packet, and the resolution. The page computes the digests of what it
// displays again: if they differ from the ones the gateway names, nothing can be resolved here, since
// an approval must cover exactly what was shown (invariant 7).
import { digest } from '../../protocol/digest.ts'
import { api, Refused, type ReviewRecord } from '../api.ts'
import { button, element, field, tag, time, visible } from '../dom.ts'
import type { Page } from '../main.ts'
import { findings, judges, rules, sources, steps, versions } from './evidence.ts'

/** Null when everything displayed is what the digest names; otherwise what is wrong. */
async function mismatch(record: ReviewRecord): Promise<string | null> {
  const { packet, plan, status } = record
  if (packet === null) return 'This plan has no packet yet.'
  if ((await digest('packet', packet)) !== status.packet_digest) {
    return 'The packet does not match its digest. Do not decide here; tell the administrator.'
  }
  if ((await digest('plan', plan)) !== packet.plan_digest) {
    return 'The plan does not match its digest. Do not decide here; tell the administrator.'
  }
  return null
}

async function send(
  page: Page,
  record: ReviewRecord,
  review: { verdict: 'accept' | 'reject'; rationale: string },
): Promise<void> {
  const packet_digest = record.status.packet_digest
  if (packet_digest === null) return
  try {
    const answer = await api.resolve(record.status.plan, { ...review, packet_digest })
    page.say(`Recorded: ${review.verdict}. The plan is now ${answer.state}.`)
    page.go({ at: 'reviews' })
  } catch (cause) {
    page.say(cause instanceof Refused ? cause.message : 'The gateway could not be reached.', true)
  }
}

function resolution(page: Page, record: ReviewRecord): HTMLElement {
  const rationale = element('textarea', {
    attributes: { rows: '4', required: '', maxlength: '4000', 'aria-describedby': 'covers' },
  })
  const decide = (verdict: 'accept' | 'reject') => async (): Promise<void> => {
    if (rationale.value.trim() === '') {
      page.say('Write down why first.', true)
      rationale.focus()
      return
    }
    await send(page, record, { verdict, rationale: rationale.value })
  }
  return element(
    'section',
    { attributes: { 'aria-label': 'Decision' } },
    tag('h3', 'Your decision'),
    element(
      'p',
      { attributes: { id: 'covers' } },
      'It covers exactly the packet ',
      tag('code', record.status.packet_digest ?? ''),
      ', once.',
    ),
    field('rationale', 'Why', rationale),
    element(
      'div',
      { attributes: { class: 'actions' } },
      button('Accept this packet', decide('accept')),
      button('Reject this packet', decide('reject')),
    ),
  )
}

function head(record: ReviewRecord): HTMLElement {
  const { status, plan, packet } = record
  return tag(
    'section',
    tag('h2', `Plan ${status.plan}`),
    tag(
      'p',
      `Planner ${status.planner} (owner ${status.owner}); state ${status.state}; `,
      `received ${time(status.received_ms)}; expires ${time(packet?.expires ?? null)}.`,
    ),
    tag('p', `Why it waits: ${status.reasons.join(', ') || '–'}.`),
    tag(
      'p',
      'Model it says it is: ',
      visible(plan.planner.model ?? 'not said'),
      '. Agent that shall carry it out: ',
      visible(plan.agent ?? 'any that can'),
      '.',
    ),
    status.supersedes === null ? null : tag('p', `It replaces ${status.supersedes}.`),
    tag('h3', 'Goal'),
    tag('p', visible(plan.goal)),
  )
}

export async function packetView(page: Page, plan: string): Promise<HTMLElement> {
  const record = await api.review(plan)
  const wrong = await mismatch(record)
  const { packet, codes } = record
  return tag(
    'section',
    head(record),
    versions(record),
    steps(record.plan),
    ...(packet === null
      ? []
      : [
          findings(record.plan, packet, codes),
          rules(record.plan, packet, codes),
          judges(record.plan, packet, codes),
          sources(packet),
        ]),
    wrong === null ? null : element('p', { attributes: { role: 'alert', class: 'alarm' } }, wrong),
    wrong === null && record.status.state === 'escalated' ? resolution(page, record) : null,
  )
}
