// What the site is set to: one page for each part, those that a role may see.
import type { VNode } from 'preact'
import { addressOf, type SitePart } from '../state/address.ts'
import { me, type Role } from '../state/who.ts'
import { FilePage } from './file.tsx'
import { KeepingPage } from './keeping.tsx'
import { MemoryPage } from './memory.tsx'
import { PolicyPage } from './policy.tsx'
import { StandingPage } from './standing.tsx'
import { ToolsPage } from './tools.tsx'

const people: readonly Role[] = ['reviewer', 'operator', 'administrator']
const parts: readonly (readonly [SitePart, string, readonly Role[], () => VNode])[] = [
  ['standing', 'Standing', people, StandingPage],
  ['file', 'Site file', people, FilePage],
  ['policy', 'Policy', people, PolicyPage],
  ['tools', 'Tools', people, ToolsPage],
  ['memory', 'Memory', ['reviewer', 'administrator'], MemoryPage],
  ['keeping', 'Keeping', people, KeepingPage],
]

export function SitePage({ part }: { part: SitePart }): VNode {
  const role = me.value?.role
  const Shown = parts.find(([name]) => name === part)?.[3] ?? StandingPage
  return (
    <>
      <nav aria-label="Parts of the site">
        {parts.map(([name, title, roles]) =>
          role !== undefined && roles.includes(role) ? (
            <a
              key={name}
              href={addressOf.site(name)}
              {...(name === part ? { 'aria-current': 'page' as const } : {})}
            >
              {title}
            </a>
          ) : null,
        )}
        <a href={addressOf.trail('site')}>Trail</a>
      </nav>
      <Shown />
    </>
  )
}
