// The small words of the step function: where a plan goes, what is said, what is refused.
import type {
  ReviewEffect,
  ReviewSpec,
  ReviewState,
  ReviewStep,
  Standing,
  StepRefusal,
} from './state.ts'

/** Goes to a state, with what follows from it. */
export const to = (state: ReviewState, ...effects: ReviewEffect[]): ReviewStep => ({
  state,
  effects,
  refused: null,
})
/** Refuses, and leaves everything as it is. */
export const no = (state: ReviewState, code: StepRefusal['code']): ReviewStep => ({
  state,
  effects: [],
  refused: { code },
})
/** A line of the trail. */
export const trail = (
  actor: string,
  event: string,
  facts: Extract<ReviewEffect, { do: 'trail' }>['facts'] = {},
): ReviewEffect => ({ do: 'trail', actor, event, facts })

/** Where a plan goes whose decision no person is asked about any more. */
export function settledState(spec: ReviewSpec, standing: Standing): ReviewState {
  if (standing.decision.verdict !== 'accept') return { state: 'rejected', standing }
  const runs = spec.snapshot.policy.mode === 'enforce' && spec.plan.nodes.length > 0
  return { state: runs ? 'queued' : 'accepted', standing }
}

/** An accepted plan that runs goes into the hub's queue. */
export const queueing = (state: ReviewState): ReviewEffect[] =>
  state.state === 'queued'
    ? [{ do: 'enqueue', valid_until_ms: state.standing.decision.valid_until }]
    : []

/** What ends badly, or is like what did, takes its standing approval with it. */
export const suspending = (
  { standing }: Pick<ReviewSpec, 'standing'>,
  why: Extract<ReviewEffect, { do: 'suspend' }>['why'],
): ReviewEffect[] => (standing === undefined ? [] : [{ do: 'suspend', why }])
