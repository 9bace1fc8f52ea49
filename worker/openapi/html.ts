// HTML that is put together from texts: everything that is put in is escaped, unless it is HTML itself.

export type Html = { readonly html: string }

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => entities[c] ?? c)

type Part = string | number | Html | readonly Html[]

const written = (part: Part): string => {
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html: inner }) => inner).join('')
}

/** A template: texts in it are escaped, HTML and lists of HTML are taken as they are. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((piece, i) => {
    const part = parts[i]
    return part === undefined ? piece : piece + written(part)
  })
  return { html: pieces.join('') }
}

/** Prose with `code` in backticks. */
export const prose = (text: string): Html[] =>
  text.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
