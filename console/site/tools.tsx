// The tools of the site, row by row: which have shown that they do what they say, and who says so.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { Confirmed } from '../admin/confirm.tsx'
import { api, type Tools } from '../api.ts'
import { useAct, type Act } from '../state/act.ts'
import { addressOf } from '../state/address.ts'
import { usePolled } from '../state/polled.ts'
import { me } from '../state/who.ts'
import { Fold, Shown } from '../text/shown.tsx'
import { moment } from '../text/times.ts'
import { siteApi } from './api.ts'
import { InWords } from './words.tsx'

const readEveryMs = 15_000

type Line = Tools['rows'][number]
type RowProps = { line: Line; tools: Tools; act: Act; again: () => Promise<void> }

function Proof({ line }: { line: Line }): VNode {
  const { proven } = line
  if (proven === null) {
    return (
      <p class="alarm">
        Not proven: the first plan that uses it waits for a person, and runs under one’s eyes.
      </p>
    )
  }
  return (
    <p>
      Proven by <Shown text={proven.by} />, {moment(proven.at_ms)}
      {proven.session === null ? (
        ', by a person’s word.'
      ) : (
        <>
          , in <a href={addressOf.session(proven.session)}>this run</a>.
        </>
      )}
    </p>
  )
}

function Row({ line, tools, act, again }: RowProps): VNode {
  const role = me.value?.role
  const { tool, row, proven } = line
  const entry = tools.registry?.tools.find(({ name }) => name === tool)
  const send = (work: () => Promise<unknown>, done: string): void =>
    void act.run(work, () => done).then(again)
  return (
    <li class="card">
      <h2>
        <Shown text={tool} />
      </h2>
      <p>
        <Shown
          text={`${entry?.description ?? ''} (${entry?.risk_class.replaceAll('_', ' ') ?? ''})`}
        />
        {tools.quarantined.includes(tool) ? <strong class="alarm"> Set apart.</strong> : null}
      </p>
      <Proof line={line} />
      {entry === undefined ? null : (
        <Fold title="The whole row">
          <InWords value={entry} />
        </Fold>
      )}
      {proven !== null && (role === 'operator' || role === 'administrator') ? (
        <Confirmed
          label={`Take back that ${tool} is proven`}
          says="Its next use waits for a person."
          busy={act.busy.value}
          act={() => send(() => siteApi.takeBack(tool), `${tool} is not proven any more.`)}
        />
      ) : null}
      {proven === null && role === 'administrator' ? (
        <Confirmed
          label={`State that ${tool} is proven`}
          says="You say that it has run in this lab exactly as its row says."
          busy={act.busy.value}
          act={() =>
            send(() => siteApi.proven({ [tool]: row }), `${tool} is proven, by your word.`)
          }
        />
      ) : null}
    </li>
  )
}

export function ToolsPage(): VNode {
  const act = useAct()
  const text = useSignal('')
  const read = usePolled('tools', api.tools, readEveryMs)
  const tools = read.value.value
  const lines = (tools?.rows ?? []).filter(({ tool }) => tool.includes(text.value.trim()))
  const unproven = (tools?.rows ?? []).filter(({ proven }) => proven === null).length
  return (
    <section>
      <h1>Tools</h1>
      {read.trouble.value === '' ? null : <p role="alert">{read.trouble.value}</p>}
      <label for="find-tool">Find a tool</label>
      <input
        id="find-tool"
        type="search"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
      <p role="status">
        {act.notice.value === ''
          ? `${lines.length} of ${tools?.rows.length ?? 0}; ${unproven} not proven.`
          : act.notice.value}
      </p>
      {tools === null ? null : (
        <ul class="cards">
          {lines.map((line) => (
            <Row key={line.tool} line={line} tools={tools} act={act} again={read.again} />
          ))}
        </ul>
      )}
    </section>
  )
}
