// A long list of which only the rows in view are in the document; it scrolls with the page, and comes back
// to where it was.
import {
  measureElement,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import type { VNode } from 'preact'
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import type { ReviewRow } from '../api.ts'
import { Row } from './row.tsx'

// The library marks what its adapters call with an underscore.
/* oxlint-disable no-underscore-dangle -- these two are its documented way for a frame of one's own */
const mounted = (virtual: Virtualizer<Window, HTMLLIElement>): (() => void) => virtual._didMount()
const updated = (virtual: Virtualizer<Window, HTMLLIElement>): void => virtual._willUpdate()
/* oxlint-enable no-underscore-dangle */

const rowPx = 150
let lastOffset = 0

export function RowList({ rows }: { rows: readonly ReviewRow[] }): VNode {
  const list = useRef<HTMLUListElement>(null)
  const [, redraw] = useReducer<number, undefined>((n) => n + 1, 0)
  const options = {
    count: rows.length,
    getScrollElement: () => window,
    estimateSize: () => rowPx,
    getItemKey: (index: number) => rows[index]?.plan ?? index,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    measureElement,
    overscan: 4,
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: lastOffset,
    scrollMargin: list.current?.offsetTop ?? 0,
    onChange: () => redraw(undefined),
  }
  const [virtual] = useState(() => new Virtualizer<Window, HTMLLIElement>(options))
  virtual.setOptions({ ...virtual.options, ...options })
  useLayoutEffect(() => {
    const stop = mounted(virtual)
    updated(virtual)
    if (lastOffset > 0) window.scrollTo(0, lastOffset)
    const keep = (): void => {
      lastOffset = window.scrollY
    }
    addEventListener('scroll', keep)
    redraw(undefined)
    return () => {
      removeEventListener('scroll', keep)
      stop()
    }
  }, [])
  useLayoutEffect(() => updated(virtual))
  const margin = virtual.options.scrollMargin
  return (
    <ul class="rows" ref={list} style={{ height: `${virtual.getTotalSize()}px` }}>
      {virtual.getVirtualItems().map((item) => {
        const row = rows[item.index]
        return row === undefined ? null : (
          <li
            key={item.key}
            data-index={item.index}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            ref={(element) => virtual.measureElement(element)}
            style={{ transform: `translateY(${item.start - margin}px)` }}
          >
            <Row row={row} />
          </li>
        )
      })}
    </ul>
  )
}
