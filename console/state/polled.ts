// One thing of the gateway, read again (every second, or as often as is asked for) while it is on the page
// and the page is in view; the time of the last answer stands beside it, so that an old state never looks like now.
import { signal, type Signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Refused } from '../api.ts'
import { hasEnded } from './who.ts'

const everyMs = 1_000

export type Polled<T> = {
  value: Signal<T | null>
  /** When it was last read; null before. */
  as_of_ms: Signal<number | null>
  trouble: Signal<string>
  again: () => Promise<void>
}

/** `name` is what is read: another name starts anew. `every_ms`: what costs the gateway more is read less. */
export function usePolled<T>(name: string, read: () => Promise<T>, every_ms = everyMs): Polled<T> {
  const [polled] = useState((): Omit<Polled<T>, 'again'> => ({
    value: signal<T | null>(null),
    as_of_ms: signal<number | null>(null),
    trouble: signal(''),
  }))
  const again = async (): Promise<void> => {
    try {
      polled.value.value = await read()
      polled.as_of_ms.value = Date.now()
      polled.trouble.value = ''
    } catch (cause) {
      polled.trouble.value = cause instanceof Refused ? cause.message : String(cause)
    }
  }
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const loop = async (): Promise<void> => {
      if (document.visibilityState === 'visible' && !hasEnded.value) await again()
      if (!over) timer = setTimeout(() => void loop(), every_ms)
    }
    void loop()
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [name])
  return { ...polled, again }
}
