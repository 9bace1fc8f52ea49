// One standing approval: what it allows, over all values at once, and who signed exactly that. What is not
// part of what is signed (how often it was used, what stopped it, its trail) says so.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { digest } from '../../protocol/digest.ts'
import { concernedNodes } from '../../protocol/plan-words.ts'
import { GraphPicture } from '../review/graph.tsx'
import { Part } from '../review/part.tsx'
import { notesOf } from '../review/places.ts'
import { LeftOn, Steps, Written } from '../review/steps.tsx'
import { addressOf } from '../state/address.ts'
import { usePolled } from '../state/polled.ts'
import { me } from '../state/who.ts'
import { Fold, Shown } from '../text/shown.tsx'
import { moment, until } from '../text/times.ts'
import { Trail } from '../trail/trail.tsx'
import { templatesApi, type TemplateView } from './api.ts'
import { SignBar } from './sign.tsx'
import { holeInWords, standingInWords, stopInWords } from './words.ts'

const readEveryMs = 5_000

function First({ view }: { view: TemplateView }): VNode {
  const { plan, terms, values } = view.record
  const sample =
    terms.look_every === null
      ? 'No run is sent to a person as a sample.'
      : `Every run number ${terms.look_every} is sent to a person as a sample.`
  return (
    <section class="first">
      <h1>
        <Shown text={plan.goal} />
      </h1>
      <dl>
        <dt>What a signature allows</dt>
        <dd>
          <Shown
            text={[
              `Up to ${terms.runs} runs of these steps until ${moment(terms.until_ms)},`,
              `asked for by ${terms.planners.join(', ')}, on ${terms.agent ?? 'any agent that can'},`,
              `without asking anybody. ${sample}`,
            ].join(' ')}
          />
        </dd>
        <dt>What may differ from run to run</dt>
        <dd>
          {terms.holes.length === 0 ? (
            'Nothing.'
          ) : (
            <ul>
              {terms.holes.map((hole) => (
                <li key={hole.name}>
                  <Shown text={holeInWords(plan, hole, values)} />
                </li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
    </section>
  )
}

/** How it stands: changes from run to run and is not part of what is signed. */
function Standing({ view }: { view: TemplateView }): VNode {
  const { stopped } = view
  return (
    <Part title="How it stands (not part of what is signed)">
      <p>
        It is <strong>{standingInWords(view)}</strong>: {view.used} of {view.runs} runs used, time{' '}
        {until(view.until_ms)}.
      </p>
      {stopped === null ? null : (
        <p>
          <Shown text={`${stopInWords(stopped)} ${stopped.by}, ${moment(stopped.at_ms)}.`} />{' '}
          {stopped.plan === null ? null : <a href={addressOf.plan(stopped.plan)}>That run</a>}
        </p>
      )}
      {view.approvals.length === 0 ? null : (
        <>
          <h3>Signatures</h3>
          <ul class="signatures">
            {view.approvals.map(({ approver, rationale, at_ms }) => (
              <li key={approver}>
                <Shown text={approver} /> approved exactly this record on {moment(at_ms)}:{' '}
                <Shown text={rationale} /> <code class="soft">{view.digest.slice(0, 17)}…</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Part>
  )
}

function Runs({ template }: { template: string }): VNode {
  const read = usePolled(
    template,
    async () => {
      const { items } = await templatesApi.trail(template)
      return items.flatMap(({ event, facts, at_ms, seq }) => {
        const { plan, look } = facts
        return event === 'template_used' && typeof plan === 'string'
          ? [{ seq, at_ms, plan, isSample: look === true }]
          : []
      })
    },
    readEveryMs,
  )
  const runs = read.value.value ?? []
  return (
    <>
      {runs.length === 0 ? <p>No run was counted.</p> : null}
      <ol>
        {runs.map(({ seq, at_ms, plan, isSample }) => (
          <li key={seq}>
            <a href={addressOf.plan(plan)}>{plan}</a>, {moment(at_ms)}
            {isSample ? ', a sample' : ''}
          </li>
        ))}
      </ol>
    </>
  )
}

function Body({ view, wrong, reload }: Loaded & { reload: () => Promise<void> }): VNode {
  const { record } = view
  const { plan } = record
  const found = { ...record, opinions: [] }
  const notes = notesOf(found)
  const seesTrail = me.value?.role === 'reviewer' || me.value?.role === 'administrator'
  return (
    <article class="review">
      {wrong ? (
        <p role="alert" class="alarm">
          The record does not match its digest. Do not sign here; tell the administrator.
        </p>
      ) : null}
      <First view={view} />
      <Standing view={view} />
      <Part title="Steps, over all values at once">
        <GraphPicture plan={plan} concerned={concernedNodes(plan, found)} />
        <Steps plan={plan} trace={record.trace} notes={notes} />
        <LeftOn trace={record.trace} />
      </Part>
      <Part title="Words of every run">
        <Written plan={plan} notes={notes} />
      </Part>
      {seesTrail ? (
        <>
          <Part title="Runs (not part of what is signed)">
            <Runs template={view.template} />
          </Part>
          <Part title="Trail (not part of what is signed)">
            <Trail of="templates" id={view.template} />
          </Part>
        </>
      ) : null}
      <Part title="Record">
        <p>
          Made from <a href={addressOf.plan(record.base.plan)}>{record.base.plan}</a> by{' '}
          <Shown text={record.proposed_by} /> on {moment(record.at_ms)}. Signatures needed:{' '}
          {record.approvals_required}. Who answers for its planners:{' '}
          <Shown text={record.owners.join(', ')} />.
        </p>
        <button type="button" onClick={() => print()}>
          Print
        </button>
        <Fold title="The record as JSON">
          <pre>
            <Shown text={JSON.stringify(record, null, 2)} />
          </pre>
        </Fold>
      </Part>
      <SignBar view={view} mayUse={!wrong} reload={reload} />
    </article>
  )
}

type Loaded = { view: TemplateView; wrong: boolean }

export function TemplatePage({ template }: { template: string }): VNode {
  const loaded = useSignal<Loaded | null>(null)
  const read = usePolled(template, () => templatesApi.read(template), readEveryMs)
  const view = read.value.value
  useEffect(() => {
    if (view === null) return
    // Computed here, over what is displayed: a signature names this record and no other (invariant 7).
    void digest('standing', view.record).then(
      (own) => (loaded.value = { view, wrong: own !== view.digest }),
    )
  }, [view])
  return (
    <>
      {read.trouble.value === '' ? null : <p role="alert">{read.trouble.value}</p>}
      {loaded.value === null ? (
        read.trouble.value === '' ? (
          <p role="status">Reading …</p>
        ) : null
      ) : (
        <Body {...loaded.value} reload={read.again} />
      )}
    </>
  )
}
