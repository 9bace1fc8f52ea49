// Any value of a site file in words: names as words, lists by commas, what is inside of something indented.
import type { VNode } from 'preact'
import { Shown } from '../text/shown.tsx'

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

function plain(value: unknown): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function InWords({ value }: { value: unknown }): VNode {
  if (isPlain(value)) return <Shown text={plain(value)} />
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    if (items.length === 0) return <>none</>
    if (items.every(isPlain)) return <Shown text={items.map(plain).join(', ')} />
    return (
      <ul>
        {items.map((one, i) => (
          <li key={i}>
            <InWords value={one} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <dl class="facts">
      {Object.entries(value as Readonly<Record<string, unknown>>).map(([name, inner]) => (
        <div key={name}>
          <dt>
            <Shown text={name.replaceAll('_', ' ')} />
          </dt>
          <dd>
            <InWords value={inner} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
