// Elements from data. Text goes in as text only, never as markup, so that a plan cannot put a script
// in front of a reviewer; characters that a reader could not see are spelled out.

type Child = Node | string | null

/** What an element may be given: plain attributes and one listener. */
export type Props = {
  attributes?: Record<string, string>
  on?: Record<string, (event: Event) => void>
}

/** One element with its children; strings become text in which every character shows. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  name: Tag,
  props: Props,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(props.attributes ?? {})) node.setAttribute(key, value)
  for (const [event, listener] of Object.entries(props.on ?? {})) {
    node.addEventListener(event, listener)
  }
  for (const child of children) {
    if (child !== null) node.append(typeof child === 'string' ? visible(child) : child)
  }
  return node
}

/** Short form for elements without attributes. */
export function tag(name: keyof HTMLElementTagNameMap, ...children: readonly Child[]): HTMLElement {
  return element(name, {}, ...children)
}

/**
 * Characters that do not show, or look like a plain space: control, format (zero-width, bidi, tags),
 * surrogate, private and unassigned ones, every separator, whatever Unicode calls ignorable by default
 * (variation selectors, joiners, fillers), and the empty Braille pattern.
 */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
const plain = new Set([' ', '\n', '\t'])

/** Planner text as a reader must see it: every character that does not show is spelled out. */
export function visible(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  let run = ''
  for (const character of text) {
    if (plain.has(character) || !unseen.test(character)) {
      run += character
      continue
    }
    fragment.append(run)
    run = ''
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    fragment.append(tag('mark', `⟨U+${code}⟩`))
  }
  fragment.append(run)
  return fragment
}

/** Planner text with one span of it marked. */
export function marked(text: string, span: readonly [number, number] | null): DocumentFragment {
  if (span === null) return visible(text)
  const fragment = document.createDocumentFragment()
  fragment.append(
    visible(text.slice(0, span[0])),
    tag('mark', visible(text.slice(span[0], span[1]))),
    visible(text.slice(span[1])),
  )
  return fragment
}

/** A table with a caption and named columns. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly Child[])[],
): HTMLElement {
  if (rows.length === 0) return tag('p', `${caption}: none.`)
  return tag(
    'table',
    tag('caption', caption),
    tag(
      'thead',
      tag('tr', ...columns.map((name) => element('th', { attributes: { scope: 'col' } }, name))),
    ),
    tag('tbody', ...rows.map((cells) => tag('tr', ...cells.map((cell) => tag('td', cell))))),
  )
}

/** A button that says what it does and is disabled while it does it. */
export function button(
  text: string,
  act: () => Promise<void> | void,
  attributes: Record<string, string> = {},
): HTMLButtonElement {
  const node = element('button', { attributes: { type: 'button', ...attributes } }, text)
  node.addEventListener('click', () => {
    node.disabled = true
    void Promise.resolve(act()).finally(() => {
      node.disabled = false
    })
  })
  return node
}

/** A labelled field; the label is bound to the field by id. */
export function field(id: string, label: string, input: HTMLElement): HTMLElement {
  input.id = id
  return tag('div', element('label', { attributes: { for: id } }, label), input)
}

/** A time for people, with the time zone. */
export function time(at_ms: number | null): string {
  if (at_ms === null) return '–'
  const text = new Date(at_ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })
  // Some locales part hours from AM with a narrow space, which would be spelled out.
  return text.replaceAll(/\p{Zs}/gu, ' ')
}
