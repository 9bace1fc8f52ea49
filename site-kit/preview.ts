// What a proposed file would change at a running gateway, asked for piece by piece.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Registry } from '../protocol/registry.ts'
import { UsageError } from './files.ts'

const whySchema = z.object({ code: z.string(), at: z.string(), effect: z.string() })
const pieceSchema = z.object({
  tried: z.int(),
  unreadable: z.array(z.string()),
  changed: z.array(
    z.object({
      plan: z.string(),
      before: z.string(),
      after: z.string(),
      stands: z.string().nullable(),
      gained: z.array(whySchema),
      lost: z.array(whySchema),
    }),
  ),
  to_judge_again: z.array(z.string()),
  next: z.string().nullable(),
})
type Piece = z.infer<typeof pieceSchema>
type Preview = Omit<Piece, 'next'>

/** How often a gateway that is busy is asked again, and how long it is waited for at most, in seconds. */
const busyTriesMax = 20
const busyWaitMaxS = 30

async function pieceOf(url: string, token: string, body: object): Promise<Piece> {
  for (let tried = 1; ; tried++) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.ok) return pieceSchema.parse(await answer.json())
    const waitS = Number(answer.headers.get('retry-after') ?? '1')
    if (answer.status !== 429 || tried === busyTriesMax) {
      throw new UsageError(`the gateway answered ${answer.status}: ${await answer.text()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(waitS, busyWaitMaxS)))
  }
}

/** Asks until the last plan was tried. `tokenFile` holds the token of an administrator. */
export async function previewAt(
  gateway: string,
  tokenFile: string,
  registry: Registry,
): Promise<Preview> {
  const token = (await readFile(tokenFile, 'utf8').catch(() => '')).trim()
  if (token === '') throw new UsageError(`${tokenFile}: holds no token`)
  const url = `${gateway.replace(/\/$/, '')}/v1/site-file/preview`
  const all: Preview = { tried: 0, unreadable: [], changed: [], to_judge_again: [] }
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const piece: Piece = await pieceOf(url, token, {
      registry,
      ...(after === null ? {} : { after }),
    })
    all.tried += piece.tried
    all.unreadable.push(...piece.unreadable)
    all.changed.push(...piece.changed)
    all.to_judge_again.push(...piece.to_judge_again)
    after = piece.next
  }
  return all
}

export function previewText({ tried, unreadable, changed, to_judge_again }: Preview): string {
  const reason = (sign: string) => (why: z.infer<typeof whySchema>) =>
    `    ${sign} ${why.effect}: ${why.code} ${why.at}`
  const lines = changed.flatMap(({ plan, before, after, stands, gained, lost }) => [
    `${plan}: ${before} -> ${after} by rules (it stands as: ${stands ?? 'not decided'})`,
    ...gained.map(reason('+')),
    ...lost.map(reason('-')),
  ])
  return [
    ...lines,
    `${changed.length} of the last ${tried} verdicts would change.`,
    ...(unreadable.length === 0 ? [] : [`Not run again: ${unreadable.join(', ')}`]),
    ...(to_judge_again.length === 0
      ? []
      : [`Judges spoke on these, and would have to again: ${to_judge_again.join(', ')}`]),
    'By reading, dry run and rules over the cell as it was recorded then; no judge was asked.',
  ].join('\n')
}
