// Options of the commands here: a slip is answered with one line and exit code 2, never with a stack trace.
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** The values of the options, or the end of the program with one line that names them all. */
export function optionsOf<const Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
): ReturnType<typeof parseArgs<{ options: Options }>>['values'] {
  try {
    return parseArgs({ options }).values
  } catch (cause) {
    const [what = ''] = (cause instanceof Error ? cause.message : String(cause)).split('. ')
    const known = Object.keys(options).map((name) => `--${name}`)
    process.stderr.write(`${what}; the options are ${known.join(', ')}\n`)
    process.exit(2)
  }
}
