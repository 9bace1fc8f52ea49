// Faults that tests switch on from the command line: what a real cell does on its worst days.
import { err, ok, type Result } from '../../protocol/result.ts'

export type Fault =
  /** The act begins and never ends by itself. */
  | { readonly kind: 'hang'; readonly tool: string }
  /** The process dies in mid-act, without a word. */
  | { readonly kind: 'crash'; readonly tool: string }
  /** The act takes `factor` times as long. */
  | { readonly kind: 'slow'; readonly tool: string; readonly factor: number }
  /** A cancel is ignored: the act runs to its end. */
  | { readonly kind: 'deaf'; readonly tool: string }
  /** The device answers the first `times` calls that it does not do it. */
  | { readonly kind: 'refuse'; readonly tool: string; readonly times: number }
  /** After `after` finished acts the tool's description changes; `silent` sends no list_changed. */
  | {
      readonly kind: 'redefine'
      readonly tool: string
      readonly after: number
      readonly silent: boolean
    }

/**
 * `hang:TOOL`, `crash:TOOL`, `deaf:TOOL`, `slow:TOOL@FACTOR`, `refuse:TOOL@TIMES`, `redefine:TOOL@AFTER`,
 * `redefine-silent:TOOL@AFTER` → fault, or a sentence that says what is wrong.
 */
export function parseFault(text: string): Result<Fault, string> {
  const match = /^([a-z-]+):([A-Za-z0-9_.]+)(?:@(\d+(?:\.\d+)?))?$/.exec(text)
  const [, kind, tool, value] = match ?? []
  if (kind === undefined || tool === undefined) {
    return err(`--fault ${text}: write KIND:TOOL or KIND:TOOL@NUMBER`)
  }
  const number = value === undefined ? null : Number(value)
  switch (kind) {
    case 'hang':
    case 'crash':
    case 'deaf':
      return ok({ kind, tool })
    case 'slow':
      return number === null
        ? err(`--fault ${text}: slow needs a factor`)
        : ok({ kind, tool, factor: number })
    case 'refuse':
      return ok({ kind, tool, times: number ?? Infinity })
    case 'redefine':
    case 'redefine-silent':
      return ok({ kind: 'redefine', tool, after: number ?? 0, silent: kind !== 'redefine' })
    default:
      return err(
        `--fault ${text}: kinds are hang, crash, deaf, slow, refuse, redefine, redefine-silent`,
      )
  }
}
