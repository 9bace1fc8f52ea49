// The texts behind what a packet cites. They come from the graph of today and are not part of what the
// digest names; the ids are.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { api, type Citations } from '../api.ts'
import { Fold, Shown } from '../text/shown.tsx'

export function Sources({ plan, cited }: { plan: string; cited: readonly string[] }): VNode {
  const texts = useSignal<Citations | null>(null)
  const trouble = useSignal('')
  const read = (): void => {
    if (texts.value !== null) return
    api.citations(plan).then(
      (answer) => (texts.value = answer),
      () => (trouble.value = 'The texts could not be read.'),
    )
  }
  if (cited.length === 0) return <p>It cites nothing.</p>
  return (
    <details onToggle={read}>
      <summary>
        {cited.length} entries of the knowledge graph (texts are not part of the digest)
      </summary>
      {trouble.value === '' ? null : <p role="alert">{trouble.value}</p>}
      {texts.value === null ? (
        <p>{cited.join(', ')}</p>
      ) : (
        <>
          <p>From graph {texts.value.graph_version ?? 'none'}.</p>
          <ul>
            {texts.value.items.map(({ id, name, category, text }) => (
              <li key={id}>
                <strong>
                  <Shown text={name ?? 'Not in the graph of today'} />
                </strong>{' '}
                <span class="soft">
                  {id}
                  {category === null ? '' : `, ${category}`}
                </span>
                {text === null ? null : (
                  <Fold title="Text">
                    <p>
                      <Shown text={text} />
                    </p>
                  </Fold>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  )
}
