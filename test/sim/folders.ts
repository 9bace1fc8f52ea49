// Where the agents of the simulated machines keep what they keep; gone when the tests of a file are done.
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const statesOf = (process: number): string => path.join(tmpdir(), `simulated-${process}`)

export const removeStates = (process: number): void =>
  rmSync(statesOf(process), { recursive: true, force: true })
