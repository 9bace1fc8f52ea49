// What is fetched and then run, loaded or flashed needs its digest in the plan (CWE-494). Plain data that
// code only reads needs none.
import type { Finding } from '../../../protocol/finding.ts'
import { carriesCode, runnableFile, runsInput } from '../../lexicon/signs.ts'
import { runsCode } from '../provenance/sandbox.ts'
import { report } from '../report.ts'
import type { Scene, SceneNode } from '../scene.ts'
import type { Flow } from './travel.ts'

const urlOf = (used: SceneNode): { readonly at: string; readonly path: string } | null => {
  const leaf = used.texts.find(({ value }) => /^https?:\/\//i.test(value))
  if (leaf === undefined) return null
  return { at: leaf.at, path: leaf.value.replace(/[?#].*$/s, '') }
}

const isPinned = (used: SceneNode): boolean =>
  used.texts.some(
    ({ role, value }) =>
      role === 'digest' &&
      /^(?:sha256[:-])?[0-9a-fA-F]{64}$|^sha256-[A-Za-z0-9+/]{43}=$/.test(value),
  )

/** Nodes that take in what `id` fetched: by reference, or because they wait for it. */
function takers(scene: Scene, flow: Flow, id: string): SceneNode[] {
  return scene.nodes.filter(
    ({ node }) =>
      flow.ancestors(node.id).has(id) ||
      flow.references.get(node.id)?.some(({ from }) => from === id) === true,
  )
}

function isUsedAsCode(path: string, taker: SceneNode): boolean {
  if (taker.tool?.risk_class === 'admin') return runnableFile.test(path) || carriesCode.test(path)
  if (!runsCode(taker)) return false
  if (runnableFile.test(path) || carriesCode.test(path)) return true
  return taker.texts.some(({ value }) => runsInput.test(value))
}

/** One flag for each fetched artefact that is used as code without a pinned digest. */
export function checkArtefactUse(scene: Scene, flow: Flow): Finding[] {
  return scene.nodes.flatMap((used) => {
    if (used.tool?.risk_class !== 'network' || isPinned(used)) return []
    const url = urlOf(used)
    if (url === null) return []
    const taker = takers(scene, flow, used.node.id).find((x) => isUsedAsCode(url.path, x))
    if (taker === undefined) return []
    const facts = { node: used.node.id, used_by: taker.node.id }
    return [report('ARTEFACT_UNPINNED', 'flag', url.at, facts)]
  })
}
