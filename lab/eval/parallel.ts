// A few at a time, in the order of the items, with progress on stderr.

/** Runs `work` over the items, at most `width` at once; the first error stops the rest. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  let done = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++
      const item = items[index]
      if (item === undefined) return
      try {
        results[index] = await work(item, index)
      } catch (cause) {
        next = items.length
        throw cause
      }
      done += 1
      process.stderr.write(`\r${done}/${items.length} plans judged`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  process.stderr.write('\n')
  return results
}
