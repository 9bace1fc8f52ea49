// From a person's press to the call of the safe stop in the journal of the cell, with a real agent and a cell
// that moves, beside fifty running sessions: undisturbed, behind a flood of plans, with reviews that hang,
// with the agent's disk full, and with a device that reads nothing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleWorker } from '../local/bundle.ts'
import { startLab, type Lab } from '../local/lab.ts'
import { submit } from '../local/plans.ts'
import { withP99, type BenchCase } from './case.ts'
import { driver, planner, readings, running, submitting, type Field } from './drivers.ts'
import { press, type Trouble } from './press.ts'
import { mountable, muteDevice, smallDisk } from './troubles.ts'

const others = 49
/** A step of each of them every so often: ten steps a second together. */
const paceMs = 5_000
const hung = 4
const many = 20
const some = 12

const hungGateway = path.join(import.meta.dirname, 'faults', 'hung-gateway.ts')
/** As lab/bench/faults/hung-gateway.ts has it. */
const hungAgents = 'hung-'

async function presses(n: number, one: () => Promise<number>): Promise<number[]> {
  const out: number[] = []
  for (let i = 0; i < n; i++) out.push(await one())
  return out
}

/** Plans that are accepted and that their reviews bind for ever. */
async function hang(lab: Lab, field: Field): Promise<void> {
  for (let i = 1; i <= hung; i++) {
    const { name } = await driver(field, i, hungAgents)
    await submit(lab.url, lab.record.planners[planner] ?? '', { ...readings(2), agent: name })
  }
}

async function measured(lab: Lab, disk: Trouble | null): Promise<BenchCase[]> {
  const field: Field = { handle: lab.handle, ...lab.record }
  const sleeper = await driver(field, 1)
  sleeper.goOffline()
  const ends: (() => void)[] = []
  for (let i = 2; i <= others + 1; i++) {
    ends.push(running(field, await driver(field, i), paceMs))
  }
  const name = 'press to the call of the safe stop'
  const quiet = await presses(many, () => press(lab))
  const out = withP99(`${name}, ${others} other sessions running`, quiet)
  const row = async (what: string, n: number, one: () => Promise<number>): Promise<void> => {
    out.push(...withP99(`${name}, ${what}`, await presses(n, one), { 'without it': quiet }))
  }
  const flood = submitting(field, 16, sleeper.name)
  try {
    await row('16 submitters in flight', many, () => press(lab))
  } finally {
    await flood.end()
  }
  await hang(lab, field)
  await row(`${hung} reviews that never answer a binding`, some, () => press(lab))
  if (disk !== null) await row("the agent's disk full", some, () => press(lab, disk))
  await row('a device that reads nothing', some, () => press(lab, muteDevice(lab.journal), true))
  for (const end of ends) end()
  return out
}

/** The cases; the lab is made and thrown away. */
export async function rests(): Promise<BenchCase[]> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'portcullis-bench-'))
  const disk = mountable ? smallDisk(path.join(stateDir, 'agent')) : null
  try {
    const script = await bundleWorker(hungGateway)
    const lab = await startLab({ stateDir, script })
    try {
      return await measured(lab, disk)
    } finally {
      await lab.close()
    }
  } finally {
    disk?.unmount()
    await rm(stateDir, { recursive: true, force: true })
  }
}
