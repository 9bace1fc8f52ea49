// Who looks at a plan that waits: taken or let go here. It gives no right: whoever may decide still may.
import type { VNode } from 'preact'
import { api, type ReviewRow } from '../api.ts'
import { useAct } from '../state/act.ts'
import { readInbox } from '../state/inbox.ts'
import { me } from '../state/who.ts'
import { Shown } from '../text/shown.tsx'

export function Assignee({ row }: { row: ReviewRow }): VNode {
  const act = useAct()
  const own = me.value?.owner ?? null
  const { plan, assignee, summary } = row
  const set = (to: string | null): void =>
    void act
      .run(
        () => api.assign(plan, to, assignee),
        () => '',
      )
      .then(readInbox)
  const button = (says: string, to: string | null): VNode => (
    <button
      type="button"
      aria-label={`${says}: ${summary?.goal ?? plan}`}
      disabled={act.busy.value}
      onClick={() => set(to)}
    >
      {says}
    </button>
  )
  return (
    <p class="soft">
      {assignee === null ? button('Take', own) : null}
      {assignee === null ? null : (
        <>
          With <Shown text={assignee === own ? 'you' : assignee} />.{' '}
          {assignee === own ? button('Let go', null) : button('Take over', own)}
        </>
      )}{' '}
      <span role="status">{act.notice.value}</span>
    </p>
  )
}
