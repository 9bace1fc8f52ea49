// `npm run -s site -- draft | check | answer | test`: from the tools of a lab's servers to a site file.
// It knows no lab, calls no tool, and approves nothing: the file is put in force with PUT /v1/tools.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { takeAnswer } from '../verify/onboard/answer.ts'
import { checkSite } from '../verify/onboard/check.ts'
import { blankSite, draftSite } from '../verify/onboard/draft.ts'
import { trialSite, tryPlan } from '../verify/onboard/trial.ts'
import {
  readExamples,
  readJson,
  readOffer,
  readSite,
  readSiteOrFail,
  UsageError,
  writeSite,
} from './files.ts'
import { listTools } from './live-list.ts'
import { convert } from './opentrons/plan.ts'
import { readProtocol } from './opentrons/read.ts'
import { previewAt, previewText } from './preview.ts'
import { checkText, startText, trialText } from './print.ts'

const usage = `usage: npm run -s site -- COMMAND FILE …
  draft FILE --server NAME -- COMMAND …   add the tools that a server lists (--url URL, --tools LIST.json)
  check FILE [--examples PLANS.jsonl]     what is missing, and the ten answers that free most (--all)
  answer FILE ID=ANSWER …                 answer questions (--examples PLANS.jsonl counts what is still held)
  test FILE PLANS.jsonl                   run the site's own example plans by dry run and rules
  preview FILE --gateway URL --token-file FILE   which of a site's last 200 verdicts the file would change
  plan PROTOCOL.json [--out FOLDER]       a protocol of Opentrons as a site file and a plan with its starting list
  --json prints one document on stdout`

function options(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        server: { type: 'string' },
        url: { type: 'string' },
        tools: { type: 'string' },
        examples: { type: 'string' },
        out: { type: 'string' },
        gateway: { type: 'string' },
        'token-file': { type: 'string' },
        all: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : ''}\n${usage}`)
  }
}

type Options = ReturnType<typeof options>['values']

/** What stands after a second `--` is a command of its own, with options of its own. */
function cut(argv: readonly string[]): [string[], string[]] {
  const at = argv.indexOf('--')
  return at < 0 ? [[...argv], []] : [argv.slice(0, at), argv.slice(at + 1)]
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const show = (value: unknown): void => say(JSON.stringify(value, null, 2))

async function draft(file: string, given: Options, command: readonly string[]): Promise<number> {
  const { server, url, tools } = given
  if (server === undefined)
    throw new UsageError(`draft needs --server NAME, as the agent names it\n${usage}`)
  const ways = [url, tools, command[0]].filter((way) => way !== undefined)
  if (ways.length !== 1)
    throw new UsageError(`draft takes one of --url, --tools or -- COMMAND\n${usage}`)
  const offer =
    tools === undefined
      ? await listTools(server, url === undefined ? { command } : { url })
      : await readOffer(server, tools)
  const { registry, drafted } = await draftSite((await readSite(file)) ?? blankSite(), [offer])
  await writeSite(file, registry)
  const check = await checkSite(registry, [], Date.now())
  if (given.json) show({ file, drafted, ...check })
  else {
    for (const { tool, what } of drafted) if (what !== 'same') say(`${what}: ${tool}`)
    say(checkText(check, given.all))
  }
  return 0
}

async function checkFile(file: string, given: Options): Promise<number> {
  const examples = given.examples === undefined ? [] : await readExamples(given.examples)
  const found = await checkSite(await readSiteOrFail(file), examples, Date.now())
  if (given.json) show(found)
  else say(checkText(found, given.all))
  return found.violations.length > 0 ? 1 : 0
}

async function answer(file: string, given: Options, answers: readonly string[]): Promise<number> {
  if (answers.length === 0) throw new UsageError(`answer needs ID=ANSWER\n${usage}`)
  const examples = given.examples === undefined ? [] : await readExamples(given.examples)
  let registry = await readSiteOrFail(file)
  const log: { id: string; held: number; of: number }[] = []
  for (const one of answers) {
    const at = one.indexOf('=')
    if (at < 1) throw new UsageError(`${one}: not ID=ANSWER`)
    const id = one.slice(0, at)
    const taken = takeAnswer(registry, id, one.slice(at + 1))
    if (!taken.ok) throw new UsageError(taken.error.message)
    registry = taken.value
    // Each answer is kept at once: a wrong one after it loses nothing.
    await writeSite(file, registry)
    const { held } = await checkSite(registry, examples, Date.now())
    log.push({ id, held, of: examples.length })
    if (!given.json)
      say(
        examples.length === 0
          ? `${id}: taken`
          : `${id}: taken; ${held} of ${examples.length} example plans are held`,
      )
  }
  if (given.json) show({ file, answers: log })
  return 0
}

async function test(file: string, given: Options, plans: string | undefined): Promise<number> {
  if (plans === undefined) throw new UsageError(`test needs PLANS.jsonl\n${usage}`)
  const site = await trialSite(await readSiteOrFail(file))
  const trials = []
  for (const example of await readExamples(plans))
    trials.push(await tryPlan(site, example, Date.now()))
  const wrong = trials.filter(({ expect, verdict }) => expect !== null && expect !== verdict)
  if (given.json) show({ n: trials.length, wrong: wrong.map(({ id }) => id), trials })
  else {
    for (const trial of trials) say(trialText(trial))
    say(
      `${trials.length} plans, ${wrong.length} not as expected. By dry run and rules only; nothing here proves what a device does.`,
    )
  }
  return wrong.length > 0 ? 1 : 0
}

async function preview(file: string, given: Options): Promise<number> {
  const { gateway, 'token-file': tokenFile } = given
  if (gateway === undefined || tokenFile === undefined)
    throw new UsageError(`preview needs --gateway and --token-file\n${usage}`)
  const found = await previewAt(gateway, tokenFile, await readSiteOrFail(file))
  if (given.json) show(found)
  else say(previewText(found))
  return 0
}

async function plan(file: string, given: Options): Promise<number> {
  const name = path.basename(file, '.json')
  const { site, plans } = convert(readProtocol(await readJson(file), file), name)
  const rows = plans.map(({ id, plan: body, state }) => ({ id, ...body, state }))
  const trials = []
  const bench = await trialSite(site)
  for (const example of plans) trials.push(await tryPlan(bench, example, Date.now()))
  if (given.out !== undefined) {
    await mkdir(given.out, { recursive: true })
    await writeSite(path.join(given.out, 'site.json'), site)
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    await writeFile(path.join(given.out, `${name}.plans.jsonl`), lines)
  }
  if (given.json) show({ site, plans: rows, trials })
  else {
    for (const { state } of plans) say(startText(state))
    for (const trial of trials) say(trialText(trial))
    say('With this list confirmed, by dry run and rules only. Pin your own server with draft.')
  }
  return 0
}

async function run(argv: readonly string[]): Promise<number> {
  const [own, command] = cut(argv)
  const { values, positionals } = options(own)
  const [what, file, ...rest] = positionals
  if (what === undefined || file === undefined) throw new UsageError(usage)
  if (what === 'draft') return draft(file, values, command)
  if (what === 'check') return checkFile(file, values)
  if (what === 'answer') return answer(file, values, rest)
  if (what === 'test') return test(file, values, rest[0])
  if (what === 'plan') return plan(file, values)
  if (what === 'preview') return preview(file, values)
  throw new UsageError(`${what}: no such command\n${usage}`)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (cause) {
  if (!(cause instanceof UsageError)) throw cause
  process.stderr.write(`${cause.message}\n`)
  process.exitCode = 2
}
