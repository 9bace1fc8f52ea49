// Versions, licences, attributions and file digests of the sources, as pinned in pins.json.
import pins from './pins.json' with { type: 'json' }

export type Pins = {
  readonly origin: string
  readonly version: string
  readonly licence: string
  readonly attribution: string
  readonly files: Readonly<Record<string, string>>
}

/** One row of the manifest: what was read, from where, under which terms. */
export type SourceRecord = Omit<Pins, 'files'> & {
  readonly name: string
  readonly files: readonly {
    readonly file: string
    readonly sha256: string
    readonly bytes: number
  }[]
}

const all: Readonly<Record<string, Pins>> = pins

/** The pinned facts of a source; a source without a row is a programmer mistake. */
export function pinsOf(name: string): Pins {
  const row = all[name]
  if (!row) throw new TypeError(`no pins for source ${name}`)
  return row
}
