// What somebody is writing, kept in this tab until it is sent: Back, reload and a sign-in that ended in
// the middle lose nothing.
import { signal, type Signal } from '@preact/signals'

const drafts = new Map<string, Signal<string>>()
const keyOf = (name: string): string => `portcullis.draft.${name}`

/** The draft of one text, by name. Writing to it keeps it. */
export function draftOf(name: string): Signal<string> {
  const known = drafts.get(name)
  if (known !== undefined) return known
  const draft = signal(sessionStorage.getItem(keyOf(name)) ?? '')
  draft.subscribe((text) => {
    if (text === '') sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), text)
  })
  drafts.set(name, draft)
  return draft
}
