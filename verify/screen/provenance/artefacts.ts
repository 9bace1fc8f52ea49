// Firmware, skills and fetched artefacts: pinned by digest, signed by a trusted signer, exact names.
// Danger: what is flashed or run is not what was approved (CWE-494, CWE-347, ATLAS AML.T0010).
import type { Finding } from '../../../protocol/finding.ts'
import { imitated } from '../names.ts'
import { report } from '../report.ts'
import type { Leaf, Scene, SceneNode } from '../scene.ts'

/** Written where a value is wanted and there is none. */
const placeholder =
  /^(?:|-+|n\/?a|none|null|nil|no|not signed|unsigned|pending|tbd|todo|unknown|skip|self|self-?signed|test|dummy|xxx+|0+)$/i

/** SHA-256 of nothing: a digest that any truncated download has. */
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const isPlaceholder = (leaf: Leaf | undefined): boolean =>
  typeof leaf?.value !== 'string' || placeholder.test(leaf.value.trim())

/** A digest that pins nothing: one character repeated, or that of the empty file. */
function pinsNothing(leaf: Leaf | undefined): boolean {
  if (typeof leaf?.value !== 'string') return true
  const value = leaf.value.toLowerCase()
  return placeholder.test(value) || value === emptySha256 || new Set(value).size <= 2
}

const byRole = (used: SceneNode, role: string): Leaf | undefined =>
  used.leaves.find((leaf) => leaf.role === role)

/** True for calls that install something signed. */
function installs(used: SceneNode): boolean {
  return used.step.acts.some(({ act }) => act === 'administer')
}

function signerFindings(scene: Scene, used: SceneNode, signer: Leaf): Finding[] {
  const trusted = scene.snapshot.registry.signers
  const name = String(signer.value)
  if (trusted.includes(name)) return []
  const facts = { node: used.node.id, signer: name }
  const out = [report('ARTEFACT_SIGNER_UNTRUSTED', 'block', signer.at, facts)]
  const like = imitated(name, trusted)
  if (like !== null) {
    const more = { ...facts, resembles: like.name, kind: 'signer' }
    out.push(report('NAME_NOT_CANONICAL', 'block', signer.at, more))
  }
  return out
}

function ofInstall(scene: Scene, used: SceneNode): Finding[] {
  const args = `${used.at}/args`
  const facts = { node: used.node.id, tool: used.node.tool }
  const out: Finding[] = []
  const signature = byRole(used, 'signature')
  if (isPlaceholder(signature)) {
    out.push(report('ARTEFACT_UNSIGNED', 'block', signature?.at ?? args, facts))
  }
  const signer = byRole(used, 'signer')
  if (signer === undefined || isPlaceholder(signer)) {
    out.push(report('ARTEFACT_UNSIGNED', 'block', signer?.at ?? args, { ...facts, part: 'signer' }))
  } else {
    out.push(...signerFindings(scene, used, signer))
  }
  const pinned = byRole(used, 'digest')
  if (pinsNothing(pinned)) {
    out.push(report('ARTEFACT_UNPINNED', 'block', pinned?.at ?? args, facts))
  }
  for (const { at, value } of used.texts) {
    if (/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(value)) {
      out.push(report('NAME_NOT_CANONICAL', 'block', at, { ...facts, kind: 'path' }))
    }
  }
  return out
}

/** Signature, trusted signer and digest of everything that is installed. */
export function checkArtefacts(scene: Scene): Finding[] {
  return scene.nodes.filter(installs).flatMap((used) => ofInstall(scene, used))
}
