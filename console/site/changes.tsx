// Differences as people read them: what is new, gone, and changed from what to what.
import type { VNode } from 'preact'
import { Fold, Shown } from '../text/shown.tsx'
import type { Change, Section } from './compare.ts'

function Values({ changes }: { changes: readonly Change[] }): VNode {
  return (
    <dl class="differences">
      {changes.map(({ at, before, after }) => (
        <div key={at}>
          <dt>
            <Shown text={at.replaceAll('_', ' ')} />
          </dt>
          <dd>
            {before === null ? null : (
              <del>
                <Shown text={before} />
              </del>
            )}{' '}
            {after === null ? null : (
              <ins>
                <Shown text={after} />
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function Changes({ sections }: { sections: readonly Section[] }): VNode {
  if (sections.length === 0) return <p>Nothing differs.</p>
  return (
    <>
      {sections.map(({ section, entries }) => (
        <section key={section}>
          <h3>
            <Shown text={section.replaceAll('_', ' ')} />
          </h3>
          <ul>
            {entries.map(({ name, change, changes }) => (
              <li key={name}>
                <Shown text={name} />: {change}
                {change === 'new' ? (
                  <Fold title="What it says">
                    <Values changes={changes} />
                  </Fold>
                ) : (
                  <Values changes={changes} />
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
