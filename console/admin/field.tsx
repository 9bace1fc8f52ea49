// One line of text that a form needs, with its label.
import type { Signal } from '@preact/signals'
import type { VNode } from 'preact'

type Props = { id: string; label: string; value: Signal<string> }

export function Field({ id, label, value }: Props): VNode {
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        autocomplete="off"
        required
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value
        }}
      />
    </>
  )
}
