// From an MCP server to the first accepted plan, as an administrator does it: with the commands alone, on the bench
// of the tutorial as its text says, and on one that the documents do not know. Answers are counted.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { scratch } from '../support/scratch.ts'

const root = path.join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const answersMax = 10

type Log = { answers: { id: string; held: number; of: number }[] }
type Tested = { n: number; wrong: string[]; trials: { id: string; verdict: string }[] }

/** One command of the kit, with its document. */
async function site<T>(...args: string[]): Promise<T> {
  const at = args.indexOf('--')
  const cut = at < 0 ? args.length : at
  const all = [...args.slice(0, cut), '--json', ...args.slice(cut)]
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 }
  const done = run(process.execPath, ['site-kit/main.ts', ...all], options)
  // `test` ends with 1 where a plan is not as expected; what it says is what is looked at.
  const { stdout } = await done.catch((cause: unknown) => cause as { stdout: string })
  return JSON.parse(stdout) as T
}

/** The commands of the tutorial as they are printed, each as its words. */
function tutorial(): string[][] {
  const text = readFileSync(path.join(root, 'docs/site-file.md'), 'utf8')
  const [part = ''] = /## Tutorial[\s\S]*?(?=\n## )/.exec(text) ?? []
  const blocks = [...part.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '')
  const lines = blocks.join('\n').replaceAll('\\\n', ' ').split('\n')
  return lines
    .filter((line) => line.startsWith('npm run -s site -- '))
    .map((line) => line.slice('npm run -s site -- '.length))
    .map((line) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, a, b]) => a ?? b ?? ''))
}

test('the tutorial leads from two tools to plans as expected, by what it prints and no more', async () => {
  const file = path.join(scratch(), 'ph.json')
  const commands = tutorial().map((words) =>
    words.map((word) => (word === 'ph.json' ? file : word)),
  )
  expect(commands.map(([what]) => what)).toEqual(['draft', 'answer', 'check', 'answer', 'test'])
  const answered: Log['answers'] = []
  for (const words of commands) {
    if (words[0] === 'answer') answered.push(...(await site<Log>(...words)).answers)
    else if (words[0] === 'test') {
      const tested = await site<Tested>(...words)
      expect([tested.n, tested.wrong]).toEqual([3, []])
      expect(tested.trials[0]).toMatchObject({ id: 'acid-and-read', verdict: 'accept' })
    } else await site(...words)
  }
  expect(answered.length).toBeLessThanOrEqual(answersMax)
  expect(answered.every(({ of }) => of === 3)).toBe(true)
  expect(answered.at(-1)?.held).toBe(0)
}, 120_000)

test('a bench that no document knows: its first accepted plan after seven answers', async () => {
  const folder = path.join(import.meta.dirname, 'titration')
  const plans = path.join(folder, 'plans.jsonl')
  const file = path.join(scratch(), 'site.json')
  const server = [process.execPath, path.join(folder, 'server.mjs')]
  await site('draft', file, '--server', 'titration', '--', ...server)
  const { answers } = await site<Log>(
    'answer',
    file,
    '--examples',
    plans,
    'does:doseTitrant=transfer from="burette" to="flask"',
    'does:getPh=measure device=/electrode target="flask"',
    'planner:=1',
    'thing:flask=vessel 100 mL',
    'thing:burette=vessel 25 mL',
    'thing:E1=1',
    // A dose that also stirs, where the speed is given: one more act, as it is proposed.
    'argument:doseTitrant/stirrer_rpm=1',
  )
  expect(answers.length).toBeLessThanOrEqual(answersMax)
  expect(answers.at(-1)).toMatchObject({ held: 0, of: 4 })
  const { trials } = await site<Tested>('test', file, plans)
  expect(trials.map(({ verdict }) => verdict)).toEqual(['accept', 'accept', 'escalate', 'reject'])
}, 120_000)
