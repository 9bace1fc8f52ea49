// A proxied lab for whole-process tests: real gateway, real agent, real cell. The cell's journal is the
// oracle: what really moved, how often, in what order.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { readyCell } from '../../../lab/local/attacks/attack.ts'
import { must } from '../../../lab/local/client.ts'
import { startLab, type Lab, type LabOptions } from '../../../lab/local/lab.ts'
import { recordStanding } from '../../../lab/local/standing.ts'
import { cellRecordSchema } from '../../../protocol/state.ts'
import { getSession, sessionOf, submit, until, type SessionView } from '../../../lab/local/plans.ts'
import { passOn, type Direction, type FrameHook } from '../../../lab/local/proxy.ts'

export type JournalRow = {
  seq: number
  phase: 'begin' | 'end' | 'refused'
  call: string
  tool: string
  session: string | null
  node: string | null
  outcome: string | null
  args_digest: string
  at_ms: number
}

/** A plan of three nodes in a row that the demo site accepts: read, move liquid, write. */
export const threeNodes = {
  goal: 'Repeat well C7 after the short aspiration',
  instructions: [
    'The run log flags a short aspiration in C7.',
    'Dispense 20 µL again into the spare well C8.',
    'Write C8 with a note that points to C7; leave C7 as it is.',
  ],
  planner: { id: 'planner-wetlab-01' },
  nodes: [
    {
      id: 'n1',
      tool: 'lims.read_sample',
      args: { sample_id: 'RL-551', fields: ['aspiration_flags'] },
      depends_on: [],
      sandbox: null,
    },
    {
      id: 'n2',
      tool: 'liquid_handler.transfer',
      args: {
        pipette: 'p20',
        volume_ul: 20,
        source: { labware: 'sample_plate', well: 'C7' },
        destination: { labware: 'assay_plate_9', well: 'C8' },
        liquid: 'serum dilution 1:100',
        new_tip: 'once',
      },
      depends_on: ['n1'],
      sandbox: null,
    },
    {
      id: 'n3',
      tool: 'lims.write_result',
      args: {
        sample_id: 'RL-551',
        field: 'repeat_well',
        value: 'C8 replaces C7 for analysis, C7 kept',
        provenance: 'administrative',
      },
      depends_on: ['n2'],
      sandbox: null,
    },
  ],
} as const

/** What has to stand in the cell for it. */
export const standing = cellRecordSchema.parse({
  inventory: [
    {
      thing: 'sample_plate',
      kind: 'plate_96',
      at: 'deck_12',
      contents: [{ part: 'C7', substance: 'serum dilution 1:100', volume: '30 uL' }],
      human: true,
      consent: 'active',
    },
    { thing: 'assay_plate_9', kind: 'plate_96', at: 'deck_11' },
  ],
  facts: [{ thing: 'assay_plate_9', fact: 'contents', value: [] }],
})

export class Stage {
  readonly lab: Lab
  private readonly dir: string

  private constructor(lab: Lab, dir: string) {
    this.lab = lab
    this.dir = dir
  }

  static async open(options: Partial<LabOptions> = {}): Promise<Stage> {
    const dir = await mkdtemp(path.join(tmpdir(), 'portcullis-e2e-'))
    // Acts take long enough to be interrupted and short enough for many runs.
    const lab = await startLab({
      stateDir: dir,
      timeScale: 20,
      actMsMax: 600,
      proxied: true,
      ...options,
    })
    return new Stage(lab, dir)
  }

  async close(): Promise<void> {
    await this.lab.close()
    await rm(this.dir, { recursive: true, force: true })
  }

  hook(hook: FrameHook): void {
    this.lab.proxy?.setHook(hook)
  }

  unhook(): void {
    this.hook(passOn)
  }

  /** Clears and arms the agent's cell. */
  ready(): Promise<void> {
    return readyCell(this.lab, this.lab.record.cell)
  }

  planner(): string {
    return this.lab.record.planners[threeNodes.planner.id] ?? ''
  }

  /** Records what has to stand in the cell for the plan. */
  async stand(): Promise<void> {
    await recordStanding(this.lab, this.lab.record.cell, standing)
  }

  /** Submits the plan; resolves with its id once accepted. */
  async accept(plan: object = threeNodes): Promise<string> {
    await this.stand()
    const posted = await submit(this.lab.url, this.planner(), plan)
    expect(posted, JSON.stringify(posted)).toMatchObject({ verdict: 'accept' })
    return posted.plan
  }

  sessionOf(plan: string): Promise<string> {
    const { operator } = this.lab.record
    return sessionOf(this.lab.url, { planner: this.planner(), operator }, plan)
  }

  session(session: string): Promise<SessionView> {
    return getSession(this.lab.url, this.lab.record.operator, session)
  }

