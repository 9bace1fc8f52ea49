// Which arguments may differ, and how far: each plain value of the plan, closed until it is opened.
import type { VNode } from 'preact'
import type { Plan } from '../../protocol/plan.ts'
import { Shown } from '../text/shown.tsx'
import { candidatesOf, openedAs, type Candidate, type Opened } from './candidates.ts'
import type { FormDraft } from './form.ts'
import { holePlace } from './words.ts'

type LineProps = { id: string; label: string; value: string; set: (text: string) => void }

function NumberLine({ id, label, value, set }: LineProps): VNode {
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        step="any"
        required
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  )
}

type OpenProps = { one: Candidate; opened: Opened; set: (opened: Opened) => void }

function Within({ one, opened, set }: OpenProps): VNode {
  const id = `hole-${one.name}`
  if (typeof one.value === 'number') {
    return (
      <div class="filters">
        <NumberLine
          id={`${id}-min`}
          label={`${one.name} from`}
          value={opened.min}
          set={(min) => set({ ...opened, min })}
        />
        <NumberLine
          id={`${id}-max`}
          label={`${one.name} to`}
          value={opened.max}
          set={(max) => set({ ...opened, max })}
        />
      </div>
    )
  }
  return (
    <>
      <label for={id}>{one.name} is one of (one a line)</label>
      <textarea
        id={id}
        rows={3}
        value={opened.list}
        onInput={(event) => set({ ...opened, list: event.currentTarget.value })}
      />
    </>
  )
}

export function Holes({ plan, draft }: { plan: Plan; draft: FormDraft }): VNode {
  const { opened } = draft.form.value
  const put = (name: string, to: Opened | null): void => {
    const { [name]: _closed, ...others } = opened
    draft.set({ opened: to === null ? others : { ...others, [name]: to } })
  }
  return (
    <fieldset>
      <legend>What may differ from run to run</legend>
      <ul class="things">
        {candidatesOf(plan).map((one) => {
          const within = opened[one.name]
          return (
            <li key={one.name}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={within !== undefined}
                  onChange={(event) =>
                    put(one.name, event.currentTarget.checked ? openedAs(one) : null)
                  }
                />{' '}
                <Shown text={`${one.name}, ${holePlace(plan, one)}: now ${String(one.value)}`} />
              </label>
              {within === undefined ? null : (
                <Within one={one} opened={within} set={(to) => put(one.name, to)} />
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
