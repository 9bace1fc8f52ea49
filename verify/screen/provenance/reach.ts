// Code in a sandbox computes and nothing else: no network, no device bus, no host (POL-11, CWE-250).
// A reader of source text cannot prove what code does; the sandbox is the wall. This check refuses
// the plans that say openly, or hide badly, that they want through it.
import type { Finding } from '../../../protocol/finding.ts'
import { report } from '../report.ts'
import type { Leaf, Scene, SceneNode, TextLeaf } from '../scene.ts'
import { reachingModules, reachRules } from '../../lexicon/signs.ts'
import { runsCode } from './sandbox.ts'

/** Reads code the way its interpreter would: compatibility forms, escapes, joined literals. */
export function readableCode(code: string): string {
  return (
    code
      .normalize('NFKC')
      .replaceAll(/\\\r?\n/g, ' ')
      .replaceAll(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => character(hex))
      .replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => character(hex))
      .replaceAll(/['"] {0,4}\+ {0,4}['"]/g, '')
      .replaceAll(/[\t ]+/g, ' ')
      // Running a file is a question of its origin (ARTEFACT_UNPINNED), not of reach.
      .replaceAll(/\bexec\( ?(?:compile\( ?)?open\(/g, 'run_file(')
  )
}

const character = (hex: string): string => {
  const c = String.fromCharCode(Number.parseInt(hex, 16))
  // A decoded quote or line end must not change how the rest is read.
  return /[\u0020-\u007e]/.test(c) && c !== '"' && c !== "'" ? c : '?'
}

/** Modules that the code loads: `import a.b as c, d`, `from a import b`, `library(a)`, `a::b`. */
export function modulesOf(code: string): Set<string> {
  const found = new Set<string>()
  const root = (name: string | undefined): void => {
    const first = name?.trim().split(/[.\s]/)[0]
    if (first !== undefined && first !== '') found.add(first)
  }
  for (const [, list] of code.matchAll(/(?:^|[;:\n]) {0,80}import ([\w., ]{1,400})/g)) {
    for (const part of list?.split(',') ?? []) root(part)
  }
  for (const [, name] of code.matchAll(/(?:^|[;:\n]) {0,80}from ([\w.]{1,200}) import /g))
    root(name)
  for (const [, name] of code.matchAll(
    /\b(?:library|require|requireNamespace|loadNamespace|import_module|__import__) ?\( ?['"]?([\w.]{1,80})/g,
  )) {
    root(name)
  }
  for (const [, name] of code.matchAll(/\b([A-Za-z][\w.]{0,60}):::?[A-Za-z]/g)) root(name)
  return found
}

function ofCode(used: SceneNode, leaf: TextLeaf): Finding[] {
  const facts = { node: used.node.id, tool: used.node.tool }
  const code = readableCode(leaf.value)
  const out: Finding[] = []
  for (const module of [...modulesOf(code)].toSorted()) {
    const kind = reachingModules.get(module)
    if (kind === undefined) continue
    out.push(report('CODE_REACHES_DEVICE', 'block', leaf.at, { ...facts, kind, module }))
  }
  for (const { kind, effect, pattern } of reachRules) {
    const match = pattern.exec(code)
    if (match === null) continue
    const span =
      code === leaf.value ? ([match.index, match.index + match[0].length] as const) : null
    out.push(report('CODE_REACHES_DEVICE', effect, { at: leaf.at, span }, { ...facts, kind }))
  }
  return out
}

/** A switch that asks the sandbox to open: `network: true`, `privileged: true`. */
function asksOut(leaf: Leaf): boolean {
  if (leaf.role !== 'network') return false
  if (leaf.value === true || leaf.value === 1) return true
  return (
    typeof leaf.value === 'string' && /^(?:true|yes|on|host|bridge|all|full)$/i.test(leaf.value)
  )
}

function ofNode(used: SceneNode): Finding[] {
  if (!runsCode(used)) return []
  const asks = used.leaves.filter(asksOut).map((leaf) =>
    report('CODE_REACHES_DEVICE', 'block', leaf.at, {
      node: used.node.id,
      tool: used.node.tool,
      kind: 'asks the sandbox to open',
    }),
  )
  return [...asks, ...used.texts.flatMap((leaf) => ofCode(used, leaf))]
}

/** What the code of each node reaches for beyond computing. */
export function checkReach(scene: Scene): Finding[] {
  return scene.nodes.flatMap(ofNode)
}
