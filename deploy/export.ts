// `npm run -s export`: everything that a gateway keeps of a site, into one file, checked as it comes; and a file
// of that kind checked again, at any time and without the gateway.
import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { checkExport } from '../protocol/export.ts'

const usage = `usage: npm run -s export -- --gateway URL --site SITE --token-file FILE --out FILE
       npm run -s export -- check FILE
  --token-file FILE  holds the token of an administrator of the site
  --out FILE         is written; one that is there is not overwritten`

/** A mistake on the command line: one line, exit code 2. */
class UsageError extends Error {}

type Asked = { gateway: string; site: string; token: string; out: string }

/** Lines of a body, as they come. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
  if (rest !== '') yield rest
}

/** Every page, one after the other; `keep` gets each line before it is handed on. */
async function* pages(
  { gateway, site, token }: Asked,
  keep: (line: string) => Promise<void>,
): AsyncGenerator<string> {
  for (let next: string | null = ''; next !== null;) {
    const query: string = next === '' ? '' : `?after=${next}`
    const answer = await fetch(`${gateway}/v1/sites/${site}/export${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok || answer.body === null) {
      throw new Error(`the gateway answered ${answer.status}: ${await answer.text()}`)
    }
    let last = ''
    for await (const line of linesOf(answer.body)) {
      await keep(line)
      last = line
      yield line
    }
    // Checked by whoever reads this; here it only says where to go on.
    const end = JSON.parse(last) as { kind: string; value: { next?: string | null } }
    next = end.kind === 'end' ? (end.value.next ?? null) : null
  }
}

async function fetchExport(asked: Asked): Promise<number> {
  const file = await open(asked.out, 'wx', 0o600)
  try {
    return await report(
      checkExport(pages(asked, async (line) => void (await file.write(`${line}\n`)))),
      asked.out,
    )
  } finally {
    await file.close()
  }
}

async function report(checking: ReturnType<typeof checkExport>, name: string): Promise<number> {
  const checked = await checking
  if (!checked.ok) {
    process.stderr.write(`${name}, line ${checked.line}: ${checked.detail}\n`)
    return 1
  }
  if (checked.next !== null) {
    process.stderr.write(`${name}: whole so far, but pages after it are missing\n`)
    return 1
  }
  process.stdout.write(`${name}: ${checked.lines} lines of site ${checked.site}, all as exported\n`)
  return 0
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        gateway: { type: 'string' },
        site: { type: 'string' },
        'token-file': { type: 'string' },
        out: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause))
  }
}

async function main(): Promise<number> {
  const { values, positionals } = readArguments(process.argv.slice(2))
  if (values.help) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  const [command, file, ...rest] = positionals
  if (command === 'check' && file !== undefined && rest.length === 0) {
    return report(checkExport(createInterface({ input: createReadStream(file) })), file)
  }
  if (command !== undefined) throw new UsageError(`no command ${positionals.join(' ')}`)
  const { gateway, site, out } = values
  const tokenFile = values['token-file']
  if (gateway === undefined || !URL.canParse(gateway)) throw new UsageError('--gateway is a URL')
  if (site === undefined) throw new UsageError('--site is the name of a site')
  if (tokenFile === undefined) throw new UsageError('--token-file names a file with a token')
  if (out === undefined) throw new UsageError('--out names the file to write')
  const token = (await readFile(tokenFile, 'utf8')).trim()
  return fetchExport({ gateway: gateway.replace(/\/$/, ''), site, token, out })
}

try {
  process.exitCode = await main()
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
  if (cause instanceof UsageError) process.stderr.write(`${usage}\n`)
  process.exitCode = cause instanceof UsageError ? 2 : 1
}
