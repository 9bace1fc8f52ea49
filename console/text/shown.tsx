// Text of a plan, a judge or a device as a reader must see it: as text only, in its own direction, with
// everything spelled out that hides or passes for something else. Long text is shown whole, on demand.
import type { ComponentChildren, VNode } from 'preact'
import { pieces } from './pieces.ts'

/** Longer text is folded; its length is told, so that nothing is hidden by being long. */
const foldAt = 800

function Pieces({ text }: { text: string }): VNode {
  return (
    <>
      {pieces(text).map((piece) =>
        piece.kind === 'plain' ? (
          piece.text
        ) : piece.kind === 'hidden' ? (
          <mark>⟨{piece.code}⟩</mark>
        ) : (
          <mark>
            {piece.text}⟨{piece.code}⟩
          </mark>
        ),
      )}
    </>
  )
}

type ShownProps = {
  text: string
  /** UTF-16 span that a finding is about. */
  span?: readonly [number, number] | null
}

/** One text. `bdi` keeps its direction to itself. */
export function Shown({ text, span = null }: ShownProps): VNode {
  if (span !== null) {
    return (
      <bdi>
        <Pieces text={text.slice(0, span[0])} />
        <mark class="span">
          <Pieces text={text.slice(span[0], span[1])} />
        </mark>
        <Pieces text={text.slice(span[1])} />
      </bdi>
    )
  }
  if (text.length <= foldAt) {
    return (
      <bdi>
        <Pieces text={text} />
      </bdi>
    )
  }
  const rest = text.length - foldAt
  return (
    <bdi>
      <Pieces text={text.slice(0, foldAt)} />
      <Fold title={`… and ${rest.toLocaleString('en')} more characters`}>
        <Pieces text={text.slice(foldAt)} />
      </Fold>
    </bdi>
  )
}

/** A part that opens; it is in the document, so that find-in-page and print reach it. */
export function Fold(props: { title: string; children: ComponentChildren; open?: boolean }): VNode {
  return (
    <details open={props.open ?? false}>
      <summary>{props.title}</summary>
      {props.children}
    </details>
  )
}
