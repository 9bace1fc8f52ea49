// The local programs as somebody at a terminal meets them: a slip is one line and an exit code.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratch } from '../support/scratch.ts'
import { takeState } from '../../../lab/local/state-lock.ts'

const root = path.join(import.meta.dirname, '../../..')

function run(file: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stdout, lines: stderr.trim().split('\n') }
}

const programs = ['lab/local/start.ts', 'lab/local/gateway-main.ts']

describe('a local program', () => {
  it('answers an unknown option or a wrong port with one line', () => {
    for (const file of programs) {
      for (const args of [
        ['--prot', '1'],
        ['--port', '65536'],
        ['--port', '1x'],
        ['--port'],
        ['x'],
      ]) {
        const { status, stdout, lines } = run(file, ...args)
        expect([file, args, status, stdout, lines.length]).toEqual([file, args, 2, '', 1])
        expect(lines[0]).toContain('--port')
      }
    }
  })

  it('answers a file of an evaluation that is not there with one line', () => {
    for (const kind of ['plans', 'drift', 'injection', 'retrieval']) {
      const { status, lines } = run('lab/eval/main.ts', kind, '/no-such-file')
      expect([status, lines]).toEqual([2, [`eval ${kind}: there is no file /no-such-file`]])
    }
    expect(run('lab/eval/main.ts', 'plans', 'lab/eval').lines).toEqual([
      'eval plans: lab/eval is a folder',
    ])
  })

  it('answers an unknown option of any command with one line', () => {
    for (const file of ['kg-build/cli.ts', 'kg-build/load/cli.ts', 'kg-build/fetch/cli.ts'].concat(
      'kg-build/audit.ts',
      'lab/local/demo.ts',
      'lab/bench/main.ts',
    )) {
      const { status, stdout, lines } = run(file, '--nothing')
      expect([file, status, stdout, lines.length]).toEqual([file, 2, '', 1])
      expect(lines[0]).toContain('--nothing')
    }
  })

  it('does not start over the state of one that runs, and does over that of one that was killed', () => {
    const folder = scratch()
    const file = path.join(folder, 'running.pid')
    writeFileSync(file, String(process.pid))
    const { status, lines } = run('lab/local/start.ts', '--port', '0', '--state', folder)
    expect([status, lines]).toEqual([
      1,
      [
        `${folder} is in use by process ${process.pid}; end that one, or choose another with --state`,
      ],
    ])
    // A process that has ended for certain.
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    writeFileSync(file, String(gone))
    expect(takeState(folder)).toBeNull()
    expect(takeState(folder)).toBe(process.pid)
  })

  it('answers a port that is in use with one line', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      for (const file of programs) {
        const { status, lines } = run(file, '--port', String(port))
        expect([file, status, lines]).toEqual([
          file,
          1,
          [`port ${port} is in use; choose another with --port, 0 takes a free one`],
        ])
      }
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
