// Signing in: a credential of a reviewer or operator, kept in this tab only.
import { signIn } from '../api.ts'
import { element, field, tag } from '../dom.ts'
import type { Page } from '../main.ts'

export function signInView(page: Page): HTMLElement {
  const input = element('input', {
    attributes: { type: 'password', autocomplete: 'off', required: '', spellcheck: 'false' },
  })
  const form = element(
    'form',
    {
      on: {
        submit: (event) => {
          event.preventDefault()
          signIn(input.value.trim())
          page.say('')
          page.go({ at: 'home' })
        },
      },
    },
    tag('h2', 'Sign in'),
    field('credential', 'Credential (pc_…)', input),
    element(
      'div',
      { attributes: { class: 'actions' } },
      element('button', { attributes: { type: 'submit' } }, 'Sign in'),
    ),
  )
  return form
}
