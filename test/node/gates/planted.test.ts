// Every gate of `npm run check` is shown to be able to fail: a violation is planted in a copy of the
// project, and the gate must name it. A tool that quietly looks at nothing would pass otherwise.
import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '..', '..', '..')
const modules = path.join(root, 'node_modules')
const notCopied = new Set([
  'node_modules',
  '.git',
  '.build',
  '.tsbuild',
  '.wrangler',
  '.portcullis',
])
let copy = ''

/** Runs one of the project's tools in the copy. */
function run(tool: string, ...args: string[]): { status: number | null; output: string } {
  const bin = path.join(modules, '.bin')
  const done = spawnSync(path.join(bin, tool), args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` },
    timeout: 280_000,
  })
  return { status: done.status, output: `${done.stderr}${done.stdout}` }
}

const plant = (file: string, text: string): Promise<void> =>
  writeFile(path.join(copy, file), `// Planted.\n${text}`)

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'planted-'))
  await cp(root, copy, {
    recursive: true,
    filter: (source) =>
      !notCopied.has(path.relative(root, source).split(path.sep)[0] ?? '') &&
      !source.endsWith('.jsonl'),
  })
  await symlink(modules, path.join(copy, 'node_modules'))
})

afterAll(() => rm(copy, { recursive: true, force: true }))

describe('the gates catch what they are for', () => {
  it('tsc -b refuses an import against the direction of the rooms', async () => {
    await plant(
      'contain/planted.ts',
      "import { planView } from '../worker/views.ts'\nexport const view = planView\n",
    )
    const { status, output } = run('tsc', '-b', 'contain')
    await rm(path.join(copy, 'contain/planted.ts'))
    expect(status).not.toBe(0)
    expect(output).toMatch(
      /contain\/planted\.ts.*TS(?:6059|6307)|worker\/views\.ts.*TS(?:6059|6307)/,
    )
  })

  it('tsc -b refuses Node in a pure room', async () => {
    await plant(
      'protocol/planted.ts',
      "import { readFileSync } from 'node:fs'\nexport const text = readFileSync('a', 'utf8')\n",
    )
    const { status, output } = run('tsc', '-b', 'protocol')
    await rm(path.join(copy, 'protocol/planted.ts'))
    expect(status).not.toBe(0)
    expect(output).toMatch(/protocol\/planted\.ts.*node:fs/)
  })

  it('tsc -b refuses an import of the lab into the product', async () => {
    await plant(
      'robot-agent/planted.ts',
      "import { root } from '../lab/local/bundle.ts'\nexport const folder = root\n",
    )
    const { status, output } = run('tsc', '-b', 'robot-agent')
    await rm(path.join(copy, 'robot-agent/planted.ts'))
    expect(status).not.toBe(0)
    expect(output).toMatch(/lab\/local\/bundle\.ts.*TS(?:6059|6307)|planted\.ts.*TS(?:6059|6307)/)
  })

  it('oxlint refuses a floating promise, an unsafe any and a switch with a hole', async () => {
    await plant(
      'protocol/planted.ts',
      [
        "type Verdict = 'accept' | 'escalate' | 'reject'",
        'const later = (): Promise<void> => Promise.resolve()',
        'export function start(): void {',
        '  later()',
        '}',
        'export function loose(text: string): number {',
        '  const value = JSON.parse(text)',
        '  return value.length',
        '}',
        'export function rank(verdict: Verdict): number {',
        '  switch (verdict) {',
        "    case 'accept':",
        '      return 0',
        "    case 'reject':",
        '      return 2',
        '  }',
        '  return 1',
        '}',
        '',
      ].join('\n'),
    )
    const { status, output } = run(
      'oxlint',
      '--type-aware',
      '--deny-warnings',
      'protocol/planted.ts',
    )
    await rm(path.join(copy, 'protocol/planted.ts'))
    expect(status).not.toBe(0)
    expect(output).toContain('no-floating-promises')
    expect(output).toContain('no-unsafe-assignment')
    expect(output).toContain('switch-exhaustiveness-check')
  })

  it('oxfmt refuses another format', async () => {
    await plant('protocol/planted.ts', 'export   const a = "double";\n')
    const { status, output } = run('oxfmt', '--check', 'protocol/planted.ts')
    await rm(path.join(copy, 'protocol/planted.ts'))
    expect(status).not.toBe(0)
    expect(output).toContain('planted.ts')
  })

  it('knip refuses an export that nobody uses and a file that nobody imports', async () => {
    await plant('protocol/planted.ts', 'export const plantedAndUnused = 1\n')
    const { status, output } = run('knip', '--no-progress')
    await rm(path.join(copy, 'protocol/planted.ts'))
    expect(status).not.toBe(0)
    expect(output).toContain('protocol/planted.ts')
  })

  it('vitest fails a run in which a test fails, and its last line counts it', async () => {
    await plant(
      'test/node/gates/planted-failure.test.ts',
      "import { expect, it } from 'vitest'\nit('fails', () => expect(1).toBe(2))\nit('passes', () => expect(1).toBe(1))\n",
    )
    const { status, output } = run(
      'vitest',
      'run',
      '--project',
      'node',
      'test/node/gates/planted-failure.test.ts',
    )
    await rm(path.join(copy, 'test/node/gates/planted-failure.test.ts'))
    expect(status).not.toBe(0)
    expect(output.trim().split('\n').at(-1)).toBe('1 passed, 1 failed')
  })
})
