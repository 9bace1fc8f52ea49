// Embeddings by Workers AI, for production. Never bound in the local configuration: an [ai] binding
// opens a remote session at start-up. Not run live in this project's tests.
import type { Hiding } from '../verify/hide/index.ts'
import type { Embedder } from '../verify/ground/port.ts'

/** The part of the Workers AI binding that is used. */
export type AiBinding = {
  run(model: string, input: { text: string[]; pooling: 'cls' }): Promise<{ data?: number[][] }>
}

/** 384 dimensions; at most 512 tokens of each text are read by the model. */
export const workersAiModel = '@cf/baai/bge-small-en-v1.5'

/** Characters per text: about 512 tokens. */
const textCharsMax = 2_000

/** Embeds with Workers AI, without what is hidden from vendors. A missing or short answer throws; grounding then goes on without. */
export function workersAiEmbedder(ai: AiBinding, hiding: Hiding): Embedder {
  return {
    model: workersAiModel,
    async embed(texts) {
      const hidden = texts.map((t) => hiding.hideText(t))
      if (hidden.some((t) => hiding.reveals(t))) throw new Error('a text says what the site hides')
      const text = hidden.map((t) => t.slice(0, textCharsMax))
      const { data } = await ai.run(workersAiModel, { text, pooling: 'cls' })
      if (!data || data.length !== texts.length) throw new Error('Workers AI gave no embeddings')
      return data
    },
  }
}
