// How long the site keeps what, what legal holds keep beyond that, and the file with everything that is kept.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Keeping } from '../../protocol/keeping.ts'
import { Confirmed } from '../admin/confirm.tsx'
import { Field } from '../admin/field.tsx'
import { useAct, type Act } from '../state/act.ts'
import { addressOf } from '../state/address.ts'
import { usePolled } from '../state/polled.ts'
import { me } from '../state/who.ts'
import { Shown } from '../text/shown.tsx'
import { moment } from '../text/times.ts'
import { saveText } from '../trail/read.ts'
import { siteApi, type Kept } from './api.ts'

const readEveryMs = 15_000

const periods = [
  ['calls_days', 'Prompts and replies of judges'],
  ['plans_days', 'Text of a plan, with packet, opinions, run and results'],
  ['trails_days', 'Trail of a plan and of its run'],
  ['memory_days', 'Memory of refused plans and failed runs'],
  ['skill_days', 'How judges had voted on what people then decided'],
] as const satisfies readonly (readonly [keyof Keeping, string])[]

const daysOf = (days: number | null): string => (days === null ? 'for ever' : `${days} days`)

type Props = { kept: Kept; act: Act; again: () => Promise<void> }

function Periods({ kept, act, again }: Props): VNode {
  const edits = useSignal<Partial<Record<keyof Keeping, string>>>({})
  const textOf = (name: keyof Keeping): string =>
    edits.value[name] ?? String(kept.periods[name] ?? '')
  const wanted = (): Keeping => {
    const next = { ...kept.periods }
    for (const [name] of periods) {
      const text = textOf(name).trim()
      next[name] = text === '' ? null : Number(text)
    }
    return next
  }
  const changed = periods.filter(([name]) => wanted()[name] !== kept.periods[name])
  const set = async (): Promise<void> => {
    const done = await act.run(
      () => siteApi.setKeeping(wanted()),
      () => 'Set. What is over now goes within minutes.',
    )
    if (done) edits.value = {}
    await again()
  }
  return (
    <fieldset>
      <legend>Days that are kept (empty: for ever)</legend>
      {periods.map(([name, label]) => (
        <div key={name}>
          <label for={name}>{label}</label>
          <input
            id={name}
            type="number"
            min={1}
            value={textOf(name)}
            onInput={(event) => {
              edits.value = { ...edits.value, [name]: event.currentTarget.value }
            }}
          />
        </div>
      ))}
      {changed.length === 0 ? null : (
        <Confirmed
          label="Set these periods"
          says={`${changed
            .map(
              ([name, label]) =>
                `${label}: ${daysOf(wanted()[name])} in place of ${daysOf(kept.periods[name])}.`,
            )
            .join(' ')} What is over by then is deleted.`}
          busy={act.busy.value}
          act={() => void set()}
        />
      )}
    </fieldset>
  )
}

function Holds({ kept, act, again }: Props): VNode {
  const plan = useSignal('')
  const reason = useSignal('')
  const isAdministrator = me.value?.role === 'administrator'
  const idOrSite = (): string | null => (plan.value.trim() === '' ? null : plan.value.trim())
  const hold = (): void =>
    void act
      .run(
        () => siteApi.hold(idOrSite(), reason.value),
        () => {
          plan.value = ''
          reason.value = ''
          return 'It is held: nothing of it is deleted.'
        },
      )
      .then(again)
  const letGo = (of: string | null): void =>
    void act
      .run(
        () => siteApi.release(of, `Let go by ${me.value?.owner ?? ''} in the console.`),
        () => 'It is let go: the periods of the site count again.',
      )
      .then(again)
  return (
    <>
      <h2>Legal holds</h2>
      {kept.holds.length === 0 ? <p>There is none.</p> : null}
      <ul class="cards">
        {kept.holds.map(({ plan: held, reason: why, set_by, set_ms }) => (
          <li key={held ?? ''} class="card">
            {held === null ? (
              <strong>The whole site</strong>
            ) : (
              <a href={addressOf.plan(held)}>{held}</a>
            )}
            , by <Shown text={`${set_by}: ${why}`} />, {moment(set_ms)}{' '}
            {isAdministrator ? (
              <Confirmed
                label={`Let go of the hold on ${held ?? 'the whole site'}`}
                says="What is over by the periods of the site is deleted within minutes."
                busy={act.busy.value}
                act={() => letGo(held)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {isAdministrator ? (
        <form
          aria-labelledby="hold"
          onSubmit={(event) => {
            event.preventDefault()
            hold()
          }}
        >
          <h3 id="hold">Hold</h3>
          <label for="held">Plan (empty: the whole site)</label>
          <input
            id="held"
            autocomplete="off"
            value={plan.value}
            onInput={(event) => {
              plan.value = event.currentTarget.value
            }}
          />
          <Field id="hold-why" label="Why it is held" value={reason} />
          <p class="actions">
            <button type="submit" disabled={act.busy.value}>
              Hold
            </button>
          </p>
        </form>
      ) : null}
    </>
  )
}

function Deletion({ act }: { act: Act }): VNode {
  const plan = useSignal('')
  const reason = useSignal('')
  return (
    <>
      <h2>Delete one plan</h2>
      <label for="deleted">Plan that is over</label>
      <input
        id="deleted"
        autocomplete="off"
        value={plan.value}
        onInput={(event) => {
          plan.value = event.currentTarget.value
        }}
      />
      <Field id="delete-why" label="Why it is deleted" value={reason} />
      <Confirmed
        label="Delete this plan"
        says="Everything that belongs to it goes, for good. Its digests stay in the trail of the site."
        busy={act.busy.value}
        act={() =>
          void act.run(
            () => siteApi.deletePlan(plan.value.trim(), reason.value),
            () => 'Deleted.',
          )
        }
      />
    </>
  )
}

export function KeepingPage(): VNode {
  const act = useAct()
  const read = usePolled('keeping', siteApi.keeping, readEveryMs)
  const kept = read.value.value
  const isAdministrator = me.value?.role === 'administrator'
  const site = me.value?.site ?? ''
  return (
    <section>
      <h1>Keeping</h1>
      {read.trouble.value === '' ? null : <p role="alert">{read.trouble.value}</p>}
      <p role="status" class="notice">
        {act.notice.value}
      </p>
      {kept === null ? (
        <p role="status">Reading …</p>
      ) : (
        <>
          {isAdministrator ? (
            <Periods kept={kept} act={act} again={read.again} />
          ) : (
            <ul>
              {periods.map(([name, label]) => (
                <li key={name}>
                  {label}: {daysOf(kept.periods[name])}.
                </li>
              ))}
            </ul>
          )}
          <Holds kept={kept} act={act} again={read.again} />
        </>
      )}
      {isAdministrator ? (
        <>
          <h2>Everything that is kept</h2>
          <p>One file of lines with chained digests; it can be checked without the gateway.</p>
          <p class="actions">
            <button
              type="button"
              disabled={act.busy.value}
              onClick={() =>
                void act.run(
                  () => siteApi.everything(site),
                  (pages) => {
                    saveText(`${site}.export.ndjson`, pages)
                    return 'It is saved.'
                  },
                )
              }
            >
              Save everything as a file
            </button>
          </p>
          <Deletion act={act} />
        </>
      ) : null}
    </section>
  )
}
