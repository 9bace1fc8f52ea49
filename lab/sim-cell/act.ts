// What a tool of the cell is: a pure look at the world that either refuses or names an act with its
// duration and its effects. The runner in cell.ts owns time, journal and interruption.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { World } from './world.ts'

export type Change = JsonObject

export type Act = {
  /** One act at a time per device. */
  readonly device: string
  /** Devices that one safe-stop ends together; the device itself when absent. */
  readonly group?: string
  /** Simulated seconds. */
  readonly seconds: number
  /** Applies the whole effect and says what changed and what the caller gets. */
  readonly finish: () => { readonly change: Change; readonly result: JsonObject }
  /** Applies what a stop after `fraction` (0 to 1) of the act leaves behind. */
  readonly interrupt: (fraction: number) => Change
  /** A cancel does not stop it (a half-flashed device is worse than a flashed one). */
  readonly uninterruptible?: boolean
  /** The device trips by itself after this many simulated seconds. */
  readonly trip?: { readonly after_s: number; readonly message: string }
  /** A safe-stop: the group whose running acts end before it acts itself. */
  readonly stops?: string
}

export type Planned = Result<Act, string>
export type Tool = (world: World, args: JsonObject) => Planned

/** A refusal of the device: nothing moved. */
export const refuse = (message: string): Planned => err(message)
export const act = (value: Act): Planned => ok(value)

// Arguments were validated against the tool's own schema before, so a wrong type here is a
// programmer mistake and throws.

export function text(args: JsonObject, key: string): string {
  const value = args[key]
  if (typeof value !== 'string') throw new TypeError(`${key} is not a string`)
  return value
}

export function number(args: JsonObject, key: string): number {
  const value = args[key]
  if (typeof value !== 'number') throw new TypeError(`${key} is not a number`)
  return value
}

export function object(args: JsonObject, key: string): JsonObject {
  const value = args[key]
  if (!isObject(value)) throw new TypeError(`${key} is not an object`)
  return value
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

/** The row of a fixed table; the schema's enum already bounded the key. */
export function row<T>(table: Record<string, T>, key: string): T {
  const found = table[key]
  if (found === undefined) throw new TypeError(`no such device: ${key}`)
  return found
}

/** Rounds to three decimals, so that the journal stays readable. */
export const round = (value: number): number => Math.round(value * 1000) / 1000
