// The real ExecutionSession beside stand-ins of SiteHub and PlanReview that a test can steer: slow,
// refusing or failing neighbours are cases of their own.
import { DurableObject } from 'cloudflare:workers'
import type { AuthorityQuestion, SessionEnd } from '../../../durable-objects/contracts.ts'
import type { TerminationReason } from '../../../protocol/reasons.ts'
import { err, ok, type Result } from '../../../protocol/result.ts'

export { ExecutionSession } from '../../../durable-objects/execution-session.ts'

export type HubMood = {
  /** null answers ok; a reason refuses; 'throw' fails; 'hang' never answers. */
  answer: TerminationReason | 'throw' | 'hang' | null
  delay_ms: number
  /** How many deliveries of an end fail before one is taken. */
  deaf: number
  /** How many questions fail before one is answered. */
  resets: number
}

/** Hears ends; forgets none. */
class Listener extends DurableObject {
  protected mood: HubMood = { answer: null, delay_ms: 0, deaf: 0, resets: 0 }
  #asked: AuthorityQuestion[] = []
  #ended: SessionEnd[] = []

  /** Mood and grants outlive the object in memory: a session may be quiet for longer than it is kept. */
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env)
    this.mood = ctx.storage.kv.get<HubMood>('mood') ?? this.mood
  }

  set(mood: Partial<HubMood>): void {
    this.mood = { ...this.mood, ...mood }
    this.ctx.storage.kv.put('mood', this.mood)
  }

  asked(): AuthorityQuestion[] {
    return this.#asked
  }

  /** How many questions were answered with yes. */
  granted(): number {
    return this.ctx.storage.kv.get<number>('granted') ?? 0
  }

  ended(): SessionEnd[] {
    return this.#ended
  }

  sessionEnded(end: SessionEnd): void {
    if (this.mood.deaf > 0) {
      this.mood.deaf--
      throw new Error('deaf')
    }
    this.#ended.push(end)
  }

  async mayActuate(
    authority: AuthorityQuestion,
  ): Promise<Result<void, { reason: TerminationReason }>> {
    this.#asked.push(authority)
    const { answer, delay_ms } = this.mood
    if (this.mood.resets > 0) {
      this.mood.resets--
      throw new Error('Durable Object reset because its code was updated.')
    }
    if (delay_ms > 0) await scheduler.wait(delay_ms)
    if (answer === 'throw') throw new Error('hub is down')
    if (answer === 'hang') await scheduler.wait(30_000)
    if (answer === null || answer === 'hang') {
      this.ctx.storage.kv.put('granted', this.granted() + 1)
      return ok(undefined)
    }
    return err({ reason: answer })
  }
}

export class SiteHub extends Listener {}
export class PlanReview extends Listener {}

/** Holds nothing, until it is told to. */
export class SiteKeeper extends DurableObject {
  hold(plan: string): void {
    this.ctx.storage.kv.put('held', plan)
  }

  /** From now on it fails whoever asks. */
  fail(): void {
    this.ctx.storage.kv.put('fails', true)
  }

  isHeld(_site: string, plan: string): boolean {
    if (this.ctx.storage.kv.get('fails') === true) throw new Error('keeper is down')
    return this.ctx.storage.kv.get('held') === plan
  }
}

export default { fetch: () => new Response(null, { status: 404 }) }
