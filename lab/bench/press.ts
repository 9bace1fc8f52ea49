// One press of a stop at a cell with real devices: a real agent moves liquid in a simulated cell, a person
// stops the cell, and the cell's own journal says when the device was asked to stop.
import { readFile } from 'node:fs/promises'
import { readyCell } from '../local/attacks/attack.ts'
import { must } from '../local/client.ts'
import type { Lab } from '../local/lab.ts'
import { sessionOf, submit, until } from '../local/plans.ts'
import { recordStanding } from '../local/standing.ts'
import { cellRecordSchema } from '../../protocol/state.ts'
import { planner } from './drivers.ts'

type Row = { phase: string; tool: string; session: string | null; at_ms: number }

const moving = {
  goal: 'Repeat well C7 after the short aspiration',
  instructions: ['Dispense 20 µL again into the spare well C8.', 'Leave C7 as it is.'],
  planner: { id: planner },
  nodes: [
    {
      id: 'n1',
      tool: 'liquid_handler.transfer',
      args: {
        pipette: 'p20',
        volume_ul: 20,
        source: { labware: 'sample_plate', well: 'C7' },
        destination: { labware: 'assay_plate_9', well: 'C8' },
        liquid: 'serum dilution 1:100',
        new_tip: 'once',
      },
      depends_on: [],
      sandbox: null,
    },
  ],
}

const standing = cellRecordSchema.parse({
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

/** What is done to the cell between the first motion and the press, and after the device was asked. */
export type Trouble = { readonly begin: () => void; readonly end: () => void }
const none: Trouble = { begin: () => undefined, end: () => undefined }

const waitMs = 20_000

async function journalOf(lab: Lab): Promise<Row[]> {
  const text = await readFile(lab.journal, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one) as Row)
}

/** The first line that fits, looked for every few milliseconds. */
async function line(lab: Lab, fits: (row: Row) => boolean): Promise<Row> {
  const end = Date.now() + waitMs
  for (;;) {
    const found = (await journalOf(lab)).find(fits)
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`no such line\n${lab.agent().log.slice(-15).join('\n')}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** When the agent wrote the call of its safe stop, by its own log; for a device that reads nothing. */
async function asked(lab: Lab, since_ms: number): Promise<number> {
  const times = (): number[] =>
    lab.agent().log.flatMap((text) => {
      const at = / safe_stop /.test(text) ? Date.parse(text.split(' ')[0] ?? '') : Number.NaN
      return at >= since_ms ? [at] : []
    })
  return (
    (
      await until(
        () => Promise.resolve(times()),
        (at) => at.length > 0,
        waitMs,
      )
    )[0] ?? 0
  )
}

/**
 * Milliseconds from the press of a cell's stop to the call of the safe stop: in the cell's journal, or, where
 * the device reads nothing (`mute`), to its being written; then the device is asked once it reads again.
 */
export async function press(lab: Lab, trouble: Trouble = none, mute = false): Promise<number> {
  const { cell, operator, agent } = lab.record
  const token = lab.record.planners[planner] ?? ''
  await readyCell(lab, cell)
  await recordStanding(lab, cell, standing)
  const posted = await submit(lab.url, token, { ...moving, agent })
  if (posted.verdict !== 'accept') throw new Error(`not accepted: ${JSON.stringify(posted)}`)
  const session = await sessionOf(lab.url, { planner: token, operator }, posted.plan)
  const moves = (row: Row) => row.phase === 'begin' && row.session === session
  await line(lab, (row) => moves(row) && row.tool === 'liquid_handler.transfer')
  trouble.begin()
  try {
    const pressed_ms = Date.now()
    const call = { method: 'POST', path: `/v1/cells/${cell}/stop`, token: operator }
    const answered = must(lab.url, call)
    const stops = (row: Row) =>
      row.phase === 'begin' && row.tool.endsWith('.safe_stop') && row.at_ms >= pressed_ms
    const at_ms = mute ? await asked(lab, pressed_ms) : (await line(lab, stops)).at_ms
    await answered
    trouble.end()
    await line(lab, stops)
    return at_ms - pressed_ms
  } finally {
    trouble.end()
  }
}
