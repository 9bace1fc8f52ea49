// What stands in a cell and what is known of it, each with source and age; recorded and corrected here by
// an operator. What is not here is not known.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { CellState, StateFact } from '../../protocol/state.ts'
import { api } from '../api.ts'
import { Fold, Shown } from '../text/shown.tsx'
import { ago } from '../text/times.ts'
import { useAct, type Act } from '../state/act.ts'

const factsShown = 200

const valueInWords = (value: StateFact['value']): string =>
  value === null
    ? 'not known'
    : Array.isArray(value)
      ? value
          .map(({ substance, volume, mass, concentration }) =>
            [volume ?? mass, concentration, substance].filter(Boolean).join(' '),
          )
          .join('; ') || 'empty'
      : String(value)

function factInWords({ thing, part, fact, value }: StateFact): string {
  const where = part === undefined ? thing : `${thing} ${part}`
  return `${where}: ${fact.replaceAll('_', ' ')} ${valueInWords(value)}`
}

/** A value as somebody types it: a number, yes or no, or text with its unit. */
function typed(text: string): StateFact['value'] {
  const word = text.trim()
  if (word === '' || word === 'unknown') return null
  if (word === 'true' || word === 'yes') return true
  if (word === 'false' || word === 'no') return false
  return /^-?[0-9]+(\.[0-9]+)?$/.test(word) ? Number(word) : word
}

function Correct(props: {
  cell: string
  fact: StateFact
  act: Act
  again: () => Promise<void>
}): VNode {
  const { cell, fact, act, again } = props
  const text = useSignal('')
  const name = `${fact.thing} ${fact.part ?? ''} ${fact.fact}`.replaceAll('  ', ' ')
  const save = async (event: Event): Promise<void> => {
    event.preventDefault()
    const row = {
      thing: fact.thing,
      ...(fact.part === undefined ? {} : { part: fact.part }),
      fact: fact.fact,
      value: typed(text.value),
    }
    const done = await act.run(
      () => api.record(cell, { facts: [row] }),
      () => `Recorded: ${name}.`,
    )
    if (done) text.value = ''
    await again()
  }
  return (
    <Fold title="Correct it">
      <form onSubmit={(event) => void save(event)}>
        <label for={`fix-${name}`}>{name}: what is true (with its unit; empty for not known)</label>
        <input
          id={`fix-${name}`}
          maxLength={120}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
          }}
        />
        <button type="submit">Record</button>
      </form>
    </Fold>
  )
}

export function Inventory(props: {
  cell: string
  state: CellState | null
  mayRecord: boolean
  again: () => Promise<void>
}): VNode {
  const { cell, state, mayRecord, again } = props
  const act = useAct()
  return (
    <section aria-labelledby="inventory">
      <h2 id="inventory">What stands here</h2>
      <p role="status" class="notice">
        {act.notice.value}
      </p>
      {state === null || state.inventory.length + state.facts.length === 0 ? (
        <p>Nothing is recorded.</p>
      ) : (
        <>
          <ul class="things">
            {state.inventory.map((item) => (
              <li key={item.thing}>
                <Shown text={`${item.thing} (${item.kind})`} />
                {item.at === undefined ? '' : ` at ${item.at}`}
                {item.held ? ', held' : ''}
                {item.expires_on === undefined ? '' : `, until ${item.expires_on}`}
              </li>
            ))}
          </ul>
          <Fold title={`What is known: ${state.facts.length} facts`}>
            <ul class="things">
              {state.facts.slice(0, factsShown).map((fact) => (
                <li key={`${fact.thing}|${fact.part ?? ''}|${fact.fact}`}>
                  <Shown text={factInWords(fact)} />{' '}
                  <span class="soft">
                    by {fact.source} {fact.by}, {ago(fact.at_ms)}
                  </span>
                  {mayRecord ? <Correct cell={cell} fact={fact} act={act} again={again} /> : null}
                </li>
              ))}
            </ul>
            {state.facts.length > factsShown ? (
              <p>And {state.facts.length - factsShown} more.</p>
            ) : null}
          </Fold>
        </>
      )}
    </section>
  )
}
