// An act that cannot be taken back asks once, in its place, and says what it does.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type Props = { label: string; says: string; busy: boolean; act: () => void }

export function Confirmed({ label, says, busy, act }: Props): VNode {
  const asking = useSignal(false)
  const question = useRef<HTMLSpanElement>(null)
  // The button that was pressed is gone: the focus goes to the question, and a second press does nothing.
  useEffect(() => question.current?.focus(), [asking.value])
  if (!asking.value) {
    return (
      <button type="button" onClick={() => (asking.value = true)}>
        {label} …
      </button>
    )
  }
  return (
    <span class="ask" role="group" aria-label={label} tabIndex={-1} ref={question}>
      {says}{' '}
      <button
        type="button"
        class="alarm"
        disabled={busy}
        onClick={() => {
          asking.value = false
          act()
        }}
      >
        Yes, {label.charAt(0).toLowerCase() + label.slice(1)}
      </button>{' '}
      <button type="button" onClick={() => (asking.value = false)}>
        No
      </button>
    </span>
  )
}
