// The project itself passes every gate that `npm run check` runs before the tests: a green test run
// therefore means types, lint, format and dead code are green as well.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..', '..', '..')

const gates: [string, string, string[]][] = [
  ['types and room boundaries', 'tsc', ['-b']],
  ['type-aware lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'oxfmt', ['--check', '.']],
  ['dead code', 'knip', []],
]

test.each(gates)('%s: the whole project is clean', (_name, tool, args) => {
  const run = spawnSync(path.join(root, 'node_modules', '.bin', tool), args, {
    cwd: root,
    encoding: 'utf8',
    timeout: 280_000,
  })
  expect(run.status, `${run.stdout}\n${run.stderr}`.slice(-4_000)).toBe(0)
})
