// What a device answered, before anyone reads it. The danger: an answer is a stranger's text that speaks
// to the planner's model, to a person's terminal or to a page (CWE-1427, CWE-150). So it is screened like
// a plan's own text, and characters that act instead of showing are written out.
import type { JsonValue } from '../../protocol/json.ts'
import type { NodeResult } from '../../protocol/node-result.ts'
import { toPointer, type PathStep } from '../../protocol/pointer.ts'
import type { Policy } from '../../protocol/policy.ts'
import { defaultInjectionLibrary, screenTexts } from './injection/index.ts'
import type { InjectionResult, ScreenText } from './injection/types.ts'
import { thresholdsOf } from './thresholds.ts'

/** Controls (also of terminals), characters that show nothing or turn the direction, and halves. */
const acting = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu

/** The text with every such character written as `\u{…}`: nothing is lost, and nothing acts. */
export function shown(text: string): string {
  return text.replace(acting, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`)
}

function walk(value: JsonValue, path: readonly PathStep[], out: ScreenText[]): JsonValue {
  if (typeof value === 'string') {
    out.push({ at: toPointer(path), text: value })
    return shown(value)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, i) => walk(item, [...path, i], out))
  }
  const entries = Object.entries(value).map(([key, item]) => {
    // A key is a text like any other.
    out.push({ at: toPointer([...path, key]), text: key })
    return [shown(key), walk(item, [...path, key], out)] as const
  })
  return Object.fromEntries(entries)
}

type ScreenedResult = Pick<InjectionResult, 'sigma' | 'level'> & {
  /** The answer with nothing in it that acts. */
  readonly result: NodeResult
}

/** Screens an answer with the thresholds of the site; total, and bounded like a plan's text. */
export function screenResult(
  result: NodeResult,
  policy: Pick<Policy, 'injection' | 'alert_level'>,
): ScreenedResult {
  const texts: ScreenText[] = []
  const data = walk(result.data, ['data'], texts)
  for (const [i, { type }] of result.kept.entries()) {
    texts.push({ at: `/kept/${i}/type`, text: type })
  }
  const options = { library: defaultInjectionLibrary(), thresholds: thresholdsOf(policy) }
  const { sigma, level } = screenTexts(texts, options)
  const kept = result.kept.map((part) => ({ ...part, type: shown(part.type) }))
  return { sigma, level, result: { ...result, data, kept } }
}