  /** Waits for the end; a gateway that is down meanwhile is asked again. */
  ended(session: string, timeoutMs = 90_000): Promise<SessionView> {
    const read = () => this.session(session).catch(() => null)
    return until(
      read,
      (view) => view?.status === 'completed' || view?.status === 'terminated',
      timeoutMs,
    ) as Promise<SessionView>
  }

  /** Waits for the step to be reached; a session that ends before it fails the test at once. */
  async reached(session: string, fired: Promise<void>): Promise<void> {
    const early = this.ended(session, 60_000).then(
      (view) => `the session ended before the step: ${JSON.stringify(view)}`,
      (cause: unknown) => `the step was not reached: ${String(cause)}`,
    )
    const first = await Promise.race([fired.then(() => null), early])
    if (first !== null) throw new Error(first)
  }

  /** Waits until the cell's journal shows that a node's act has begun. */
  async begun(session: string, node: string): Promise<void> {
    const end = Date.now() + 30_000
    for (;;) {
      const rows = await this.journal(session)
      if (rows.some((row) => row.phase === 'begin' && row.node === node)) return
      if (Date.now() > end) throw new Error(`${node} did not begin`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  async cell(): Promise<{
    needs_clearance: boolean
    session: string | null
    latch_reason: string | null
  }> {
    const { items } = await must<{
      items: {
        cell: string
        needs_clearance: boolean
        session: string | null
        latch_reason: string | null
      }[]
    }>(this.lab.url, { method: 'GET', path: '/v1/cells', token: this.lab.record.operator })
    const cell = items.find((row) => row.cell === this.lab.record.cell)
    if (cell === undefined) throw new Error('the cell is gone')
    return cell
  }

  async journal(session?: string): Promise<JournalRow[]> {
    const text = await readFile(this.lab.journal, 'utf8').catch(() => '')
    const rows = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JournalRow)
    return session === undefined ? rows : rows.filter((row) => row.session === session)
  }

  /**
   * The law of every run, by the journal: no node twice, only in the order of the context, never two
   * at once, and nothing begins after the session has ended.
   */
  async checkJournal(view: SessionView & { ended_ms?: number | null }): Promise<string[]> {
    const rows = await this.journal(view.session)
    const begun = rows.filter((row) => row.phase === 'begin').map((row) => row.node ?? '')
    expect(new Set(begun).size, `a node ran twice: ${begun.join()}`).toBe(begun.length)
    expect(begun, 'nodes ran out of order').toEqual(view.order.slice(0, begun.length))
    let open: string | null = null
    for (const row of rows) {
      if (row.phase === 'begin') {
        expect(open, 'two acts at once').toBeNull()
        open = row.call
      }
      if (row.phase === 'end') open = null
    }
    return begun
  }
}

/** The frames of a node's life as they cross the wire, in order. */
export const lifeSteps: readonly { name: string; direction: Direction; type: string }[] = [
  { name: 'pull', direction: 'to_gateway', type: 'pull' },
  { name: 'token', direction: 'to_agent', type: 'token' },
  { name: 'start', direction: 'to_gateway', type: 'start' },
  { name: 'go', direction: 'to_agent', type: 'go' },
  { name: 'report', direction: 'to_gateway', type: 'report' },
  { name: 'ack', direction: 'to_agent', type: 'ack' },
]

/** Calls `then` when the frame of `step` for the second node passes, once; says what to do with it. */
export function atStep(
  step: (typeof lifeSteps)[number],
  then: (text: string) => ReturnType<FrameHook>,
  nodeIndex = 1,
): { hook: FrameHook; fired: Promise<void> } {
  let seen = 0
  let done = false
  let fire: () => void = () => undefined
  const fired = new Promise<void>((resolve) => {
    fire = resolve
  })
  const hook: FrameHook = (frame) => {
    const pass = { send: [{ text: frame.text }] }
    if (done || frame.direction !== step.direction || !frame.path.includes('/sessions/'))
      return pass
    const { type } = JSON.parse(frame.text) as { type: string }
    if (type !== step.type || seen++ !== nodeIndex) return pass
    done = true
    fire()
    return then(frame.text)
  }
  return { hook, fired }
}

/** One stage for all tests of a file, its cell ready and no frame touched before each of them. */
export function stageOfFile(): () => Stage {
  let stage: Stage | undefined
  const there = (): Stage => {
    if (stage === undefined) throw new Error('the stage is not open yet')
    return stage
  }
  beforeAll(async () => {
    stage = await Stage.open()
  })
  afterAll(async () => {
    await stage?.close()
  })
  beforeEach(async () => {
    there().unhook()
    await there().ready()
  })
  return there
}
