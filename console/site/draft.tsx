// A new site file: taken from a file, compared with the one in force, and approved as exactly what was
// compared. Another text is another comparison. The gateway checks it whole before it takes it.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { Confirmed } from '../admin/confirm.tsx'
import { refusalInWords, Refused, type Violation } from '../api.ts'
import { useAct } from '../state/act.ts'
import { Shown } from '../text/shown.tsx'
import { siteApi } from './api.ts'
import { Changes } from './changes.tsx'
import { compared } from './compare.ts'

type Read = { value: object; name: string } | { trouble: string }

/** A file as the draft of a site file, or why it is none. */
async function readDraft(file: File): Promise<Read> {
  try {
    const value: unknown = JSON.parse(await file.text())
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { value, name: file.name } : { trouble: 'The file holds no JSON object.' }
  } catch (cause) {
    return { trouble: `The file is no JSON: ${String(cause)}` }
  }
}

function Violations({ list }: { list: readonly Violation[] }): VNode | null {
  if (list.length === 0) return null
  return (
    <>
      <h3>What is wrong with it ({list.length})</h3>
      <ul class="notes">
        {list.map(({ at, message, remedy }, i) => (
          <li key={i} class="note reject">
            <strong>
              <Shown text={at === '' ? 'the whole file' : at} />
            </strong>
            : <Shown text={message} />{' '}
            {remedy === undefined ? null : (
              <span class="soft">
                <Shown text={remedy} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

type Props = { present: object; again: () => Promise<void> }

export function Draft({ present, again }: Props): VNode {
  const act = useAct()
  const read = useSignal<Read | null>(null)
  const wrong = useSignal<readonly Violation[]>([])
  const draft = read.value
  const take = (file: File | undefined): void => {
    wrong.value = []
    act.notice.value = ''
    if (file === undefined) read.value = null
    else void readDraft(file).then((done) => (read.value = done))
  }
  const approve = async (value: object): Promise<void> => {
    wrong.value = []
    try {
      await siteApi.approve(value)
      act.notice.value = 'Approved: it is in force, and the old one judges no more plans.'
      read.value = null
    } catch (cause) {
      if (cause instanceof Refused && cause.violations.length > 0) {
        wrong.value = cause.violations
        act.notice.value = cause.message
      } else act.notice.value = refusalInWords(cause)
    }
    await again()
  }
  return (
    <section aria-labelledby="draft">
      <h2 id="draft">Another site file</h2>
      <label for="draft-file">Draft (JSON)</label>
      <input
        id="draft-file"
        type="file"
        accept="application/json,.json"
        onChange={(event) => {
          const input = event.currentTarget
          take(input.files?.[0])
          // The same file, changed meanwhile, is a new choice.
          input.value = ''
        }}
      />
      <p role="status" class="notice">
        {act.notice.value}
      </p>
      <Violations list={wrong.value} />
      {draft === null ? null : 'trouble' in draft ? (
        <p role="alert">
          <Shown text={draft.trouble} />
        </p>
      ) : (
        <>
          <h3>
            What <Shown text={draft.name} /> changes
          </h3>
          <Changes sections={compared(present, draft.value)} />
          <Confirmed
            label="Approve this site file"
            says="Decisions under the old one are not bound any more, and standing approvals made under it cover no run."
            busy={act.busy.value}
            act={() => void approve(draft.value)}
          />
        </>
      )}
    </section>
  )
}
