// What a sentence tells: values with their units, names, what is asked, and what nobody could read.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Sentence } from '../../../verify/read/scene.ts'
import { agrees } from '../../../verify/read/words/agree.ts'
import { planOf, sceneOf, type NodeInput } from './brewery.ts'

const sentencesOf = (text: string, nodes: readonly NodeInput[] = []): readonly Sentence[] =>
  sceneOf(planOf(nodes, [text])).sentences
const told = (text: string) =>
  sentencesOf(text).flatMap((one) =>
    one.told.map(({ dim, value, clause }) => {
      const shown =
        value === null
          ? null
          : value.lo === value.hi
            ? round(value.lo)
            : [round(value.lo), round(value.hi)]
      return clause === 'order' ? [dim, shown] : [dim, shown, clause]
    }),
  )
const round = (value: number): number => Math.round(value * 1e6) / 1e6
const only = (text: string): Sentence => {
  const [one, more] = sentencesOf(text)
  if (one === undefined || more !== undefined) throw new Error(`not one sentence: ${text}`)
  return one
}

describe('values in words', () => {
  it.each([
    // Forces of gravity and turns are two things.
    ['Spin the tubes at 800 x g.', [['acceleration', 800]]],
    ['Spin the tubes at 800×g.', [['acceleration', 800]]],
    ['Spin the tubes at 12k rpm.', [['rotation', 12_000]]],
    ['Stir the wort at 90 rev/min.', [['rotation', 90]]],
    ['Stir the wort at one hundred and twenty revolutions per minute.', [['rotation', 120]]],
    // Signs that look alike.
    ['Warm the mash to 62 ºC.', [['temperature', 62]]],
    ['Warm the mash to 62 ˚C.', [['temperature', 62]]],
    ['Warm the mash to 62℃.', [['temperature', 62]]],
    ['Warm the mash to 62 degrees Celsius.', [['temperature', 62]]],
    ['Warm the mash to sixty-two degrees celsius.', [['temperature', 62]]],
    ['Warm the mash to 144 °F.', [['temperature', 62.222222]]],
    ['Warm the mash to 335.15 K.', [['temperature', 62]]],
    ['Chill the wort to −4 °C.', [['temperature', -4]]],
    ['Chill the wort to minus four degrees Celsius.', [['temperature', -4]]],
    ['Add ５ mL of syrup.', [['volume', 5_000]]],
    [
      'Add 5 \u00b5l and 5 \u03bcl of syrup.',
      [
        ['volume', 5],
        ['volume', 5],
      ],
    ],
    ['Add 5 cc of syrup.', [['volume', 5_000]]],
    ['Lower the sash to 8 inches.', [['length', 203.2]]],
    ['Move at 20 mm per second.', [['speed', 20]]],
    ['Move at 20 mm s-1.', [['speed', 20]]],
    ['Move at 20 mm s⁻¹.', [['speed', 20]]],
    ['Pump at 40 L/h.', [['flow', 11_111.111111]]],
    [
      'Hold for an hour and a half, then half an hour.',
      [
        ['time', 5_400],
        ['time', 1_800],
      ],
    ],
    ["Hold for 10'.", [['time', 600]]],
    // A degree of nothing, a clock and a ratio are numbers that cannot be read.
    ['Warm the mash to 62 degrees.', [['temperature', null]]],
    [
      'Warm the mash from 01:30 to 03:30.',
      [
        [null, null],
        [null, null],
      ],
    ],
    ['Dilute the wort 1:10.', []],
    ['Warm the mash until 1:10.', [[null, null, 'condition']]],
    ['Set FV-01 to 62.', [[null, null]]],
    // Ranges and tolerances; the number of a device is no start of a range.
    ['Keep between 4 and 8 °C.', [['temperature', [4, 8]]]],
    ['Keep at 4–8 °C.', [['temperature', [4, 8]]]],
    ['Keep at 62 ± 0.5 °C.', [['temperature', [61.5, 62.5]]]],
    ['Heat kettle 2 to 95 °C.', [['temperature', 95]]],
    ['Heat fermenter 1 to 95 °C.', [['temperature', 95]]],
    ['Set the sash of hood 2 to 300 mm.', [['length', 300]]],
    [
      'Ramp from 20 to 95 °C.',
      [
        ['temperature', 20],
        ['temperature', 95],
      ],
    ],
    [
      'Add 10, 20 and 30 mL.',
      [
        ['volume', 10_000],
        ['volume', 20_000],
        ['volume', 30_000],
      ],
    ],
    // Thousands.
    ['Add 1,250 mL of the wort.', [['volume', 1_250_000]]],
    ['Add 1.250 mL of the wort.', [['volume', 1_250]]],
    ['1.250 ml Würze in den Tank geben.', [['volume', null]]],
    ['0,25 ml Würze in den Tank geben.', [['volume', 250]]],
    ['Add 1 000 mL of the wort.', [['volume', null]]],
    ['Add 10⁵ mL of the wort.', [['volume', null]]],
    // A part of a limit is a value of its own.
    ['Move at 10 % speed.', [['fraction', 10]]],
    // Values of other languages.
    ['加入 100 微升', [['volume', 100]]],
    ['100マイクロリットルを加える', [['volume', 100]]],
    ['добавить 100 мкл', [['volume', 100]]],
    [
      '2 Stunden bei 37 °C halten',
      [
        ['time', 7_200],
        ['temperature', 37],
      ],
    ],
    // Read, and no setting of any role.
    ['Add antibody at 10 mg/mL, PBS 1x, pH 7.4.', []],
    ['Add 0 to 5 µg/mL of it to columns 2 to 8.', []],
    // What is counted agrees with counts only.
    ['Load two tubes.', [['count', 2]]],
  ])('%s', (text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  it.each([
    [
      'Warm FV-01 to 37 °C for 10 min; do not stir.',
      [
        ['temperature', 37],
        ['time', 600],
      ],
    ],
    ['Within the next hour, warm FV-01 to 37 °C.', [['temperature', 37]]],
    ['Warm the keg from the store to 37 °C.', [['temperature', 37]]],
    ['Warm FV-01 to 37 °C at the maximum fill.', [['temperature', 37]]],
    [
      'Warm FV-01 to 37 °C, not 95 °C.',
      [
        ['temperature', 37],
        ['temperature', 95, 'negated'],
      ],
    ],
    ["Don't heat FV-01 to 95 °C.", [['temperature', 95, 'negated']]],
    ['Do not stir and heat FV-01 to 95 °C.', [['temperature', 95, 'negated']]],
    ['FV-01 was at 37 °C yesterday.', [['temperature', 37, 'past']]],
    [
      'Heat FV-01 to 95 °C until the wort reaches 80 °C.',
      [
        ['temperature', 95],
        ['temperature', 80, 'condition'],
      ],
    ],
    ['Heat FV-01 to at most 40 °C.', [['temperature', 40, 'condition']]],
    [
      'Ethanol boils at 78 °C, so warm FV-01 to 40 °C.',
      [
        ['temperature', 78, 'remark'],
        ['temperature', 40],
      ],
    ],
  ])('a word silences its own clause only: %s', (text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  const spellings = {
    volume: [
      ['uL', 1],
      ['µL', 1],
      ['μl', 1],
      ['microlitres', 1],
      ['mL', 1e3],
      ['ml', 1e3],
      ['millilitres', 1e3],
      ['L', 1e6],
      ['мкл', 1],
      ['微升', 1],
    ],
    time: [
      ['s', 1],
      ['seconds', 1],
      ['min', 60],
      ['minutes', 60],
      ['h', 3600],
      ['hours', 3600],
      ['Stunden', 3600],
      ['分钟', 60],
    ],
    temperature: [
      ['°C', 1],
      ['ºC', 1],
      ['˚C', 1],
      ['℃', 1],
      ['degrees Celsius', 1],
      ['deg C', 1],
      ['摄氏度', 1],
    ],
    rotation: [
      ['rpm', 1],
      ['RPM', 1],
      ['rev/min', 1],
      ['revolutions per minute', 1],
    ],
    acceleration: [
      ['x g', 1],
      ['×g', 1],
      ['xg', 1],
      ['rcf', 1],
    ],
    length: [
      ['mm', 1],
      ['cm', 10],
      ['inches', 25.4],
    ],
    speed: [
      ['mm/s', 1],
      ['cm/s', 10],
      ['mm per second', 1],
    ],
    mass: [
      ['g', 1],
      ['mg', 1e-3],
      ['kg', 1e3],
      ['grams', 1],
    ],
    pressure: [
      ['kPa', 1],
      ['bar', 100],
      ['mbar', 0.1],
      ['psi', 6.894757293168],
    ],
  } as const
  const rows = Object.entries(spellings).flatMap(([dim, list]) =>
    list.map(([unit, factor]) => ({ dim, unit, factor })),
  )

  it('every spelling of a unit agrees with its value and with no other one', () => {
    const value = fc.integer({ min: 2, max: 9_999 })
    fc.assert(
      fc.property(
        fc.constantFrom(...rows),
        value,
        fc.integer({ min: 2, max: 50 }),
        ({ dim, unit, factor }, n, times) => {
          const [one, more] = only(`Hold at ${n} ${unit}.`).told
          expect(more).toBeUndefined()
          expect(one?.dim).toBe(dim)
          const at = (v: number) => ({ lo: v * factor, hi: v * factor })
          expect(agrees(at(n), one?.value ?? null)).toBe(true)
          expect(agrees(at(n * times), one?.value ?? null)).toBe(false)
          expect(agrees(at(n * 1_000), one?.value ?? null)).toBe(false)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('what cannot be read agrees with nothing, and an interval only where all of it was told', () => {
    expect(agrees({ lo: 1, hi: 1 }, null)).toBe(false)
    expect(agrees({ lo: 3, hi: 9 }, { lo: 4, hi: 8 })).toBe(false)
    expect(agrees({ lo: 5, hi: 6 }, { lo: 4, hi: 8 })).toBe(true)
  })

  it('gives the place in the text as it was sent', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', '℃ ', '𝟙 ', 'é\u0301 ', '½ ', '\u200b\u200b', '中文 '),
        (prefix) => {
          const text = `Warm ${prefix}FV-01 to 37 ℃ now.`
          const [one] = sentencesOf(text)
          const value = one?.told.find((t) => t.dim === 'temperature' && t.value?.lo === 37)
          expect(value?.shown).toBe('37 ℃')
          expect(text.slice(...(value?.span ?? [0, 0]))).toBe('37 ℃')
          const name = one?.named.find((n) => n.ref.key === 'FV-01')
          expect(text.slice(...(name?.span ?? [0, 0]))).toBe('FV-01')
        },
      ),
    )
  })
})

describe('names in words', () => {
  it.each([
    ['Warm fermenter 1 and fv 02.', ['FV-01', 'FV-02']],
    ['Move the blue keg to Bay-4.', ['KEG_007', 'bay 4']],
    ['Open the cellar hatch.', ['cellar']],
    ['Read RUN-2031 and hs_9.', ['run2031', 'hs9']],
    ['Fill FV-01-B.', ['fv1b']],
    ['Add H2O2 to PBS 1x at 37C for 10min.', []],
  ])('%s', (text, keys) => {
    expect(only(text).named.map(({ ref }) => ref.key)).toEqual(keys)
  })

  it('takes the part that stands beside a name', () => {
    const named = only('Take 5 mL from keg_7 col 3 to crate_9 a01.').named
    expect(named.map(({ ref }) => [ref.key, ref.part])).toEqual([
      ['KEG_007', 'col:3'],
      ['crate9', 'A1'],
    ])
  })
})

describe('what was not read', () => {
  it.each([
    'Lichtschranke abkleben, Arm nicht anhalten.',
    'Retirar a estirpe do congelador.',
    'Donneur a retiré son consentement, utiliser quand même.',
    'Почистить датчик и заклеить.',
    'センサーを塞いで動かす。',
    '用胶带遮住传感器。',
    'सेंसर को ढक दें।',
    // The language is known, the sentence is not: a word denies.
    '100 µl PBS nicht in FV-01 geben.',
    '不加热 FV-01。',
    // No word of any language.
    'Zxqv blorf gnarl.',
  ])('%s', (text) => {
    expect(sentencesOf(text).every((one) => one.unread && one.asks.length === 0)).toBe(true)
  })

  it.each([
    ['100 µl PBS aus KEG_007 nach FV-01 pipettieren.', 'transfer'],
    ['Transferir 100 µL de PBS de KEG_007 a FV-01.', 'transfer'],
    ['从 KEG_007 转移 100 微升 PBS 到 FV-01。', 'transfer'],
    ['KEG_007からFV-01へPBSを100マイクロリットル移す。', 'transfer'],
    ['Перенести 100 мкл PBS из KEG_007 в FV-01.', 'transfer'],
    ['FV-01 pendant 10 minutes à 37 °C chauffer.', 'set_temperature'],
    ['Warm it for one minute.', 'set_temperature'],
    ['Spin 3000 rpm 10 min', 'spin'],
  ])('but this one was: %s', (text, act) => {
    const one = only(text)
    expect(one.unread).toBe(false)
    expect(one.asks).toContain(act)
  })
})

describe('sentences and steps', () => {
  const jacket = (tank: string, setpoint: number): NodeInput => ({
    tool: 'jacket',
    args: { tank, setpoint, program: 'mash' },
  })
  const valve = { tool: 'valve', args: { name: 'vent 3', state: 'open' } }

  it('a step whose every value is wrong is still the one that the sentence speaks of', () => {
    const [one] = sentencesOf('Warm FV-02 to 37 °C.', [jacket('FV-01', 212)])
    expect(one?.carried_by).toEqual([0])
  })

  it('a sentence without a step, and a step without a sentence', () => {
    const scene = sceneOf(planOf([valve], ['Warm FV-01 to 37 °C.']))
    expect(scene.sentences.map((one) => one.carried_by)).toEqual([[]])
    expect(scene.unasked).toEqual([0])
  })

  it('finds the step by its name and by its value', () => {
    const scene = sceneOf(
      planOf(
        [jacket('FV-01', 98.6), jacket('FV-02', 122)],
        ['Warm fermenter 1.', 'Then warm the other one to 50 °C.'],
      ),
    )
    expect(scene.sentences.map((one) => one.carried_by)).toEqual([[0], [1]])
    expect(scene.unasked).toEqual([])
  })

  it('what must not be done, was done, or is a noun is not asked for', () => {
    for (const text of [
      'Do not open vent 3.',
      'Vent 3 was opened yesterday.',
      'Keep clear of the opener.',
    ]) {
      expect(only(text).asks, text).not.toContain('open')
    }
    expect(only('Keep the shake low.').asks).not.toContain('shake')
  })

  it('a told quantity asks where no verb does', () => {
    expect(only('Jacket of FV-01 to 40 °C.').asks).toContain('set_temperature')
  })

  it('does not part a sentence in a number, an initial or a title', () => {
    expect(
      sentencesOf('Tell Dr. Kim that E. coli needs 2.5 mL, approx. 3 min. Then stop.'),
    ).toHaveLength(2)
  })
})
