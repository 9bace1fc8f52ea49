// The page for authors of planners, followed to the letter: its commands, and nothing else, against a real
// gateway with a real agent.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { digest } from '../../../protocol/digest.ts'
import { must } from '../../../lab/local/client.ts'
import { until } from '../../../lab/local/plans.ts'
import { stageOfFile } from './harness.ts'

const run = promisify(execFile)
const page = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'planner.md')
const stage = stageOfFile()

/** What stands for the two lines that name what `npm start` has printed. */
const given = /^export (?:GATEWAY|PLANNER)=.*\n/gm

type Agents = { items: { health: { servers: Record<string, { state: string }> } | null }[] }

/** On a busy machine a device server may have been silent for a while: `npm start` is over by then. */
const devicesUp = () =>
  until(
    () => {
      const token = stage().lab.record.operator
      return must<Agents>(stage().lab.url, { method: 'GET', path: '/v1/agents', token })
    },
    ({ items }) =>
      items.length > 0 &&
      items.every(({ health }) =>
        Object.values(health?.servers ?? { none: { state: 'down' } }).every(
          ({ state }) => state === 'up',
        ),
      ),
    60_000,
  )

test('the commands of the page lead from nothing to a result that is read', async () => {
  const text = await readFile(page, 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks.join('').match(given)).toHaveLength(2)
  const commands = blocks.map((block) => block.replaceAll(given, '')).filter(Boolean)
  expect(commands.length).toBeGreaterThanOrEqual(6)
  await devicesUp()
  const dir = await mkdtemp(path.join(tmpdir(), 'planner-page-'))
  try {
    // Each block shows its end, so that what it printed can be told from the next one's.
    const mark = '<<end of block>>'
    const script = commands.map((block) => `${block}\necho '${mark}'`).join('\n')
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: dir,
      env: { PATH: process.env['PATH'], GATEWAY: stage().lab.url, PLANNER: stage().planner() },
      timeout: 120_000,
      maxBuffer: 10_000_000,
    })
    const printed = stdout.split(mark).map((one) => one.trim())
    const [me = '', , check = '', submitted = '', events = '', result = ''] = printed
    expect(me).toContain('"subject":"planner-wetlab-01"')
    expect(JSON.parse(check)).toMatchObject({ would: 'judge' })
    expect(JSON.parse(submitted)).toMatchObject({ verdict: 'accept' })
    expect([...events.matchAll(/"id":"(n\d)","tool":"[^"]*","what":"(\w+)"/g)].map(String)).toEqual(
      ['n1', 'n2'].flatMap((id) =>
        ['started', 'succeeded'].map((what) => expect.stringContaining(`,${id},${what}`) as string),
      ),
    )
    expect(events).toContain('"state":"completed"')
    // What was filed is what was measured: the call had the value in its place, and no reference.
    const { data } = JSON.parse(result) as { data: { mass_mg: number } }
    const session = /"session":"(sess_[^"]+)"/.exec(events)?.[1] ?? ''
    const filed = { unit: 'mg', provenance: 'measured', source_node: 'n1', value: data.mass_mg }
    const calls = await stage().journal(session)
    const write = calls.find((one) => 'node' in one && one.node === 'n2')
    expect(write).toMatchObject({
      args_digest: await digest('args', { sample_id: 'QC-7', field: 'balance_check', ...filed }),
    })
    expect(JSON.parse(result)).toMatchObject({
      nid: 'n1',
      data: { balance_id: 'bal_1', mass_mg: expect.closeTo(250, 0) as number },
      withheld: null,
    })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
