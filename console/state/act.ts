// One act of a person on a cell or run: done once, with its answer beside the button, never guessed.
import { signal, type Signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { refusalInWords } from '../api.ts'

export type Act = {
  notice: Signal<string>
  busy: Signal<boolean>
  /** Runs it and shows `done` of its answer, or the refusal. True when it was taken. */
  run: <T>(act: () => Promise<T>, done: (answer: T) => string) => Promise<boolean>
}

export function useAct(): Act {
  const [act] = useState((): Act => {
    const notice = signal('')
    const busy = signal(false)
    return {
      notice,
      busy,
      run: async (work, done) => {
        if (busy.value) return false
        busy.value = true
        notice.value = 'Sending …'
        try {
          notice.value = done(await work())
          return true
        } catch (cause) {
          notice.value = refusalInWords(cause)
          return false
        } finally {
          busy.value = false
        }
      },
    }
  })
  return act
}
