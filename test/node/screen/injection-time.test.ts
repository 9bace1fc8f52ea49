// The screen takes time linear in the text, for texts that are made to cost time as well.
import { describe, expect, it } from 'vitest'
import {
  buildInjectionLibrary,
  defaultInjectionLibrary,
  defaultThresholds,
  screenTexts,
} from '../../../verify/screen/injection/index.ts'

const hostile: Record<string, string> = {
  'one letter': 'a',
  'one verb': 'ignore ',
  'verbs and objects': 'ignore previous all the x ',
  'role starts': 'you are you will act as ',
  'spread letters': 'i g n o r e ',
  'base64 runs': 'aGVsbG8gd29ybGQg ',
  'one base64 run': 'aGVsbG8gd29ybGQg',
  'hex runs': '69676e6f7265 ',
  percent: '%69%67',
  entities: '&#105;&#103;',
  quotes: '"a" + ',
  comments: '<!-- <',
  images: '![a](https://x',
  codes: '105 103 110 ',
  Chinese: '忽略所有',
  leet: '1gn0r3 4ll ',
  Russian: 'игнорируй все ',
  punctuation: '...!?;"\'[](){}<>#|`',
  'near misses': 'ignroe prevoius instrctions ',
  'cue words': 'reveal system prompt without instructions ',
  'line feeds': '\n',
  assignments: 'a="b" ',
  'words run together': 'ignoreallpreviousinstructions',
  'zero width': 'i\u200bg\u200b',
  tags: '\u{e0069}\u{e0067}',
  selectors: '\ufe01\ufe02',
}

const textOf = (unit: string, chars: number): string =>
  unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)

const library = defaultInjectionLibrary()

/** Processor milliseconds of the fastest of several runs, so that a busy machine counts little. */
function cpuMs(text: string, runs = 6): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i += 1) {
    const before = process.cpuUsage()
    screenTexts([{ at: '', text }], { library, thresholds: defaultThresholds })
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

describe('time', () => {
  it.each(Object.entries(hostile))(
    '16,000 characters of %s stay within the bound',
    (_name, unit) => {
      // The bound to keep is 20 ms on a quiet machine; the rest is for busy ones.
      expect(cpuMs(textOf(unit, 16_000))).toBeLessThan(60)
    },
  )

  it.each(Object.entries(hostile))('%s does not grow faster than the text', (_name, unit) => {
    // Long enough that start-up, caches and the clock's grain count little in either.
    const short = cpuMs(textOf(unit, 64_000), 4)
    const long = cpuMs(textOf(unit, 256_000), 4)
    // Four times the text: linear is 4, quadratic would be 16.
    expect(long).toBeLessThan(Math.max(12, 8 * short))
  })

  it('builds its tables fast enough for a cold start', () => {
    const before = process.cpuUsage()
    buildInjectionLibrary()
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(300)
  })
})
