// How many streams and calls follow plans at a time: each looks again and again for minutes, so that what
// one credential or one site opens must not take the isolate from the others.
import { limits } from '../protocol/limits.ts'

type Follower = { readonly id: string; readonly site: string }

/** Of each credential and site the places that are taken, and until when without a sign of life. */
const open = new Map<string, Map<symbol, number>>()

function taken(key: string, now_ms: number): number {
  const places = open.get(key)
  for (const [place, until_ms] of places ?? []) if (until_ms <= now_ms) places?.delete(place)
  if (places?.size === 0) open.delete(key)
  return places?.size ?? 0
}

/** A place: kept by using it, since a stream whose client is gone may end without a word. */
export type Place = { readonly keep: (now_ms: number) => void; readonly leave: () => void }

/** Takes a place; null: there are as many as there may be. */
export function takeFollow({ id, site }: Follower, now_ms: number): Place | null {
  const [ofOne, ofSite] = [`credential ${id}`, `site ${site}`] as const
  if (taken(ofOne, now_ms) >= limits.followsPerCredentialMax) return null
  if (taken(ofSite, now_ms) >= limits.followsPerSiteMax) return null
  const place = Symbol(id)
  const keep = (at_ms: number): void => {
    for (const key of [ofOne, ofSite]) {
      const places = open.get(key) ?? new Map<symbol, number>()
      open.set(key, places.set(place, at_ms + limits.followSilentMs))
    }
  }
  keep(now_ms)
  const leave = (): void => {
    for (const key of [ofOne, ofSite]) {
      open.get(key)?.delete(place)
      if (open.get(key)?.size === 0) open.delete(key)
    }
  }
  return { keep, leave }
}

/** The same question, asked again only when its last answer is a few seconds old; a no stays a no. */
export function seldom(ask: () => Promise<boolean>, now: () => number): () => Promise<boolean> {
  let last: { readonly at_ms: number; readonly answer: boolean } | null = null
  return async () => {
    const at_ms = now()
    if (last === null || (last.answer && at_ms - last.at_ms >= limits.followCredentialMs)) {
      last = { at_ms, answer: await ask() }
    }
    return last.answer
  }
}
