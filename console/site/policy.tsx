// The policy of the site as a form: each field in the gateway's own words, with its bounds and its default,
// and what differs before anything is set.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { Confirmed } from '../admin/confirm.tsx'
import { Field as Line } from '../admin/field.tsx'
import { refusalInWords } from '../api.ts'
import { useAct } from '../state/act.ts'
import { me } from '../state/who.ts'
import { siteApi, type PolicyValues } from './api.ts'
import { Changes } from './changes.tsx'
import { compared } from './compare.ts'
import {
  at,
  defaultOf,
  fieldsOf,
  policyWith,
  textOf,
  type Field,
  type Schema,
} from './policy-fields.ts'

type InputProps = { field: Field; id: string; text: string; set: (text: string) => void }

function Input({ field, id, text, set }: InputProps): VNode {
  const { kind, schema } = field
  const described = { 'aria-describedby': `${id}-words` }
  const onInput = (event: { currentTarget: { value: string } }): void =>
    set(event.currentTarget.value)
  if (kind === 'choice') {
    return (
      <select id={id} value={text} onChange={onInput} {...described}>
        {schema.enum?.map((one) => (
          <option key={one} value={String(one)}>
            {one}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'number') {
    const { minimum: min, maximum: max } = schema
    const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
    return (
      <input
        id={id}
        type="number"
        step="any"
        {...bounds}
        value={text}
        {...{ onInput }}
        {...described}
      />
    )
  }
  if (kind === 'text') return <input id={id} value={text} {...{ onInput }} {...described} />
  return <textarea id={id} rows={3} value={text} {...{ onInput }} {...described} />
}

const hint: Partial<Record<Field['kind'], string>> = { lines: 'One a line.', json: 'As JSON.' }

function Row(props: {
  field: Field
  schema: Schema
  text: string
  set: ((text: string) => void) | null
}): VNode {
  const { field, schema, text, set } = props
  const name = field.path.join('.')
  const id = `policy-${name}`
  const standard = textOf(field, defaultOf(schema, field.path))
  const title = field.path.join(': ').replaceAll('_', ' ')
  return (
    <div class="field">
      {set === null ? (
        <p>
          <strong>{title}</strong>: {text === '' ? 'none' : text}
        </p>
      ) : (
        <>
          <label for={id}>{title}</label>
          <Input field={field} id={id} text={text} set={set} />
        </>
      )}
      <p class="soft" id={`${id}-words`}>
        {field.words} {set === null ? '' : (hint[field.kind] ?? '')} Default:{' '}
        {standard === '' ? 'none' : standard.replaceAll('\n', ', ')}.
      </p>
    </div>
  )
}

function ModelKey(): VNode {
  const act = useAct()
  const name = useSignal('')
  const key = useSignal('')
  return (
    <form
      aria-labelledby="model-key"
      onSubmit={(event) => {
        event.preventDefault()
        void act.run(
          () => siteApi.putKey(name.value.trim(), key.value),
          () => {
            key.value = ''
            return 'Kept, sealed: nobody reads it back.'
          },
        )
      }}
    >
      <h2 id="model-key">A model key of the site</h2>
      <Line id="key-name" label="Name, as an endpoint of the policy says it" value={name} />
      <label for="key-value">Key</label>
      <input
        id="key-value"
        type="password"
        autocomplete="off"
        required
        value={key.value}
        onInput={(event) => {
          key.value = event.currentTarget.value
        }}
      />
      <p class="actions">
        <button type="submit" disabled={act.busy.value}>
          Keep it
        </button>
      </p>
      <p role="status" class="notice">
        {act.notice.value}
      </p>
    </form>
  )
}

type Read = { policy: PolicyValues; version: string; schema: Schema }

function Form({ read, again }: { read: Read; again: () => Promise<void> }): VNode {
  const act = useAct()
  const texts = useSignal<Record<string, string>>({})
  const moved = useSignal(false)
  const { policy, schema } = read
  const fields = fieldsOf(schema)
  const mayChange = me.value?.role === 'administrator'
  let next: PolicyValues = policy
  let trouble = ''
  try {
    next = policyWith(policy, fields, texts.value)
  } catch (cause) {
    trouble = cause instanceof Error ? cause.message : String(cause)
  }
  const changes = compared(policy, next)
  const set = async (): Promise<void> => {
    // The whole policy is sent: what somebody else has set since would be taken back without a word.
    const now = await siteApi.policy().catch(() => null)
    if (now !== null && now.policy_version !== read.version) {
      moved.value = true
      await again()
      return
    }
    moved.value = false
    const done = await act.run(
      () => siteApi.setPolicy(next),
      () => 'Set. Decisions under the old policy are not bound any more.',
    )
    if (done) texts.value = {}
    await again()
  }
  return (
    <>
      {fields.map((field) => {
        const name = field.path.join('.')
        const text = texts.value[name] ?? textOf(field, at(policy, field.path))
        const put = (written: string): void => {
          texts.value = { ...texts.value, [name]: written }
        }
        return (
          <Row key={name} field={field} schema={schema} text={text} set={mayChange ? put : null} />
        )
      })}
      {mayChange ? (
        <section class="bar" aria-label="What changes">
          <h2>What changes</h2>
          {trouble === '' ? <Changes sections={changes} /> : <p role="alert">{trouble}</p>}
          {trouble === '' && changes.length > 0 ? (
            <Confirmed
              label="Set this policy"
              says="Decisions under the old one are not bound any more, and standing approvals made under it cover no run."
              busy={act.busy.value}
              act={() => void set()}
            />
          ) : null}
          {moved.value ? (
            <p role="alert">
              Nothing was set: somebody has set another policy since you opened this page. It is
              shown now; look at what changes once more.
            </p>
          ) : null}
          <p role="status" class="notice">
            {act.notice.value}
          </p>
        </section>
      ) : null}
    </>
  )
}

export function PolicyPage(): VNode {
  const read = useSignal<Read | null>(null)
  const trouble = useSignal('')
  const load = async (): Promise<void> => {
    try {
      const [{ policy, policy_version: version }, schema] = await Promise.all([
        siteApi.policy(),
        siteApi.policySchema(),
      ])
      read.value = { policy, version, schema }
    } catch (cause) {
      trouble.value = refusalInWords(cause)
    }
  }
  useEffect(() => void load(), [])
  if (trouble.value !== '') return <p role="alert">{trouble.value}</p>
  if (read.value === null) return <p role="status">Reading …</p>
  return (
    <section>
      <h1>Policy</h1>
      <p>
        In force: <code>{read.value.version}</code>
      </p>
      <Form read={read.value} again={load} />
      {me.value?.role === 'administrator' ? <ModelKey /> : null}
    </section>
  )
}
