// Command lines of the local programs: a slip is answered with one line and exit code 2, never with a
// stack trace. A port that is in use is a slip too: it is the most common one.
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

export { optionsOf as readOptions } from '../../kg-build/options.ts'

/** Ends the program with one line on stderr. */
export function fail(line: string, code = 2): never {
  process.stderr.write(`${line.replaceAll(/\s+/g, ' ').trim()}\n`)
  process.exit(code)
}

/** The port in an option, or the end of the program when it is none; 0 takes a free one. */
export function readPort(text: string): number {
  const port = Number(text)
  const good = /^[0-9]+$/.test(text) && port <= 65_535
  return good ? port : fail(`--port takes 0 to 65535, got ${JSON.stringify(text)}`)
}

/** Why nothing can listen on this port of the local host; null when something can. */
function portProblem(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code ?? cause.message))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(null)),
    )
  })
}

/** A gateway that was killed a moment ago may still be letting go of its port. */
const triesMax = 10
const pauseMs = 200

/** Ends the program when nothing can listen on this port of the local host; 0 is any free one. */
export async function requirePort(port: number): Promise<void> {
  let problem = port === 0 ? null : await portProblem(port)
  for (let tries = 1; problem === 'EADDRINUSE' && tries < triesMax; tries++) {
    await setTimeout(pauseMs)
    problem = await portProblem(port)
  }
  if (problem === null) return
  const why = problem === 'EADDRINUSE' ? 'is in use' : `cannot be used (${problem})`
  fail(`port ${port} ${why}; choose another with --port, 0 takes a free one`, 1)
}
