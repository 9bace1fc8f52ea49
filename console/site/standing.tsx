// How the site stands: what it was approved under, whether it takes up runs, and the switches for that.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { Confirmed } from '../admin/confirm.tsx'
import { Field } from '../admin/field.tsx'
import { useAct, type Act } from '../state/act.ts'
import { usePolled } from '../state/polled.ts'
import { me } from '../state/who.ts'
import { Shown } from '../text/shown.tsx'
import { moment } from '../text/times.ts'
import { siteApi, type Site } from './api.ts'

const readEveryMs = 5_000

type Props = { site: Site; act: Act; again: () => Promise<void> }

function Drain({ site, act, again }: Props): VNode {
  const reason = useSignal('')
  const on = site.draining === null
  const send = (): void =>
    void act
      .run(
        () => siteApi.drain(site.site, on, reason.value),
        ({ draining }) => {
          reason.value = ''
          return draining === null ? 'Plans are bound again.' : 'No plan is bound from now on.'
        },
      )
      .then(again)
  return (
    <form
      aria-labelledby="drain"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <h2 id="drain">{on ? 'Take up no new runs' : 'Take up runs again'}</h2>
      <p>
        {on
          ? 'Runs go on to their end; plans are taken and queued, and none is bound.'
          : 'Plans that wait in the queue may start at once where a cell is armed.'}
      </p>
      <Field id="reason" label="Why, for whoever waits" value={reason} />
      <p class="actions">
        <button type="submit" disabled={act.busy.value}>
          {on ? 'Take up no new runs' : 'Take up runs again'}
        </button>
      </p>
    </form>
  )
}

function Facts({ site }: { site: Site }): VNode {
  const facts: [string, string][] = [
    ['Site file', site.registry_digest ?? 'none is approved: no plan can be taken'],
    ['Policy', site.policy_version],
    ['Epoch', String(site.epoch)],
    ['Since', moment(site.created_ms)],
  ]
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function StandingPage(): VNode {
  const act = useAct()
  const read = usePolled('site', siteApi.site, readEveryMs)
  const site = read.value.value
  const role = me.value?.role
  if (site === null) {
    return read.trouble.value === '' ? (
      <p role="status">Reading …</p>
    ) : (
      <p role="alert">{read.trouble.value}</p>
    )
  }
  const { draining, quarantined } = site
  return (
    <section>
      <h1>Site {site.site}</h1>
      <p role="status" class="notice">
        {act.notice.value}
      </p>
      {draining === null ? (
        <p>It takes up runs.</p>
      ) : (
        <p class="alarm">
          It takes up no new runs since {moment(draining.since_ms)}, by{' '}
          <Shown text={`${draining.by}: ${draining.reason}`} />
        </p>
      )}
      {quarantined.length === 0 ? null : (
        <p class="alarm">
          Tools that are set apart, because what their server says of them is no longer what was
          approved: <Shown text={quarantined.join(', ')} />
        </p>
      )}
      <Facts site={site} />
      {role === 'operator' || role === 'administrator' ? (
        <Drain site={site} act={act} again={read.again} />
      ) : null}
      <h2>Stop everything</h2>
      <Confirmed
        label={`Stop every run of ${site.site}`}
        says="Every run ends now and every cell is disarmed."
        busy={act.busy.value}
        act={() =>
          void act
            .run(
              () => siteApi.stop(site.site),
              () => 'Stopped: each cell tells on its page how far the stop has come.',
            )
            .then(read.again)
        }
      />
    </section>
  )
}
