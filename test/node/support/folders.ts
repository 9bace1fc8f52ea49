// Before every file of this project: what it makes with `scratch` goes when its tests are done. (A helper
// is loaded once for many files, so it cannot say so by itself.)
import { rmSync } from 'node:fs'
import { afterAll } from 'vitest'
import { scratched } from './scratch.ts'

afterAll(() => {
  for (const folder of scratched.splice(0)) rmSync(folder, { recursive: true, force: true })
})
