// How long a stop takes while fifty sessions run, over loopback. First from the press to the halt at the agent,
// of one cell and of many at once; these agents keep the protocol and drive nothing, since fifty real ones
// do not fit two cores. Then from the press to the device (stop-rest.ts).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { must } from '../local/client.ts'
import { startLab } from '../local/lab.ts'
import { withP99, type BenchCase } from './case.ts'
import { driver, openPlan, readings, type Field } from './drivers.ts'
import { rests } from './stop-rest.ts'

const sessions = 50

type Running = { readonly cell: string; readonly line: Awaited<ReturnType<typeof openPlan>> }

/** Lets the first node of a session go, so that it is in mid-run when it is stopped. */
async function begin(line: Running['line']): Promise<void> {
  const { token } = await line.pull()
  line.socket.send(await line.startFrame(token))
  await line.expect('go')
}

/** From the press of one cell's stop to the halt at its agent. */
async function pressed(field: Field, { cell, line }: Running): Promise<number> {
  const began = performance.now()
  const halted = line.expect('halt').then(({ reason }) => {
    if (reason !== 'stopped_by_person') throw new Error(`${cell} had ended before: ${reason}`)
    return performance.now() - began
  })
  const answered = must(field.handle.base, {
    method: 'POST',
    path: `/v1/cells/${cell}/stop`,
    token: field.operator,
  })
  const ms = await halted
  await answered
  return ms
}

/** Stops of cells whose agents have no device: one after the other, and many at once. */
async function halts(field: Field): Promise<BenchCase[]> {
  const lines: Running[] = []
  for (let i = 1; i <= sessions; i++) {
    const agent = await driver(field, i)
    lines.push({ cell: agent.cell, line: await openPlan(field, agent, readings(4)) })
  }
  // Only now: a step that is not reported within its tool's time ends its session by itself.
  await Promise.all(lines.map(({ line }) => begin(line)))
  // One cell after the other, while the others go on, then all that are left at once.
  const half = lines.length / 2
  const alone: number[] = []
  for (const one of lines.slice(0, half)) alone.push(await pressed(field, one))
  const together = await Promise.all(lines.slice(half).map((one) => pressed(field, one)))
  return [
    ...withP99(`stop of one cell to its halt, ${sessions} sessions running`, alone),
    ...withP99(`stops of ${half} cells at once to their halts`, together, { 'of one cell': alone }),
  ]
}

export async function cases(): Promise<BenchCase[]> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'portcullis-bench-'))
  try {
    const lab = await startLab({ stateDir, timeScale: 1_000 })
    const told: BenchCase[] = []
    try {
      told.push(...(await halts({ handle: lab.handle, ...lab.record })))
    } finally {
      await lab.close()
    }
    return [...told, ...(await rests())]
  } finally {
    await rm(stateDir, { recursive: true, force: true })
  }
}
