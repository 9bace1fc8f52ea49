// The picture of a plan: which step waits for which, the concerned ones marked. The list of steps says the
// same in words.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Plan } from '../../protocol/plan.ts'
import type { Picture } from './layout.ts'
import { orderOf } from './places.ts'

/** More boxes than this are no picture that helps. */
const boxesMax = 60
const labelMax = 20

export function GraphPicture(props: { plan: Plan; concerned: readonly string[] }): VNode | null {
  const { plan, concerned } = props
  const picture = useSignal<Picture | null>(null)
  const n = plan.nodes.length
  const drawn = n > 1 && n <= boxesMax
  useEffect(() => {
    // The layout is large and waits until the page can be read.
    if (drawn) void import('./layout.ts').then(({ pictureOf }) => (picture.value = pictureOf(plan)))
  }, [plan])
  if (!drawn || picture.value === null) return null
  const { width, height, boxes, lines } = picture.value
  const order = orderOf(plan)
  return (
    <figure class="picture" tabIndex={0} role="group" aria-label="Picture of the steps">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {lines.map((points, i) => (
          <polyline key={i} points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
        ))}
        {boxes.map(({ id, x, y, width: w, height: h }) => {
          const tool =
            plan.nodes
              .find((node) => node.id === id)
              ?.tool.split('.')
              .at(-1) ?? id
          return (
            <g key={id} class={concerned.includes(id) ? 'concerned' : ''}>
              <rect x={x} y={y} width={w} height={h} rx="6" />
              <text x={x + w / 2} y={y + h / 2 + 5} text-anchor="middle">
                {order.indexOf(id) + 1}. {tool.slice(0, labelMax)}
              </text>
            </g>
          )
        })}
      </svg>
    </figure>
  )
}
