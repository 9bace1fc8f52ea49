// Runs the injection screen in workerd over posted texts, `reps` times per request. The clock stands
// still while a Worker computes, so the time is taken outside.
import {
  defaultInjectionLibrary,
  defaultThresholds,
  screenTexts,
} from '../../../verify/screen/injection/index.ts'

let texts: readonly string[] = []

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (request.method === 'POST') {
      texts = (await request.json()) as string[]
      return new Response('')
    }
    const reps = Number(url.searchParams.get('reps') ?? 0)
    let flagged = 0
    for (let i = 0; i < reps; i += 1) {
      defaultInjectionLibrary().clean.forget()
      const options = { library: defaultInjectionLibrary(), thresholds: defaultThresholds }
      for (const text of texts) {
        if (screenTexts([{ at: '', text }], options).level === 'warning') flagged += 1
      }
    }
    return new Response(String(flagged))
  },
}
