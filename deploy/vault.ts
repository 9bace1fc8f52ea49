// What a set-up keeps on the machine that ran it, in one folder that only its owner reads: tokens that
// the deployment knows by digest only, and what was made, so that a teardown removes that and nothing else.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Names of what is kept. */
export type Kept = 'operator-token' | 'metrics-token' | 'administrator-token' | 'deployed' | 'made'

export interface Vault {
  readonly folder: string
  read(name: Kept): string | null
  /** Whole or not at all: written beside and renamed. */
  write(name: Kept, text: string): void
  clear(): void
}

/** Opens the folder; it is made when something is first written. */
export function openVault(folder: string): Vault {
  const file = (name: string): string => path.join(folder, name)
  return {
    folder,
    read(name) {
      try {
        return readFileSync(file(name), 'utf8').trim()
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw cause
      }
    },
    write(name, text) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(file(`${name}.new`), `${text}\n`, { mode: 0o600 })
      renameSync(file(`${name}.new`), file(name))
    },
    clear() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Names of what one set-up made in the account: a teardown removes these. */
export type Made = { database?: string; index?: string; script?: string }

/** What was made so far. */
export const madeOf = (vault: Vault): Made => JSON.parse(vault.read('made') ?? '{}') as Made

/** Notes one more thing as made. */
export function noteMade(vault: Vault, made: Made): void {
  vault.write('made', JSON.stringify({ ...madeOf(vault), ...made }))
}
