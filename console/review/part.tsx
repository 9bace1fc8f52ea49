// A part of a page with its title.
import type { ComponentChildren, VNode } from 'preact'

export function Part(props: { title: string; children: ComponentChildren }): VNode {
  return (
    <section class="part">
      <h2>{props.title}</h2>
      {props.children}
    </section>
  )
}
