// What happened to the steps of a run, one event for each: made from the same views that a plan's answer
// holds, so that events and answer cannot tell different things. Pure.
import { z } from 'zod'
import type { NodeView } from './plan-schemas.ts'

const ends = ['succeeded', 'failed', 'unknown', 'skipped'] as const
type End = (typeof ends)[number]

export const nodeEventSchema = z.strictObject({
  id: z.string().describe('Id of the node in the plan.'),
  tool: z.string().describe('The tool that the node calls.'),
  what: z
    .enum(['started', ...ends])
    .describe('What happened; each happens to a node at most once, and nothing after an end.'),
  at_ms: z
    .number()
    .min(0)
    .nullable()
    .describe('When, in milliseconds since the epoch; null where the trail has no time for it.'),
  reason: z.string().nullable().describe('Why it did not succeed, as a code; null otherwise.'),
  result: z
    .strictObject({
      href: z.string().describe('Where it is read.'),
      withheld: z
        .enum(['labels', 'instructions'])
        .nullable()
        .describe('Why this reader gets it without its data; null when it is readable.'),
    })
    .nullable()
    .describe('The result of the step, once there is one; null before and without one.'),
})
export type NodeEvent = z.infer<typeof nodeEventSchema>
type Bare = Omit<NodeEvent, 'result'>

const isEnd = (state: string): state is End => (ends as readonly string[]).includes(state)

function ofNode({ id, tool, state, reason, started_ms, ended_ms }: NodeView): Bare[] {
  const began: Bare[] =
    started_ms === null ? [] : [{ id, tool, what: 'started', at_ms: started_ms, reason: null }]
  return isEnd(state) ? [...began, { id, tool, what: state, at_ms: ended_ms, reason }] : began
}

const nameOf = ({ id, what }: Bare): string => `${what} ${id}`

/** Events that are new since the ones in `told`, which learns them; in the order of the run. */
export function newEvents(nodes: readonly NodeView[], told: Set<string>): Bare[] {
  const found = nodes.flatMap(ofNode).filter((event) => !told.has(nameOf(event)))
  for (const event of found) told.add(nameOf(event))
  return found
}
