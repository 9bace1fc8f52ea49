// What the judges said, by where they differ; each in full behind it.
import type { VNode } from 'preact'
import type { Opinion } from '../../protocol/opinion.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { ChiefOpinion } from '../../protocol/opinion.ts'
import type { Packet } from '../../protocol/records.ts'
import { Fold, Shown } from '../text/shown.tsx'
import { placeInWords } from './places.ts'

const votes = ['reject', 'escalate', 'accept'] as const

/** Places that some judges found something at and others did not. */
export function differences(
  opinions: readonly Opinion[],
): { at: string; by: string[]; not: string[] }[] {
  const answered = opinions.filter(({ outcome }) => outcome === 'answered')
  const places = new Set(answered.flatMap(({ findings }) => findings.map(({ at }) => at)))
  return [...places]
    .map((at) => {
      const by = answered.filter(({ findings }) => findings.some((one) => one.at === at))
      const not = answered.filter((one) => !by.includes(one))
      return { at, by: by.map(({ judge }) => judge), not: not.map(({ judge }) => judge) }
    })
    .filter(({ not }) => not.length > 0)
}

function One({ plan, opinion }: { plan: Plan; opinion: Opinion }): VNode {
  const { judge, verdict, vendor, model, outcome, failure, confidence, reasoning, findings } =
    opinion
  return (
    <Fold title={`${judge}: ${outcome === 'answered' ? verdict : outcome}`}>
      <p>
        <Shown text={`${vendor}${model === null ? '' : `, ${model}`}`} />; confidence {confidence}
        {failure === null ? '' : `; ${failure}`}.
      </p>
      <ol>
        {reasoning.map((text, i) => (
          <li key={i}>
            <Shown text={text} />
          </li>
        ))}
      </ol>
      {findings.length === 0 ? null : (
        <ul>
          {findings.map((one, i) => (
            <li key={i}>
              {placeInWords(plan, one.at)}: <Shown text={one.claim} /> ({one.severity}
              {one.substantiated ? '' : ', without a reason that holds'})
            </li>
          ))}
        </ul>
      )}
    </Fold>
  )
}

function Chief({ chief }: { chief: ChiefOpinion }): VNode {
  return (
    <Fold title={`Chief: ${chief.outcome === 'answered' ? chief.verdict : chief.outcome}`}>
      <ul>
        {chief.reasons.map((text, i) => (
          <li key={i}>
            <Shown text={text} />
          </li>
        ))}
      </ul>
    </Fold>
  )
}

export function Judges({ plan, packet }: { plan: Plan; packet: Packet }): VNode {
  const { opinions, chief } = packet
  if (opinions.length === 0) return <p>No judge was asked.</p>
  const counted = votes.flatMap((vote) => {
    const by = opinions.filter((one) => one.outcome === 'answered' && one.verdict === vote)
    return by.length === 0 ? [] : [`${by.length} ${vote}`]
  })
  const silent = opinions.filter(({ outcome }) => outcome !== 'answered').length
  if (silent > 0) counted.push(`${silent} did not answer`)
  const differ = differences(opinions)
  return (
    <>
      <p>
        {counted.join(', ')}.{' '}
        {differ.length === 0 ? 'They found the same places.' : 'They differ here:'}
      </p>
      {differ.length === 0 ? null : (
        <ul>
          {differ.map(({ at, by, not }) => (
            <li key={at}>
              {placeInWords(plan, at)}: found by {by.join(', ')}; not by {not.join(', ')}.
            </li>
          ))}
        </ul>
      )}
      {opinions.map((opinion) => (
        <One key={opinion.judge} plan={plan} opinion={opinion} />
      ))}
      {chief === null ? <p>No chief was asked.</p> : <Chief chief={chief} />}
    </>
  )
}
