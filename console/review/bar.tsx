// The decision: always in view, with its notices beside it. Whoever may not decide learns it, and why,
// before writing a word.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Refused, type May, type ReviewRecord } from '../api.ts'
import { rows } from '../state/inbox.ts'
import { addressOf } from '../state/address.ts'
import { draftOf } from '../state/drafts.ts'
import { decideOn } from '../state/passkeys.ts'
import { Shown } from '../text/shown.tsx'
import { shownRows } from '../inbox/rows.ts'

const why: Record<Exclude<May, 'yes'>, string> = {
  not_escalated: 'It does not wait for a decision.',
  conflict_of_interest:
    'You answer for this planner, so you may not decide. Any other reviewer of the site may.',
  same_approver: 'You have accepted it; another reviewer has to agree. You may still reject it.',
  outdated:
    'The site has changed since it was judged, so nobody can accept it. It can be rejected and sent again.',
  review_expired: 'The time to decide is over.',
}

function Count({ record }: { record: ReviewRecord }): VNode | null {
  const { approvals, approvals_required: required } = record
  const given = approvals.filter(({ verdict }) => verdict === 'accept')
  if (required < 2 || record.status.state !== 'escalated') return null
  return (
    <p>
      <strong>
        {given.length} of {required} accepted
      </strong>
      {given.map(({ approver, rationale }) => (
        <span key={approver}>
          {' '}
          · <Shown text={`${approver}: ${rationale}`} />
        </span>
      ))}
    </p>
  )
}

function Next({ plan }: { plan: string }): VNode {
  const [next] = shownRows(rows.value ?? [], { text: '', risk: 0, order: 'risk' }).filter(
    (row) => row.plan !== plan,
  )
  return next === undefined ? (
    <a href={addressOf.inbox}>Back to the inbox</a>
  ) : (
    <a href={addressOf.plan(next.plan)}>Next plan that waits</a>
  )
}

export function DecisionBar(props: { record: ReviewRecord; reload: () => Promise<void> }): VNode {
  const { record, reload } = props
  const { plan, packet_digest, state } = record.status
  const text = draftOf(`why.${plan}`)
  const notice = useSignal('')
  const busy = useSignal(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const { accept, reject } = record.may
  const first = useRef(packet_digest)
  useEffect(() => {
    // A page that was read must not become another one under the reader's hand.
    if (first.current !== packet_digest) notice.value = 'The packet has changed: read it again.'
    first.current = packet_digest
  }, [packet_digest])
  const decide = async (verdict: 'accept' | 'reject'): Promise<void> => {
    if (packet_digest === null || busy.value) return
    if (text.value.trim() === '') {
      notice.value = 'Write down why first.'
      field.current?.focus()
      return
    }
    busy.value = true
    notice.value = 'Sending …'
    try {
      await decideOn(plan, { verdict, rationale: text.value, packet_digest })
      text.value = ''
      notice.value =
        verdict === 'accept' ? 'Recorded: accepted by you.' : 'Recorded: rejected by you.'
    } catch (cause) {
      notice.value = cause instanceof Refused ? cause.message : String(cause)
    }
    busy.value = false
    await reload()
  }
  const open = state === 'escalated' && (accept === 'yes' || reject === 'yes')
  const against = accept === 'yes' ? null : state === 'escalated' ? why[accept] : null
  return (
    <section class="bar" aria-label="Decision">
      <Count record={record} />
      {state === 'escalated' ? null : (
        <p>
          This plan is {state}. <Next plan={plan} />
        </p>
      )}
      {against === null ? null : <p>{against}</p>}
      <p role="status" class="notice">
        {notice.value}
      </p>
      {open ? (
        <div class="decide">
          <div>
            <label for="why">Why</label>
            <textarea
              id="why"
              ref={field}
              rows={1}
              maxLength={4000}
              value={text.value}
              onInput={(event) => {
                text.value = event.currentTarget.value
              }}
            />
          </div>
          {accept === 'yes' ? (
            <button type="button" class="primary" onClick={() => void decide('accept')}>
              Accept
            </button>
          ) : null}
          <button type="button" class="alarm" onClick={() => void decide('reject')}>
            Reject
          </button>
        </div>
      ) : null}
    </section>
  )
}
