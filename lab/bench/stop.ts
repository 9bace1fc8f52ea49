// How long a stop takes while fifty sessions run: from a person's press to the halt at the agent of the cell,
// over loopback. The agents keep the protocol and drive nothing, since fifty real ones do not fit two
// cores; what a real agent adds, from its halt to the call of the safe-stop, is not in the figure.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { must } from '../local/client.ts'
import { startLab } from '../local/lab.ts'
import { benchCase, quantile, type BenchCase } from './case.ts'
import { driver, openPlan, readings, type Field } from './drivers.ts'

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

export async function cases(): Promise<BenchCase[]> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'portcullis-bench-'))
  const lab = await startLab({ stateDir, timeScale: 1_000 })
  try {
    const field = { handle: lab.handle, ...lab.record }
    const running: Running[] = []
    for (let i = 1; i <= sessions; i++) {
      const agent = await driver(field, i)
      running.push({ cell: agent.cell, line: await openPlan(field, agent, readings(4)) })
    }
    // Only now: a step that is not reported within its tool's time ends its session by itself.
    await Promise.all(running.map(({ line }) => begin(line)))
    // One cell after the other, while the others go on, then all that are left at once.
    const half = running.length / 2
    const alone: number[] = []
    for (const one of running.slice(0, half)) alone.push(await pressed(field, one))
    const together = await Promise.all(running.slice(half).map((one) => pressed(field, one)))
    return [
      benchCase(`stop of one cell to its halt, ${sessions} sessions running`, 'ms', { own: alone }),
      benchCase('the same, p99', 'ms', { own: [quantile(alone, 0.99)] }),
      benchCase(`stops of ${half} cells at once to their halts`, 'ms', { own: together }),
      benchCase('the same, p99', 'ms', { own: [quantile(together, 0.99)] }),
    ]
  } finally {
    await lab.close()
    await rm(stateDir, { recursive: true, force: true })
  }
}
