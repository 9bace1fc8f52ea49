// Writes test/vectors/*.json. The files are for implementations in any language; a test holds them equal
// to what this writes. Run: node lab/tools/make-vectors.ts
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { checkVectors } from './vectors/checks.ts'
import { digestVectors } from './vectors/digests.ts'
import { frameVectors } from './vectors/frames.ts'
import { parseVectors } from './vectors/parsing.ts'
import { planVectors } from './vectors/plans.ts'
import { referenceVectors } from './vectors/references.ts'
import { tokenVectors } from './vectors/tokens.ts'

/** Every file's name → its content. */
export async function allVectors(): Promise<Record<string, unknown>> {
  return {
    'parsing.json': parseVectors(),
    'plans.json': await planVectors(),
    'digests.json': await digestVectors(),
    'tokens.json': await tokenVectors(),
    'checks.json': await checkVectors(),
    'frames.json': await frameVectors(),
    'references.json': await referenceVectors(),
  }
}

/** The text of a vector file: ASCII only, so that no editor or tool changes a character. */
export function vectorText(content: unknown): string {
  const text = JSON.stringify(content, null, 2)
  return `${text.replaceAll(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`
}

if (import.meta.main) {
  const folder = path.join(import.meta.dirname, '..', '..', 'test', 'vectors')
  for (const [name, content] of Object.entries(await allVectors())) {
    await writeFile(path.join(folder, name), vectorText(content))
    console.error(`wrote test/vectors/${name}`)
  }
}
