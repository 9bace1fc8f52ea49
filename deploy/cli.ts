// `npm run setup`, `drain`, `teardown`, `doctor`: a deployment from nothing, without new runs, away again, looked at.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { signInLink } from './first-link.ts'
import { drain } from './drain.ts'
import { diagnose } from './doctor.ts'
import { root } from './config.ts'
import { PlatformError } from './platform.ts'
import { addressOf, SetupError, type World } from './port.ts'
import { setUp, stepsOf, tearDown } from './steps.ts'
import { openVault } from './vault.ts'
import { checkout, connect } from './world.ts'

const usage = `usage: npm run setup -- [--name NAME] [--site SITE] [--owner YOU] [--address URL] [--no-graph] [--dry-run]
       npm run drain -- [--name NAME] [--off] [--reason TEXT] [--wait]
       npm run doctor -- [--name NAME] [--address URL]
       npm run teardown -- [--name NAME] --yes NAME
  --name NAME    of the worker, its database and (with -kg) its index; default portcullis
  --site SITE    the first site; default site-1
  --owner YOU    its first administrator; default the name of your login on this machine
  --address URL  where the deployment answers, if not under workers.dev
  --while-moving deploy although a cell moves, or nobody can say whether one does
  --off          of a drain: let plans be bound again
  --reason TEXT  of a drain: why, for whoever waits
  --wait         of a drain: until nothing runs any more
  --no-graph     leave the knowledge graph out: plans that need grounding wait for a person
  --dry-run      say every step and change nothing
  --yes NAME     a teardown says again what it removes`

/** A mistake on the command line: one line, exit code 2. */
class UsageError extends Error {}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      allowNegative: true,
      options: {
        name: { type: 'string', default: 'portcullis' },
        site: { type: 'string', default: 'site-1' },
        owner: { type: 'string', default: process.env['USER'] ?? 'administrator' },
        address: { type: 'string' },
        graph: { type: 'boolean', default: true },
        'dry-run': { type: 'boolean', default: false },
        'while-moving': { type: 'boolean', default: false },
        off: { type: 'boolean', default: false },
        reason: { type: 'string', default: 'A deployment is due.' },
        wait: { type: 'boolean', default: false },
        yes: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause))
  }
}

async function main(): Promise<number> {
  const { values, positionals } = readArguments(process.argv.slice(2))
  const [command = 'setup', ...rest] = positionals
  if (values.help) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  if (rest.length > 0) throw new UsageError(`unexpected ${rest.join(' ')}`)
  if (!/^[a-z0-9][a-z0-9-]{0,50}$/.test(values.name)) {
    throw new UsageError('--name is of a-z, 0-9 and -, at most 51 characters')
  }
  if (values.address !== undefined && !URL.canParse(values.address)) {
    throw new UsageError('--address is a URL')
  }
  const { platform, token } = await connect(process.env)
  const own = checkout(platform, token)
  const world: World = {
    platform,
    vault: openVault(path.join(root, '.portcullis', 'deployments', values.name)),
    name: values.name,
    site: values.site,
    owner: values.owner,
    address: values.address?.replace(/\/$/, '') ?? null,
    graph: values.graph,
    whileMoving: values['while-moving'],
    fetch,
    ...own,
    loadGraph: (database) => own.loadGraph(database, `${values.name}-kg`),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  switch (command) {
    case 'setup': {
      const tells = new Map(stepsOf(world).map((step) => [step.name, step.tells]))
      await setUp(world, values['dry-run'], (step, outcome) => {
        const word = { there: 'is there', done: 'done', would: `would ${tells.get(step)}` }[outcome]
        say(`${step.padEnd(16)} ${word}`)
      })
      if (values['dry-run']) return 0
      say(`\n${await addressOf(world)}/console`)
      const first = await signInLink(world)
      say(
        'link' in first
          ? `Sign in as ${values.owner}, once and within a quarter of an hour:\n${first.link}`
          : `No sign-in link could be made (${first.why}): run this command again.`,
      )
      return 0
    }
    case 'drain': {
      const { off, reason, wait } = values
      await drain(world, { on: !off, reason, waits: wait }, say)
      return 0
    }
    case 'teardown': {
      if (values.yes !== values.name) {
        throw new UsageError(
          `a teardown removes ${values.name} and all that it knows: --yes ${values.name}`,
        )
      }
      const removed = await tearDown(world)
      say(
        removed.length === 0
          ? 'Nothing here was made by setup.'
          : `Removed: ${removed.join(', ')}.`,
      )
      return 0
    }
    case 'doctor': {
      const found = await diagnose(world, Date.now())
      for (const { check, ok, what, remedy } of found) {
        say(`${ok ? 'ok  ' : 'BAD '} ${check}${ok ? '' : `: ${what}\n     ${remedy}`}`)
      }
      return found.every(({ ok }) => ok) ? 0 : 1
    }
    default:
      throw new UsageError(`no command ${command}`)
  }
}

try {
  process.exitCode = await main()
} catch (cause) {
  const known =
    cause instanceof UsageError || cause instanceof SetupError || cause instanceof PlatformError
  if (!known) throw cause
  process.stderr.write(`${cause.message}\n`)
  if (cause instanceof UsageError) process.stderr.write(`${usage}\n`)
  else process.stderr.write('What was done stays; run the same command again to go on from here.\n')
  process.exitCode = cause instanceof UsageError ? 2 : 1
}
