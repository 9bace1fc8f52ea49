// One way to the vendors of models: the adapters that speak to them are reached through the port, which takes
// what is hidden, and nobody else holds an SDK, the binding or the port.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '..', '..', '..')
const rooms =
  'protocol verify contain adapters durable-objects worker robot-agent console kg-build site-kit deploy'

const files = rooms.split(' ').flatMap((room) =>
  readdirSync(path.join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
)

/** Who does something, by the text of it; each with who may. */
const ways: Record<string, { readonly sign: RegExp; readonly who: readonly string[] }> = {
  'the SDK of a vendor': {
    sign: /from '(?:@anthropic-ai\/sdk|openai)(?:\/|')/,
    who: ['adapters/models/anthropic.ts', 'adapters/models/openai.ts'],
  },
  'a host of a vendor': {
    sign: /fetch\(\s*[`'"]https:\/\//,
    who: [],
  },
  'a call of the binding': {
    sign: /\bai\.run\(|\bAI\.run\(/,
    who: [
      'adapters/embedder-workers-ai.ts',
      'adapters/models/recording-port.ts',
      'adapters/models/workers-ai.ts',
    ],
  },
  'the binding': {
    sign: /^(?!\s*\/\/).*\benv\.AI\b/m,
    who: [
      'durable-objects/review/judging.ts',
      'durable-objects/review/models.ts',
      'worker/propose.ts',
    ],
  },
  'a speaker of a wire': {
    sign: /import \{[^}]*\bask(?:Anthropic|Openai|WorkersAi)\b/,
    who: ['adapters/models/port.ts'],
  },
  'the port': {
    sign: /import \{[^}]*\bcreateModelPort\b/,
    who: ['durable-objects/review/models.ts'],
  },
  'embeddings of the binding': {
    sign: /import \{[^}]*\bworkersAiEmbedder\b/,
    who: ['durable-objects/review/judging.ts', 'worker/propose.ts'],
  },
  'nothing to hide': { sign: /import \{[^}]*\bnothingHidden\b/, who: [] },
}

describe('the way to a vendor', () => {
  for (const [what, { sign, who }] of Object.entries(ways)) {
    it(`${what} is held by those who may, and nobody else`, () => {
      const holds = files.filter((file) => sign.test(readFileSync(path.join(root, file), 'utf8')))
      expect(holds.sort()).toStrictEqual([...who].sort())
    })
  }
})
