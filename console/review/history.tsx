// What came before: earlier versions with what changed and why they ended, plans like it, and who decided.
import type { VNode } from 'preact'
import { reasonWords } from '../../protocol/reason-words.ts'
import type { Approval } from '../../protocol/records.ts'
import type { ReviewRecord } from '../api.ts'
import { addressOf } from '../state/address.ts'
import { Shown } from '../text/shown.tsx'
import { moment } from '../text/times.ts'
import { placeInWords } from './places.ts'

/** Who said what, when and why: the meaning of each signature stands beside it. */
export function Signatures({ approvals }: { approvals: readonly Approval[] }): VNode {
  return (
    <ul class="signatures">
      {approvals.map(({ approver, verdict, rationale, at_ms, packet_digest }, i) => (
        <li key={i}>
          <Shown text={approver} /> {verdict === 'accept' ? 'accepted' : 'rejected'} exactly this
          packet on {moment(at_ms)}: <Shown text={rationale} />{' '}
          <code class="soft">{packet_digest.slice(0, 15)}…</code>
        </li>
      ))}
    </ul>
  )
}

function Version(props: { record: ReviewRecord; version: ReviewRecord['lineage'][number] }): VNode {
  const { record, version } = props
  return (
    <section>
      <h3>
        From <a href={addressOf.plan(version.plan)}>{version.plan}</a> ({version.state})
      </h3>
      <p>{version.reasons.map((reason) => reasonWords[reason]).join(' ')}</p>
      <Signatures approvals={version.approvals} />
      {version.differences.length === 0 ? (
        <p>Nothing differs.</p>
      ) : (
        <dl class="differences">
          {version.differences.map(({ change, at, before, after }, i) => (
            <div key={i}>
              <dt>
                {placeInWords(record.plan, at)}: {change}
              </dt>
              <dd>
                <del>
                  <Shown text={before ?? ''} />
                </del>{' '}
                <ins>
                  <Shown text={after ?? ''} />
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

export function History({ record }: { record: ReviewRecord }): VNode {
  const { lineage, precedent, packet, codes } = record
  const like = packet?.memory ?? []
  return (
    <>
      {lineage.map((version) => (
        <Version key={version.plan} record={record} version={version} />
      ))}
      {like.length === 0 ? null : (
        <>
          <h3>Plans like it</h3>
          <ul>
            {like.map((match) => (
              <li key={match.memory}>
                <a href={addressOf.plan(match.plan)}>{match.plan}</a>:{' '}
                {Math.round(match.similarity * 100)} % alike, by {match.basis}
                {match.effect === 'escalates'
                  ? '; it waits because of it'
                  : '; it was mended'}.{' '}
                {match.codes.map((code) => codes[code]?.title ?? code).join(' ')}
              </li>
            ))}
          </ul>
        </>
      )}
      {precedent === null && lineage.length === 0 && like.length === 0 ? (
        <p>Nothing like it is known.</p>
      ) : null}
    </>
  )
}
