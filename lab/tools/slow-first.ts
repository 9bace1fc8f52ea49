// The order in which test files are started: those that drive whole processes first. They mostly wait, so
// the many short ones run beside them, and no long one is left to run alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders and files of the longest tests, the longest first; a place that is not named comes after. */
const slow = ['/e2e/', '/seeds-', '/console/', '/eval/', '/gates/', '/panel/']

function place({ moduleId }: TestSpecification): number {
  const at = slow.findIndex((part) => moduleId.includes(part))
  return at < 0 ? slow.length : at
}

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = await super.sort(files)
    return known.toSorted((a, b) => place(a) - place(b))
  }
}
