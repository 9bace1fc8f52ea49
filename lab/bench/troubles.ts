// What may stand between a press and the device, made with real means: a full disk below the agent's ledger,
// and a device whose process is stopped, so that it reads nothing.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { deviceOf } from '../local/processes.ts'
import type { Trouble } from './press.ts'

/** Only a root of its own namespace may mount. */
export const mountable = process.platform === 'linux' && process.getuid?.() === 0

/** A small file system of its own where the agent keeps its ledger. */
export function smallDisk(folder: string): Trouble & { readonly unmount: () => void } {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
  const filler = path.join(folder, 'filler')
  return {
    begin: () => {
      for (const size of [65_536, 4_096, 512, 64, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size))
        } catch {
          // Full to this grain.
        }
      }
    },
    end: () => rmSync(filler, { force: true }),
    unmount: () => execFileSync('umount', ['-l', folder]),
  }
}

/** The device reads nothing and answers nothing until the trouble ends. */
export const muteDevice = (journal: string): Trouble => ({
  begin: () => process.kill(deviceOf(journal), 'SIGSTOP'),
  end: () => process.kill(deviceOf(journal), 'SIGCONT'),
})
