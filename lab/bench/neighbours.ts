// How far one site at full speed moves another: the p95 of `go` and of verdicts at the quiet site, in rounds that
// take turns in one run: nobody else; a noisy site at the same gateway; the same noise at another gateway
// of this machine. The last is what sharing processors and disk costs, whatever the gateway does; what the
// noisy site adds to it is the gateway's own part, and locally that is mostly its one thread.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { request } from '../local/client.ts'
import { startLab } from '../local/lab.ts'
import { postPlan, type PlanView } from '../local/plans.ts'
import { startGatewayProcess, startNode, type Child } from '../local/processes.ts'
import { benchCase, quantile, type BenchCase } from './case.ts'
import { driveNode, driver, openPlan, planner, readings, type Field } from './drivers.ts'

const rounds = 5
const nodes = 30
const verdicts = 10
const kinds = ['quiet', 'here', 'elsewhere'] as const
type Kind = (typeof kinds)[number]
const words: Record<Kind, string> = {
  quiet: 'nobody else',
  here: 'a noisy site at the same gateway',
  elsewhere: 'the same noise at another gateway of this machine',
}

/** A noisy site, silent until it is told. */
class Noise {
  readonly #child: Child
  readonly #lines: string[] = []
  done: Record<string, number> = {}

  constructor(url: string, operatorToken: string) {
    const env = { OPERATOR_TOKEN: operatorToken }
    this.#child = startNode('lab/bench/noise.ts', [url], { env })
    this.#child.process.stdout?.on('data', (data: Buffer) => {
      this.#lines.push(...String(data).split('\n').filter(Boolean))
    })
  }

  ready(): Promise<string> {
    return this.#child.line(/"ready"/, 120_000)
  }

  async around<T>(work: () => Promise<T>): Promise<T> {
    this.#child.process.stdin?.write('loud\n')
    // Until its submitters are at work.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const before = this.#lines.length
    try {
      return await work()
    } finally {
      this.#child.process.stdin?.write('quiet\n')
      while (this.#lines.length === before) await new Promise((resolve) => setTimeout(resolve, 20))
      const told = JSON.parse(this.#lines.at(-1) ?? '{}') as Record<string, number>
      for (const [name, n] of Object.entries(told)) this.done[name] = (this.done[name] ?? 0) + n
    }
  }

  kill(): Promise<void> {
    return this.#child.kill('SIGKILL')
  }
}

/** Processor seconds of workerd below a process so far (Linux); 0 where nobody tells. */
async function workerdS(pid: number): Promise<number> {
  for (const entry of await readdir('/proc').catch(() => [])) {
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (!stat.includes('(workerd)') || Number(fields[1]) !== pid) continue
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
  return 0
}

/** One round at the quiet site: verdicts and then steps, one after the other. */
async function round(field: Field, session: Awaited<ReturnType<typeof openPlan>>) {
  const { base } = field.handle
  const token = field.planners[planner] ?? ''
  const go: number[] = []
  const verdict: number[] = []
  for (let i = 0; i < verdicts; i++) {
    const began = performance.now()
    const answer = await postPlan(base, token, { ...readings(5), agent: 'driver-2' })
    if (answer.status !== 200) throw new Error(`no verdict: ${JSON.stringify(answer.body)}`)
    verdict.push(performance.now() - began)
    const withdraw = `/v1/plans/${(answer.body as PlanView).plan}/withdraw`
    await request(base, { method: 'POST', path: withdraw, token })
  }
  for (let i = 0; i < nodes; i++) {
    go.push((await driveNode(session)).go)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { go, verdict }
}

export async function cases(): Promise<BenchCase[]> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'portcullis-bench-'))
  const lab = await startLab({ stateDir, timeScale: 1_000 })
  const args = ['--no-bundle', '--port', '0', '--state', path.join(stateDir, 'elsewhere')]
  const other = await startGatewayProcess(args)
  const noises = {
    here: new Noise(lab.url, lab.gateway().operatorToken),
    elsewhere: new Noise(other.url, other.operatorToken),
  }
  try {
    await Promise.all([noises.here.ready(), noises.elsewhere.ready()])
    const field: Field = { handle: lab.handle, ...lab.record }
    const agent = await driver(field, 1)
    const sleeper = await driver(field, 2)
    sleeper.goOffline()
    const go: Record<Kind, number[]> = { quiet: [], here: [], elsewhere: [] }
    const verdict: Record<Kind, number[]> = { quiet: [], here: [], elsewhere: [] }
    const busy: Record<Kind, number[]> = { quiet: [], here: [], elsewhere: [] }
    for (let i = 0; i < rounds; i++) {
      for (const kind of kinds) {
        const session = await openPlan(field, agent, readings(nodes))
        const work = async () => {
          const [s, ms] = [await workerdS(lab.gateway().child.pid), performance.now()]
          const one = await round(field, session)
          go[kind].push(...one.go)
          verdict[kind].push(...one.verdict)
          const used = (await workerdS(lab.gateway().child.pid)) - s
          busy[kind].push((100_000 * used) / (performance.now() - ms))
        }
        await (kind === 'quiet' ? work() : noises[kind].around(work))
        session.socket.close()
      }
    }
    agent.goOffline()
    process.stderr.write(`the noisy site did ${JSON.stringify(noises.here.done)}\n`)
    process.stderr.write(`the one elsewhere did ${JSON.stringify(noises.elsewhere.done)}\n`)
    const rows = (what: string, of: Record<Kind, number[]>): BenchCase[] =>
      kinds.flatMap((kind) => {
        const peers: Record<string, number[]> = kind === 'quiet' ? {} : { [words.quiet]: of.quiet }
        const p95 = (times: readonly number[]): number[] => [quantile(times, 0.95)]
        const peers95 = kind === 'quiet' ? {} : { [words.quiet]: p95(of.quiet) }
        return [
          benchCase(`${what}, ${words[kind]}`, 'ms', { own: of[kind], peers }),
          benchCase(`${what}, ${words[kind]}: p95`, 'ms', { own: p95(of[kind]), peers: peers95 }),
        ]
      })
    return [
      ...rows('start → go at the quiet site', go),
      ...rows('submission → verdict at the quiet site', verdict),
      ...kinds.map((kind) =>
        benchCase(`share of a core that the gateway used, ${words[kind]}`, '%', {
          own: busy[kind],
        }),
      ),
    ]
  } finally {
    await Promise.all([noises.here.kill(), noises.elsewhere.kill()])
    await other.child.kill('SIGTERM')
    await lab.close()
    await rm(stateDir, { recursive: true, force: true })
  }
}
