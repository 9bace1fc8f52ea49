// Progress of long steps on stderr: a bar on a terminal, one line per step elsewhere.

export type Bar = { tick(label?: string): void; end(): void }
export type Progress = { start(label: string, total: number): Bar }

/** Progress for people: a redrawn bar when stderr is a terminal, plain lines when it is not. */
export function stderrProgress(): Progress {
  return {
    start(label, total) {
      let done = 0
      let last = 0
      const tty = process.stderr.isTTY
      const draw = (extra: string): void => {
        const filled = Math.round((24 * Math.min(done, total)) / Math.max(total, 1))
        const bar = `${'#'.repeat(filled)}${'.'.repeat(24 - filled)}`
        process.stderr.write(`\r${label} [${bar}] ${done}/${total} ${extra}\u001b[K`)
      }
      return {
        tick(extra = '') {
          done += 1
          const now = performance.now()
          if (tty && (now - last > 80 || done >= total)) {
            last = now
            draw(extra)
          }
        },
        end() {
          if (tty) process.stderr.write('\n')
          else process.stderr.write(`${label}: ${done}/${total} done\n`)
        },
      }
    },
  }
}

/** No output at all: tests and embedded use. */
export const silentProgress: Progress = { start: () => ({ tick() {}, end() {} }) }
