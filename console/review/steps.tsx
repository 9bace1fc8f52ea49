// What happens physically, in order: one sentence a step, what was found there, and the exact call.
import type { VNode } from 'preact'
import type { Plan } from '../../protocol/plan.ts'
import { nodeAt } from '../../protocol/plan-words.ts'
import type { PacketTrace } from '../../protocol/packet-trace.ts'
import { Fold, Shown } from '../text/shown.tsx'
import { Notes } from './notes.tsx'
import { orderOf, type Note } from './places.ts'
import { referencesInWords } from './references.ts'

function Step(props: { plan: Plan; id: string; sentence: string | null; notes: Note[] }): VNode {
  const { plan, id, sentence, notes } = props
  const node = plan.nodes.find((one) => one.id === id)
  if (node === undefined) return <li>{id}</li>
  const concerned = notes.some(({ weight }) => weight !== 'told')
  return (
    <li id={`step-${id}`} class={concerned ? 'step concerned' : 'step'}>
      <p>
        {concerned ? <strong class="badge risk-3">Look here</strong> : null}{' '}
        <Shown text={sentence ?? `${node.tool}: no sentence, the dry run does not know it.`} />
      </p>
      {referencesInWords(plan, id).map((words) => (
        <p key={words} class="soft">
          <Shown text={words} />
        </p>
      ))}
      <Notes plan={plan} notes={notes} />
      <Fold title={`${node.tool} as it would be called`}>
        <p>
          Node <code>{node.id}</code>, after {node.depends_on.join(', ') || 'nothing'}, sandbox{' '}
          <Shown text={node.sandbox ?? 'none'} />.
        </p>
        <pre>
          <Shown text={JSON.stringify(node.args, null, 2)} />
        </pre>
      </Fold>
    </li>
  )
}

type StepsProps = { plan: Plan; trace: PacketTrace | null; notes: Note[] }

export function Steps({ plan, trace, notes }: StepsProps): VNode {
  const sentences = new Map(trace?.steps.map((one) => [one.node, one.sentence]))
  if (plan.nodes.length === 0) return <p>It has no steps: nothing runs.</p>
  return (
    <ol class="steps">
      {orderOf(plan).map((id) => (
        <Step
          key={id}
          plan={plan}
          id={id}
          sentence={sentences.get(id) ?? null}
          notes={notes.filter(({ at }) => nodeAt(plan, at) === id)}
        />
      ))}
    </ol>
  )
}

/** What is still on, open or flowing at the end. */
export function LeftOn({ trace }: { trace: PacketTrace | null }): VNode | null {
  const left = trace?.left_on ?? []
  if (left.length === 0) return null
  return (
    <>
      <h3>At the end this stays as it is left</h3>
      <ul>
        {left.map(({ thing, fact, shown }, i) => (
          <li key={i}>
            <Shown text={`${thing}: ${fact.replaceAll('_', ' ')} ${shown}`} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** What the planner wrote, with the places that something was found at marked. */
export function Written({ plan, notes }: { plan: Plan; notes: Note[] }): VNode {
  return (
    <>
      <p>
        Goal: <Shown text={plan.goal} />
      </p>
      <Notes plan={plan} notes={notes.filter(({ at }) => at === '/goal' || at === '')} />
      <ol>
        {plan.instructions.map((text, i) => (
          <li key={i}>
            <Shown text={text} />
            <Notes plan={plan} notes={notes.filter(({ at }) => at === `/instructions/${i}`)} />
          </li>
        ))}
      </ol>
    </>
  )
}
