// A load in its own process, that the kill test ends at a random moment. Prints a line per chunk.
import { loadGraph } from '../../../kg-build/load/load.ts'
import { openSqliteD1 } from '../../../kg-build/load/sqlite-d1.ts'

const [file, dir] = process.argv.slice(2)
if (file === undefined || dir === undefined) throw new Error('usage: load-child.ts DB GRAPH')
const d1 = openSqliteD1(file)
const pause = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4)
}
await loadGraph({
  d1,
  vectorize: null,
  dir,
  onProgress: (done, total) => {
    process.stdout.write(`${done}/${total}\n`)
    pause()
  },
})
process.stdout.write('switched\n')
