// One step of a plan, written down: state, packet, context, trail and messages in one transaction. Either
// all of it is there after a crash, or none of it and the event comes again.
import { nextAuditEntry, type AuditEntry, type AuditEvent } from '../../protocol/audit.ts'
import { digest } from '../../protocol/digest.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { unreachable } from '../../protocol/result.ts'
import type { ReviewEffect, ReviewSpec, ReviewStep } from '../../verify/review/state.ts'
import { standingOf } from '../../verify/review/status.ts'
import type { Outbox } from '../outbox.ts'
import {
  indexRow,
  leftNote,
  memoryNote,
  provenNote,
  queueEntry,
  skillNote,
  totalsNote,
  windowEntry,
  type MessageKind,
} from './messages.ts'
import { mailNote } from './mail.ts'
import type { ReviewStore } from './store.ts'
import { webhookMessage } from './webhook.ts'

type Tables = {
  readonly storage: Pick<DurableObjectStorage, 'transactionSync'>
  readonly store: ReviewStore
  readonly outbox: Outbox<MessageKind>
}

/** Writes a step. `spec` is given with the first one, which creates the tables. */
export async function writeStep(
  tables: Tables,
  done: ReviewStep,
  { now_ms, spec }: { now_ms: number; spec: ReviewSpec | undefined },
): Promise<void> {
  const { storage, store, outbox } = tables
  const before = spec === undefined ? store.row() : null
  const decision = standingOf(done.state)?.decision ?? null
  const decision_digest = decision === null ? null : await digest('decision', decision)
  const decided: JsonObject | null =
    decision === null
      ? null
      : { verdict: decision.verdict, reasons: decision.reasons, decision_digest }
  const head = spec === undefined ? store.auditHead() : null
  const entries = await trailOf(head, done.effects, { now_ms, decided })
  const announced = done.effects.some((effect) => effect.do === 'announce')
  const told = (before?.told ?? 0) + (announced ? 1 : 0)
  try {
    storage.transactionSync(() => {
      if (spec === undefined) store.create()
      else store.begin(spec)
      outbox.create()
      for (const entry of entries) store.appendAudit(entry)
      store.putRow({ state: done.state, decision_digest, told })
      for (const effect of done.effects) act(tables, effect, now_ms)
    })
  } catch (cause) {
    store.forget()
    throw cause
  }
}

async function trailOf(
  head: Parameters<typeof nextAuditEntry>[0],
  effects: readonly ReviewEffect[],
  { now_ms, decided }: { now_ms: number; decided: JsonObject | null },
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (const effect of effects) {
    const event = eventOf(effect, now_ms, decided)
    if (event !== null) entries.push(await nextAuditEntry(entries.at(-1) ?? head, event))
  }
  return entries
}

function eventOf(
  effect: ReviewEffect,
  at_ms: number,
  decided: JsonObject | null,
): AuditEvent | null {
  if (effect.do === 'trail') {
    const { actor, event, facts } = effect
    return { at_ms, actor, event, facts }
  }
  if (effect.do !== 'decided') return null
  return { at_ms, actor: 'gateway', event: 'decided', facts: decided ?? {} }
}

/** The stored half of one effect; the state of the step has been written before. */
function act({ store, outbox }: Tables, effect: ReviewEffect, now_ms: number): void {
  const due = { due_ms: now_ms }
  const post = (kind: MessageKind, body: object | null, id: string = kind): void => {
    if (body !== null) outbox.post(kind, body, { id, ...due })
  }
  switch (effect.do) {
    case 'packet':
      return store.putPacket(effect.decided.packet, effect.decided.linked)
    case 'look_again':
      return store.lookAgain(effect.seen)
    case 'context':
      if (effect.cell !== undefined) store.putJson('bound_cell', effect.cell)
      return store.putJson('context', effect.context)
    case 'announce':
      post('index', indexRow(store))
      return post('window', windowEntry(store))
    case 'remember': {
      const state = mustState(store)
      const of = { spec: store.spec(), packet: store.packet(), linked: store.linked() }
      const note = memoryNote(of, state, now_ms)
      // One slot for the verdict, so that a person's decision replaces the machine's before or after
      // it was delivered; a failed run is remembered beside it.
      return post('memory', note, note?.event === 'session' ? 'memory:session' : 'memory:verdict')
    }
    case 'skill': {
      const known = { packet: store.packet(), state: mustState(store) }
      return post('skill', skillNote(store.spec(), known, now_ms))
    }
    case 'enqueue':
      return post('enqueue', queueEntry(store.spec(), effect.valid_until_ms))
    case 'dequeue':
      // An entry that was not told yet must not arrive after the message that removes it.
      outbox.retract('enqueue')
      return post('dequeue', { plan: store.spec().plan_id })
    case 'withdraw_ancestor':
      return post('withdraw_ancestor', { plan: effect.plan, by: effect.by })
    case 'left': {
      // A slot for each session: a plan that is given back runs in another, and the first must not stay held.
      const session = store.context()?.session ?? ''
      if (effect.how === 'completed') post('proven', provenNote(store))
      post('totals', totalsNote(store, effect.how, now_ms), `totals:${session}`)
      return post('left', leftNote(store, effect.how, now_ms), `left:${session}`)
    }
    case 'suspend': {
      const { standing, plan_id } = store.spec()
      const template = standing?.record.template
      if (template === undefined) return
      return post('suspend', { template, plan: plan_id, why: effect.why })
    }
    case 'notify': {
      const { event } = effect
      const slot = event.startsWith('review_') ? 'webhook:review' : 'webhook:run'
      // One slot: what was not delivered is replaced by the next, never piled up.
      return post(
        'webhook',
        webhookMessage(store.spec(), { event, state: mustState(store), now_ms }),
        slot,
      )
    }
    case 'mail': {
      const { event } = effect
      const note = mailNote(store.spec(), { event, state: mustState(store), now_ms })
      return post('mail', note, `mail:${event}`)
    }
    case 'trail':
    case 'decided':
    case 'judge':
    case 'stop_judging':
    case 'open':
      return
    default:
      return unreachable(effect)
  }
}

function mustState(store: ReviewStore) {
  const state = store.state()
  if (state === null) throw new TypeError('the state is written before what tells of it')
  return state
}
