// After every file of this project.
import { afterAll } from 'vitest'
import { removeStates } from './folders.ts'

afterAll(() => removeStates(process.pid))
