// What each character folds to: ASCII by table, code points above it by Unicode's own rules, kept because
// texts repeat their characters.
import { latinForms, leetLetter } from './fold-tables.ts'

export const kindSpace = 0
export const kindLetter = 1
export const kindBreak = 2
export const kindDrop = 3
export const kindTag = 4

/** Lower case of ASCII letters and digits; 0 for all else. */
export const asciiLetter = new Uint8Array(128)
/** 1 for a hexadecimal digit or the x in front of one. */
export const asciiHex = new Uint8Array(128)
/** Letters that digits and symbols stand for, 0 for none. */
export const asciiLeet = new Uint8Array(128)
for (let c = 48; c <= 57; c += 1) asciiLetter[c] = c
for (let c = 97; c <= 122; c += 1) {
  asciiLetter[c] = c
  asciiLetter[c - 32] = c
}
for (const c of '0123456789abcdefABCDEFx') asciiHex[c.charCodeAt(0)] = 1
for (const [code, letter] of leetLetter) if (code < 128) asciiLeet[code] = letter.charCodeAt(0)

/** What one code point above ASCII folds to. */
export interface Unit {
  readonly kind: number
  readonly text: string
}
const units = new Map<number, Unit>()
const unitsMax = 8_192

const invisible = (point: number): boolean =>
  point === 0xad ||
  point === 0x34f ||
  point === 0x61c ||
  point === 0x180e ||
  (point >= 0x200b && point <= 0x200f) ||
  (point >= 0x202a && point <= 0x202e) ||
  (point >= 0x2060 && point <= 0x206f) ||
  point === 0xfeff ||
  (point >= 0xfe00 && point <= 0xfe0f) ||
  (point >= 0xe0000 && point <= 0xe01ef)

function foldPoint(point: number): Unit {
  if (point >= 0xe0020 && point <= 0xe007e) {
    const c = String.fromCharCode(point - 0xe0000).toLowerCase()
    return { kind: /[a-z0-9]/.test(c) ? kindTag : kindSpace, text: c }
  }
  if (invisible(point) || (point >= 0x300 && point <= 0x36f)) return { kind: kindDrop, text: '' }
  const c = String.fromCodePoint(point)
  let text = c.normalize('NFKC').toLowerCase()
  const latin = point < 0x370 || (point >= 0x1e00 && point <= 0x1eff)
  if (latin) text = text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
  text = latinForms[text] ?? text
  if (/^[.!?;。！？；।؟]$|^\u2026$|^\.\.\.$/u.test(text) && c !== '․')
    return { kind: kindBreak, text: '' }
  const kept = text
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
    .replaceAll(/[\u0300-\u036f\u064b-\u065f\u0640]/g, '')
  if (kept !== '') return { kind: kindLetter, text: kept }
  return { kind: /\p{M}/u.test(text) ? kindDrop : kindSpace, text: '' }
}

/** What a code point above ASCII folds to. */
export function unitOf(point: number): Unit {
  let unit = units.get(point)
  if (unit === undefined) {
    unit = foldPoint(point)
    if (units.size < unitsMax) units.set(point, unit)
  }
  return unit
}

/** Scripts written without spaces between words: a space between them carries no meaning. */
export const unspaced = (code: number): boolean =>
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xe00 && code <= 0xe7f)

/** Bytes of the encodings: letters, digits and + / _ -. */
export const encodedMark = (code: number): boolean =>
  code === 0x2b || code === 0x2f || code === 0x5f || code === 0x2d
