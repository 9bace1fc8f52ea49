// The signature under a standing approval, and its end: always in view, with the notices beside it. Whoever
// may not sign learns why before writing a word.
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { Confirmed } from '../admin/confirm.tsx'
import { useAct } from '../state/act.ts'
import { draftOf } from '../state/drafts.ts'
import { signTemplate } from '../state/passkeys.ts'
import { templatesApi, type TemplateView } from './api.ts'
import { whyNot } from './words.ts'

type Props = { view: TemplateView; mayUse: boolean; reload: () => Promise<void> }

export function SignBar({ view, mayUse, reload }: Props): VNode {
  const { template, may_sign: may, approvals, record, state } = view
  const act = useAct()
  const text = draftOf(`sign.${template}`)
  const field = useRef<HTMLTextAreaElement>(null)
  const sign = async (): Promise<void> => {
    if (text.value.trim() === '') {
      act.notice.value = 'Write down why first.'
      field.current?.focus()
      return
    }
    const done = await act.run(
      () => signTemplate(template, { digest: view.digest, rationale: text.value }),
      ({ state: now }) =>
        now === 'standing' ? 'Signed: it is in force.' : 'Signed: another person has to sign too.',
    )
    if (done) text.value = ''
    await reload()
  }
  const revoke = (): void =>
    void act
      .run(
        () => templatesApi.revoke(template),
        () => 'It is ended for good.',
      )
      .then(reload)
  const open = state === 'proposed' || state === 'suspended'
  return (
    <section class="bar" aria-label="Signature">
      {open ? (
        <p>
          <strong>
            {approvals.length} of {record.approvals_required} signed
          </strong>
        </p>
      ) : null}
      {may === 'yes' || !open ? null : <p>{whyNot[may]}</p>}
      <p role="status" class="notice">
        {act.notice.value}
      </p>
      <div class="decide">
        {may === 'yes' && mayUse ? (
          <>
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
            <button
              type="button"
              class="primary"
              disabled={act.busy.value}
              onClick={() => void sign()}
            >
              Sign
            </button>
          </>
        ) : null}
        {state === 'revoked' ? null : (
          <Confirmed
            label="End it"
            says="It covers no run any more, for good. What waits in the queue goes to a person."
            busy={act.busy.value}
            act={revoke}
          />
        )}
      </div>
    </section>
  )
}
