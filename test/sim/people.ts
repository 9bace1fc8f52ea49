// The people of a site: a planner whose plans are accepted one by one, and an operator who looks at the
// cells again and again, arms, clears, and stops. What they did and when is the other half of the oracle.
import type { CellStatus, SessionStop } from '../../protocol/status.ts'
import { cells, planOf, type Cell } from './gateway/site.ts'
import type { World } from './world.ts'

/** An act of a person that the gateway has answered. */
export type Deed = {
  readonly what: 'armed' | 'cleared' | 'stopped' | 'disarmed' | 'released' | 'session_stopped'
  readonly cell: string
  readonly asked_ms: number
  readonly answered_ms: number
  readonly stops: readonly SessionStop[]
}

export type Submitted = { readonly plan: string; readonly body: object; readonly cell: Cell }

const who = { by: 'olga', credential: 'cred-olga' }
const armMs = 3_600_000

export class People {
  readonly deeds: Deed[] = []
  readonly plans: Submitted[] = []
  /** Plans that the gateway did not take, so that nobody counts on them. */
  refused = 0
  /** How often a person who looks stops something that runs. */
  stopChance = 0
  working = true
  /** Cells that only an administrator could free. */
  forced = 0
  readonly #world: World
  #made = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Looks at every cell now and then, until told to go home. */
  work(everyMs: number): void {
    const { time, random } = this.#world
    const look = (): void => {
      time.after(everyMs * random.between(0.7, 1.3), () => {
        if (!this.working) return
        this.round().then(look, (cause: unknown) => {
          this.#world.log('olga', `no answer: ${String(cause)}`)
          look()
        })
      })
    }
    look()
  }

  async submit(cell: Cell, shape: number): Promise<void> {
    const body = planOf(++this.#made, shape, cell)
    try {
      const plan = await this.#world.gateway.accept(body)
      this.plans.push({ plan, body, cell })
      this.#world.log('planner', `accepted ${plan} for ${cell}`)
    } catch (cause) {
      this.refused++
      this.#world.log('planner', `not taken: ${String(cause)}`)
    }
  }

  /** One look at the site. */
  async round(): Promise<void> {
    const { gateway, random } = this.#world
    for (const cell of await gateway.hub().cells()) {
      if (random.chance(this.stopChance)) await this.stop(cell)
      else await this.tend(cell)
    }
  }

  /** What an administrator may do where nobody else can: after a restore a word may be lost for good. */
  async force(cell: CellStatus): Promise<void> {
    const act = { ...who, seen: cell.change }
    const hub = this.#world.gateway.hub()
    this.forced++
    await this.#did('stopped', cell.cell, () => hub.forceClear(cell.cell, 'Looked at it.', act))
  }

  /** Whatever the cell asks of a person. */
  async tend(cell: CellStatus): Promise<void> {
    const { time } = this.#world
    const hub = this.#world.gateway.hub()
    const act = { ...who, seen: cell.change }
    const now = time.now_ms
    if (cell.needs_clearance && cell.session === null) {
      await this.#did('cleared', cell.cell, () => hub.clear(cell.cell, 'Looked at it.', act))
    } else if (cell.needs_clearance) {
      // A session that does not end by itself is stopped before anybody clears.
      await this.#did('stopped', cell.cell, () => hub.stopCell(cell.cell, who.by))
    } else if (cell.armed_until_ms === null || cell.armed_until_ms < now + 600_000) {
      await this.#did('armed', cell.cell, () => hub.arm(cell.cell, now + armMs, act))
    } else if (cell.held_by !== null || cell.holds.length > 0) {
      await this.#did('released', cell.cell, () => hub.releaseCell(cell.cell, act))
    }
  }

  async stop(cell: CellStatus): Promise<void> {
    const { gateway, random, time } = this.#world
    const hub = gateway.hub()
    const way = random.below(4)
    if (way === 0) {
      return this.#did('disarmed', cell.cell, () => hub.disarm(cell.cell, who.by))
    }
    if (way === 1) {
      const asked_ms = time.now_ms
      const { sessions } = await hub.stopSite(who.by)
      for (const name of cells) this.#note('stopped', name, asked_ms, sessions)
    } else if (way === 2 && cell.session !== null) {
      const { session } = cell
      const asked_ms = time.now_ms
      const answer = await hub.stopSession(session, who.by, null)
      const stops = answer === null ? [] : [answer.stop]
      this.#note('session_stopped', cell.cell, asked_ms, stops)
    } else await this.#did('stopped', cell.cell, () => hub.stopCell(cell.cell, who.by))
  }

  async #did(
    what: Deed['what'],
    cell: string,
    ask: () => Promise<{ ok: true; value: CellStatus } | { ok: false; error: object }>,
  ): Promise<void> {
    const asked_ms = this.#world.time.now_ms
    const answer = await ask().catch((cause: unknown) => {
      // It may have been done all the same; only a stop counts by its answer alone.
      if (what === 'armed' || what === 'cleared') this.#note(what, cell, asked_ms, [])
      throw cause
    })
    if (answer.ok) this.#note(what, cell, asked_ms, answer.value.stops)
    else this.#world.log('olga', `${what} ${cell} refused: ${JSON.stringify(answer.error)}`)
  }

  #note(what: Deed['what'], cell: string, asked_ms: number, stops: readonly SessionStop[]): void {
    const answered_ms = this.#world.time.now_ms
    this.deeds.push({ what, cell, asked_ms, answered_ms, stops })
    this.#world.log('olga', `${what} ${cell} ${JSON.stringify(stops)}`)
  }
}
