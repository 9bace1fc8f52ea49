// A secret that is shown once: it stays on the page until it is put away, and nowhere else.
import type { Signal } from '@preact/signals'
import type { VNode } from 'preact'

export type Once = { readonly says: string; readonly text: string }

export function ShownOnce({ once }: { once: Signal<Once | null> }): VNode | null {
  if (once.value === null) return null
  return (
    <div class="ask" role="group" aria-label="Shown once">
      <p role="status">{once.value.says}</p>
      <pre>
        <output>{once.value.text}</output>
      </pre>
      <p class="actions">
        <button type="button" onClick={() => (once.value = null)}>
          Put away
        </button>
      </p>
    </div>
  )
}
