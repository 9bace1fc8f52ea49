// The site file in force, section by section, and the way to another one: a draft, what differs, approval.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { usePolled } from '../state/polled.ts'
import { me } from '../state/who.ts'
import { api } from '../api.ts'
import { Fold, Shown } from '../text/shown.tsx'
import { save } from '../trail/read.ts'
import { entriesOf } from './compare.ts'
import { Draft } from './draft.tsx'
import { InWords } from './words.tsx'

const readEveryMs = 15_000

function SectionFold({ name, value }: { name: string; value: unknown }): VNode {
  const entries = [...entriesOf(value)]
  const isOpen = useSignal(false)
  return (
    <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        {name.replaceAll('_', ' ')} ({entries.length})
      </summary>
      {isOpen.value ? (
        <ul class="things">
          {entries.map(([id, one]) => (
            <li key={id}>
              <Fold title={id === '' ? name : id}>
                <InWords value={one} />
              </Fold>
            </li>
          ))}
        </ul>
      ) : null}
    </details>
  )
}

export function FilePage(): VNode {
  const read = usePolled('file', api.tools, readEveryMs)
  const tools = read.value.value
  if (tools === null) {
    return read.trouble.value === '' ? (
      <p role="status">Reading …</p>
    ) : (
      <p role="alert">{read.trouble.value}</p>
    )
  }
  const { registry, registry_digest } = tools
  return (
    <section>
      <h1>Site file</h1>
      {registry === null ? (
        <p>None is approved yet: no plan can be taken.</p>
      ) : (
        <>
          <p>
            In force: <code>{registry_digest}</code>
          </p>
          {Object.entries(registry).map(([name, value]) => (
            <SectionFold key={name} name={name} value={value} />
          ))}
          <p class="actions">
            <button
              type="button"
              onClick={() => save(`${me.value?.site ?? 'site'}.json`, [registry])}
            >
              Save as a file
            </button>
          </p>
        </>
      )}
      {me.value?.role === 'administrator' ? (
        <Draft present={registry ?? {}} again={read.again} />
      ) : (
        <p class="soft">
          <Shown text="Administrators approve another one." />
        </p>
      )}
    </section>
  )
}
