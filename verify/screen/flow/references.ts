// Which nodes a node's arguments speak of: a reference to a result, `inputs: ["n1"]`, `source_node`, `${n1.rows}`, an attachment
// "n2_rows.csv", a file that another node writes, a record that another node wrote. Danger: data that
// travels by a name instead of by depends_on (CWE-441).
import { comparisonsOf, referencesOfNode } from '../../../protocol/plan-needs.ts'
import type { Scene, SceneNode, TextLeaf } from '../scene.ts'

export type Reference = {
  readonly from: string
  readonly at: string
}

/** Roles whose values name data. */
const dataRoles = new Set(['inputs', 'source_node', 'from', 'attachments', 'value', 'subject'])

/** Ids of the usual form can be found in any text without taking other words for them. */
const usualId = /^n[0-9]{1,3}$/

const fileName =
  /[\p{L}\p{N}_-]{1,80}\.(?:csv|tsv|txt|json|jsonl|xlsx?|xml|pdf|png|jpe?g|tiff?|parquet|zip|tar|gz|log|md|html|docx?|feather|db|sqlite)\b/giu

const pieces = (text: string): string[] => text.split(/[^A-Za-z0-9]+/).filter((x) => x !== '')

/** Where ids of the plan occur in one string. */
function idsIn(leaf: TextLeaf, ids: ReadonlyMap<string, SceneNode>): string[] {
  const out = new Set<string>()
  const text = leaf.value
  const data = dataRoles.has(leaf.role)
  if (data && ids.has(text)) out.add(text)
  for (const piece of pieces(text)) {
    if (ids.has(piece) && (data || usualId.test(piece))) out.add(piece)
  }
  if (data) {
    for (const [id] of ids) {
      if (id.length >= 3 && /[._-]/.test(id) && text.includes(id)) out.add(id)
    }
  }
  if (!/[${<@]/.test(text)) return [...out]
  for (const [, inner] of text.matchAll(
    /(?:\$\{|\{\{|<|\$\(|@\{) ?([A-Za-z0-9][A-Za-z0-9_.-]{0,80})/g,
  )) {
    // `${n1.rows}`: the id is the longest leading part that is one.
    let id = inner ?? ''
    while (id !== '' && !ids.has(id)) id = id.slice(0, Math.max(0, id.lastIndexOf('.')))
    if (id !== '') out.add(id)
  }
  return [...out]
}

const filesIn = (texts: SceneNode['texts']): Map<string, string> => {
  const out = new Map<string, string>()
  for (const { value, at } of texts) {
    if (!value.includes('.')) continue
    for (const [name] of value.matchAll(fileName)) out.set(name.toLowerCase(), at)
  }
  return out
}

/** An object's own id (`TR-3100`): four characters or more with a digit. */
function objectsOf(used: SceneNode): Map<string, string> {
  const out = new Map<string, string>()
  for (const { value, at, role } of used.texts) {
    if (role !== 'record' && role !== 'label' && role !== 'thing') continue
    if (value.length >= 4 && value.length <= 64 && /[0-9]/.test(value))
      out.set(value.toLowerCase(), at)
  }
  return out
}

/**
 * References of every node to other nodes, by node id. A file or record that two nodes name links the
 * one that makes it to the one that takes it.
 */
export function referencesOf(scene: Scene): Map<string, Reference[]> {
  const out = new Map<string, Reference[]>(scene.nodes.map(({ node }) => [node.id, []]))
  const add = (to: string, from: string, at: string): void => {
    const list = out.get(to)
    if (to !== from && list?.every((x) => x.from !== from) === true) list.push({ from, at })
  }
  for (const { node } of scene.nodes) {
    for (const { at, from } of referencesOfNode(node))
      add(node.id, from.node, nodeAt(scene, node.id, at))
    // Whether a node ran says what it was compared with.
    for (const { at, comparison } of comparisonsOf(node)) {
      add(node.id, comparison.result.node, nodeAt(scene, node.id, at))
    }
  }
  for (const { node, texts } of scene.nodes) {
    for (const leaf of texts) {
      for (const id of idsIn(leaf, scene.byId)) add(node.id, id, leaf.at)
    }
  }
  linkFiles(scene, add)
  linkRecords(scene, add)
  return out
}

const nodeAt = (scene: Scene, id: string, at: string): string =>
  `${scene.byId.get(id)?.at ?? ''}${at}`

type Add = (to: string, from: string, at: string) => void

/** Code that mentions a file is taken to make it; who else names the file takes it. */
function linkFiles(scene: Scene, add: Add): void {
  const makers = new Map<string, string[]>()
  const named = scene.nodes.map((used) => ({ used, files: filesIn(used.texts) }))
  for (const { used, files } of named) {
    if (used.tool?.risk_class !== 'code') continue
    for (const name of files.keys()) makers.set(name, [...(makers.get(name) ?? []), used.node.id])
  }
  for (const { used, files } of named) {
    if (used.tool?.risk_class === 'code') continue
    for (const [name, at] of files) {
      for (const maker of makers.get(name) ?? []) add(used.node.id, maker, at)
    }
  }
}

/** A reader of a record gets what was written there; a file called after a record holds its data. */
function linkRecords(scene: Scene, add: Add): void {
  const objects = scene.nodes.map((used) => ({ used, ids: objectsOf(used) }))
  const writers = objects.filter(({ used }) => used.tool?.sink === 'record_system')
  const readers = objects.filter(({ used }) => used.tool?.risk_class === 'read')
  for (const { used, ids } of readers) {
    for (const writer of writers) {
      for (const [id, at] of ids) if (writer.ids.has(id)) add(used.node.id, writer.used.node.id, at)
    }
  }
  for (const { used, texts } of scene.nodes.map((x) => ({ used: x, texts: x.texts }))) {
    for (const { value, role, at } of texts) {
      if (!dataRoles.has(role)) continue
      const text = value.toLowerCase()
      for (const reader of readers) {
        for (const id of reader.ids.keys()) {
          if (text.includes(id)) add(used.node.id, reader.used.node.id, at)
        }
      }
    }
  }
}
