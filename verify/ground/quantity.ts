// Numbers with units in a step's text or in tool arguments, in the units that limits use.

export type Quantity = {
  readonly quantity: 'temperature' | 'rotation' | 'volume' | 'angle' | 'speed' | 'mass' | 'height'
  readonly value: number
}

type Unit = {
  readonly pattern: string
  readonly quantity: Quantity['quantity']
  readonly factor: number
}

/** Factors to °C, rpm, µL, degrees, mm/s, g, cm. */
const units: readonly Unit[] = [
  {
    pattern: '°\\s*c|deg\\s*c|degrees?\\s*(?:c|celsius)|celsius',
    quantity: 'temperature',
    factor: 1,
  },
  { pattern: 'rpm|rev(?:olutions)?\\s*per\\s*min(?:ute)?', quantity: 'rotation', factor: 1 },
  { pattern: '[µμu]l|micro-?lit(?:er|re)s?', quantity: 'volume', factor: 1 },
  { pattern: 'ml|milli-?lit(?:er|re)s?', quantity: 'volume', factor: 1_000 },
  { pattern: 'mm/s|millimet(?:er|re)s?\\s*per\\s*second', quantity: 'speed', factor: 1 },
  { pattern: 'm/s|met(?:er|re)s?\\s*per\\s*second', quantity: 'speed', factor: 1_000 },
  { pattern: 'degrees?|°', quantity: 'angle', factor: 1 },
  { pattern: 'kg|kilo(?:gram)?s?', quantity: 'mass', factor: 1_000 },
  { pattern: 'grams?|g', quantity: 'mass', factor: 1 },
  { pattern: 'cm', quantity: 'height', factor: 1 },
]

const number = String.raw`(minus\s+|-|−)?(\d[\d,]*(?:\.\d+)?)`
const compiled = units.map((u) => ({
  ...u,
  regex: new RegExp(`(?<![\\w.])${number}\\s*(?:${u.pattern})(?![\\w/])`, 'giu'),
}))

/**
 * Quantities that a text states. "110 degrees" may be a temperature or an angle, so it is given
 * as both; a limit decides by what it limits.
 */
export function quantitiesIn(text: string): Quantity[] {
  const out: Quantity[] = []
  for (const unit of compiled) {
    for (const m of text.matchAll(unit.regex)) {
      const sign = m[1] === undefined ? 1 : -1
      const value = sign * Number((m[2] ?? '').replace(/,/g, '')) * unit.factor
      if (!Number.isFinite(value)) continue
      out.push({ quantity: unit.quantity, value })
      if (unit.quantity === 'angle') out.push({ quantity: 'temperature', value })
    }
  }
  return out
}

/** Strength of a solution as text gives it: per cent, or mol/L; null when it gives none. */
export function strengthIn(text: string): { percent: number | null; molar: number | null } {
  const percent = /(\d+(?:\.\d+)?)\s*(?:%|per\s*cent)/i.exec(text)?.[1]
  const molar = /(\d+(?:\.\d+)?)\s*(m?)(?:M|mol\/l|N)\b/.exec(text)
  return {
    percent: percent === undefined ? null : Number(percent),
    molar: molar === null ? null : Number(molar[1]) * (molar[2] === 'm' ? 0.001 : 1),
  }
}
