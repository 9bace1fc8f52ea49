// Folders that the tests of one file write in.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Those that are still to be removed. */
export const scratched: string[] = []

/** A new folder; gone when the tests of the file are done. */
export function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-'))
  scratched.push(folder)
  return folder
}
