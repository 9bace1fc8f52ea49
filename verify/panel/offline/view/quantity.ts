// Quantities in text, with their units, in one base unit for each kind. Guards POL-22: a
// thousandfold slip between µL and mL must not hide behind an argument that is in range.

export type QuantityKind =
  | 'volume'
  | 'temperature'
  | 'rotation'
  | 'speed'
  | 'time'
  | 'mass'
  | 'length'
  | 'cycles'
  | 'percent'
  | 'molar'

export type Quantity = {
  readonly kind: QuantityKind
  /** In µL, °C, rpm, mm/s, s, g, cm, cycles, %, mol/L. */
  readonly low: number
  readonly high: number
  /** UTF-16 offsets of the number and the end of the unit. */
  readonly start: number
  readonly end: number
}

type Unit = { readonly kind: QuantityKind; readonly toBase: (value: number) => number }
const times = (kind: QuantityKind, factor: number): Unit => ({ kind, toBase: (v) => v * factor })

const units: Readonly<Record<string, Unit>> = {
  ul: times('volume', 1),
  microlitre: times('volume', 1),
  microliter: times('volume', 1),
  ml: times('volume', 1_000),
  millilitre: times('volume', 1_000),
  milliliter: times('volume', 1_000),
  cl: times('volume', 10_000),
  dl: times('volume', 100_000),
  nl: times('volume', 0.001),
  l: times('volume', 1_000_000),
  litre: times('volume', 1_000_000),
  liter: times('volume', 1_000_000),
  '°c': times('temperature', 1),
  degc: times('temperature', 1),
  celsius: times('temperature', 1),
  c: times('temperature', 1),
  '°f': { kind: 'temperature', toBase: (v) => ((v - 32) * 5) / 9 },
  degf: { kind: 'temperature', toBase: (v) => ((v - 32) * 5) / 9 },
  fahrenheit: { kind: 'temperature', toBase: (v) => ((v - 32) * 5) / 9 },
  k: { kind: 'temperature', toBase: (v) => v - 273.15 },
  rpm: times('rotation', 1),
  'mm/s': times('speed', 1),
  'cm/s': times('speed', 10),
  'm/s': times('speed', 1_000),
  s: times('time', 1),
  sec: times('time', 1),
  second: times('time', 1),
  min: times('time', 60),
  minute: times('time', 60),
  h: times('time', 3_600),
  hr: times('time', 3_600),
  hour: times('time', 3_600),
  d: times('time', 86_400),
  day: times('time', 86_400),
  ug: times('mass', 1e-6),
  mg: times('mass', 0.001),
  milligram: times('mass', 0.001),
  g: times('mass', 1),
  gram: times('mass', 1),
  kg: times('mass', 1_000),
  kilogram: times('mass', 1_000),
  kilo: times('mass', 1_000),
  mm: times('length', 0.1),
  cm: times('length', 1),
  centimetre: times('length', 1),
  centimeter: times('length', 1),
  m: times('molar', 1),
  mol: times('molar', 1),
  mmol: times('molar', 0.001),
  mm_molar: times('molar', 0.001),
  um: times('molar', 1e-6),
  nm: times('molar', 1e-9),
  n: times('molar', 1),
  cycle: times('cycles', 1),
  '%': times('percent', 1),
  percent: times('percent', 1),
}

const words: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  half: 0.5,
}

const number = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?'
const found = new RegExp(
  `(?<![\\w.])([-−]?(?:${number}))(?:\\s?(?:-|–|to|and)\\s?((?:${number})))?\\s?(mm/s|cm/s|m/s|°\\s?[cf]|%|µ[lgm]|μ[lgm]|[a-z]{1,11})(?![a-z/])`,
  'giu',
)
const spelled = new RegExp(
  `\\b(${Object.keys(words).join('|')})\\s(seconds?|minutes?|hours?|days?|microlit(?:re|er)s?|millilit(?:re|er)s?|lit(?:re|er)s?|kilo(?:gram)?s?|grams?|cycles?)\\b`,
  'giu',
)

function value(text: string): number {
  const plain = text.replace('−', '-')
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain)) return Number(plain.replaceAll(',', ''))
  return Number(plain.replace(',', '.'))
}

function unitOf(written: string): Unit | undefined {
  const exact = written.replace(/^[µμ]/, 'u').replace(/°\s/, '°')
  // Case carries meaning in molar units only: M is molar, mM millimolar, mm a length.
  if (exact === 'mM') return units['mm_molar']
  if (exact === 'uM') return units['um']
  if (exact === 'nM') return units['nm']
  if (exact === 'M' || exact === 'N') return exact === 'M' ? units['m'] : undefined
  if (exact === 'm' || exact === 'n' || exact === 'um' || exact === 'nm') return undefined
  if (exact === 'c' || exact === 'k' || exact === 'S') return undefined
  const lower = exact.toLowerCase()
  return units[lower] ?? (lower.endsWith('s') ? units[lower.slice(0, -1)] : undefined)
}

const halfHour = /\bhalf an hour\b/giu
const overnight = /\bovernight\b/giu

/** Every quantity of the text, in order of appearance. Unknown units are left out. */
export function quantitiesOf(text: string): Quantity[] {
  const out: Quantity[] = []
  for (const hit of text.matchAll(found)) {
    const unit = unitOf(hit[3] ?? '')
    if (unit === undefined) continue
    const after = text.slice(hit.index + hit[0].length, hit.index + hit[0].length + 2)
    // "300 × g" is an acceleration, not a mass.
    if (unit.kind === 'mass' && /^\s?[×x]$/u.test(after)) continue
    const low = unit.toBase(value(hit[1] ?? ''))
    const high = hit[2] === undefined ? low : unit.toBase(value(hit[2]))
    out.push({ kind: unit.kind, low, high, start: hit.index, end: hit.index + hit[0].length })
  }
  const halves = [...text.matchAll(halfHour)].map((hit) => ({
    kind: 'time' as const,
    low: 1_800,
    high: 1_800,
    start: hit.index,
    end: hit.index + hit[0].length,
  }))
  out.push(...halves)
  for (const hit of text.matchAll(spelled)) {
    if (halves.some((half) => hit.index >= half.start && hit.index < half.end)) continue
    const unit = unitOf((hit[2] ?? '').toLowerCase())
    const count = words[(hit[1] ?? '').toLowerCase()]
    if (unit === undefined || count === undefined) continue
    const base = unit.toBase(count)
    out.push({
      kind: unit.kind,
      low: base,
      high: base,
      start: hit.index,
      end: hit.index + hit[0].length,
    })
  }
  for (const hit of text.matchAll(overnight)) {
    // From a short night to a long one; a day of 24 h is still called overnight in logs.
    out.push({
      kind: 'time',
      low: 6 * 3_600,
      high: 24 * 3_600,
      start: hit.index,
      end: hit.index + hit[0].length,
    })
  }
  return out.sort((a, b) => a.start - b.start)
}

/** True when the argument is the quantity, up to rounding (1 %). */
export function agrees(argument: number, quantity: Quantity): boolean {
  const slack = Math.max(Math.abs(argument) * 0.01, 1e-9)
  return argument >= quantity.low - slack && argument <= quantity.high + slack
}
