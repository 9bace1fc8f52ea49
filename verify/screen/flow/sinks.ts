// Where data leaves: which labels may go where, and to whom (POL-12, POL-19; CWE-359, CWE-522, CWE-200).
// Identifiers and credentials never leave; study data goes to approved receivers only.
import type { Finding } from '../../../protocol/finding.ts'
import type { FlowLabel, SinkKind } from '../../../protocol/registry.ts'
import { report } from '../report.ts'
import type { Scene, SceneNode } from '../scene.ts'
import { fieldLabel, personWords } from './fields.ts'
import { labelBit, shapesOf } from './labels.ts'
import { foreignAddresses, recipientsOf, smugglesHeader, type Recipient } from './recipients.ts'
import { sourceOf, type Flow, type Inflow } from './travel.ts'
import { wordsOf } from '../words.ts'

type Effect = Finding['effect']

const isOutside = (sink: SinkKind): boolean =>
  sink === 'external_mail' || sink === 'external_http' || sink === 'removable_store'

/** How a label came: as the value itself or by name, along data edges, or along mere order. */
type Way = keyof Inflow

const ways: readonly Way[] = ['stated', 'data', 'order']

/** The effect of a sensitive label at a sink; null when it may go there. */
function effectOf(label: FlowLabel, sink: SinkKind, way: Way): Effect | null {
  const outside = isOutside(sink)
  if (label === 'credentials') {
    if (way === 'order') return outside ? 'flag' : 'advisory'
    // A GET or a record takes in what its arguments hold, not what came before it.
    return sink === 'internal_http' && way === 'data' ? 'flag' : 'block'
  }
  if (label === 'identifiers' || label === 'images_of_people') {
    if (outside) return way === 'order' ? 'flag' : 'block'
    if (sink === 'internal_chat') return way === 'order' ? 'advisory' : 'flag'
    return sink === 'internal_http' && way === 'stated' ? 'flag' : null
  }
  return null
}

const codeOf = {
  identifiers: 'FLOW_IDENTIFIERS_OUT',
  credentials: 'FLOW_CREDENTIALS_OUT',
  images_of_people: 'FLOW_IMAGES_OUT',
} as const

type Labelled = keyof typeof codeOf

function labelFindings(scene: Scene, flow: Flow, used: SceneNode & { sink: SinkKind }): Finding[] {
  const inflow = flow.inflow.get(used.node.id)
  if (inflow === undefined) return []
  const out: Finding[] = []
  for (const label of ['identifiers', 'credentials', 'images_of_people'] as const) {
    const bit = labelBit[label]
    const way = ways.find((x) => (inflow[x] & bit) !== 0)
    if (way === undefined) continue
    const effect = effectOf(label, used.sink, way)
    if (effect === null) continue
    const source = sourceOf(scene, flow, { id: used.node.id, bit })
    out.push(
      report(codeOf[label], effect, used.at, { node: used.node.id, source, sink: used.sink, way }),
    )
  }
  return out
}

const keyFile =
  /(?:^|[/\\])(?:id_rsa|id_ed25519|\.env|\.netrc|\.pgpass|\.htpasswd)$|\.(?:pem|key|p12|pfx|kdbx|jks|ppk)$/i

/** What an attachment's name says it holds. */
function attachmentLabel(name: string): { label: Labelled; sure: boolean } | null {
  if (keyFile.test(name)) return { label: 'credentials', sure: true }
  const stem = name.replace(/\.[a-z0-9]{1,5}$/i, '')
  const label = fieldLabel(stem)
  if (label !== null) return { label, sure: true }
  const people = wordsOf(stem).some((word) => personWords.has(word))
  return people ? { label: 'identifiers', sure: false } : null
}

/** Data that the arguments of the sink hold themselves. */
function contentFindings(
  used: SceneNode & { sink: SinkKind },
  recipients: readonly Recipient[],
  approved: readonly string[],
): Finding[] {
  const out: Finding[] = []
  const add = (
    label: Labelled,
    sure: boolean,
    where: Parameters<typeof report>[2],
    kind: string,
  ): void => {
    const full = effectOf(label, used.sink, 'stated')
    const effect = full === 'block' && !sure ? 'flag' : full
    if (effect === null || (!sure && !isOutside(used.sink))) return
    const facts = { node: used.node.id, sink: used.sink, kind }
    out.push(report(codeOf[label], effect, where, facts))
  }
  for (const { leaf, shape } of shapesOf(used)) {
    add(shape.label, shape.weight === 'sure', { at: leaf.at, span: shape.span }, shape.kind)
  }
  for (const { role, value, at } of used.texts) {
    if (role === 'attachments') {
      const found = attachmentLabel(value)
      if (found !== null) add(found.label, found.sure, at, 'name of an attachment')
    }
    if (recipients.some((x) => x.at === at)) continue
    if (foreignAddresses(value, { approved, recipients }).length > 0) {
      add('identifiers', false, at, 'mail address')
    }
  }
  return out
}

function recipientFindings(
  used: SceneNode & { sink: SinkKind },
  recipients: readonly Recipient[],
): Finding[] {
  if (used.sink !== 'external_mail' && used.sink !== 'external_http') return []
  const facts = { node: used.node.id, sink: used.sink }
  const out: Finding[] = []
  const smuggled = smugglesHeader(used)
  if (smuggled !== null) {
    out.push(
      report('FLOW_RECIPIENT_UNKNOWN', 'block', smuggled, { ...facts, why: 'header in a field' }),
    )
  }
  if (recipients.length === 0) {
    out.push(report('FLOW_RECIPIENT_UNKNOWN', 'flag', used.at, { ...facts, why: 'none named' }))
  }
  for (const { at, domain, standing, resembles } of recipients) {
    if (standing === 'approved') continue
    const more = { ...facts, domain }
    out.push(report('FLOW_RECIPIENT_UNKNOWN', 'flag', at, more))
    if (standing === 'look-alike') {
      const look = { ...more, resembles: resembles ?? 'letters of another script', kind: 'domain' }
      out.push(report('NAME_NOT_CANONICAL', 'block', at, look))
    }
  }
  return out
}

const studyBits =
  labelBit.study_data | labelBit.images | labelBit.device_state | labelBit.code_output

function studyFindings(
  scene: Scene,
  flow: Flow,
  used: SceneNode & { sink: SinkKind; known: boolean },
): Finding[] {
  if (!isOutside(used.sink) || (used.known && used.sink !== 'removable_store')) return []
  const inflow = flow.inflow.get(used.node.id)
  const way = ways.find((x) => ((inflow?.[x] ?? 0) & studyBits) !== 0)
  if (way === undefined) return []
  const source = sourceOf(scene, flow, { id: used.node.id, bit: studyBits })
  const effect = way === 'order' ? 'advisory' : 'flag'
  return [
    report('FLOW_STUDY_DATA_OUT', effect, used.at, {
      node: used.node.id,
      source,
      sink: used.sink,
      way,
    }),
  ]
}

/** References to data of nodes that the sink does not wait for. */
function undeclaredFindings(flow: Flow, used: SceneNode): Finding[] {
  const before = flow.ancestors(used.node.id)
  return (
    (flow.references.get(used.node.id) ?? [])
      .filter(({ from }) => !before.has(from))
      // What happens after the node cannot be meant: the writer of a record that this node reads.
      .filter(({ from }) => !flow.ancestors(from).has(used.node.id))
      .map(({ from, at }) =>
        report('FLOW_UNDECLARED_SOURCE', 'flag', at, { node: used.node.id, source: from }),
      )
  )
}

/** Every sink: labels, contents, receivers and undeclared sources. */
export function checkSinks(scene: Scene, flow: Flow): Finding[] {
  const approved = scene.snapshot.registry.network.domains
  const out: Finding[] = []
  for (const used of scene.nodes) {
    const sink = used.tool?.sink ?? null
    if (sink === null) continue
    const recipients = recipientsOf(used, approved)
    const known =
      recipients.length > 0 && recipients.every(({ standing }) => standing === 'approved')
    const node = { ...used, sink, known }
    out.push(
      ...labelFindings(scene, flow, node),
      ...contentFindings(node, recipients, approved),
      ...recipientFindings(node, recipients),
      ...studyFindings(scene, flow, node),
      ...undeclaredFindings(flow, used),
    )
  }
  return out
}

/** A camera that has people in view needs a privacy review, wherever the image goes (POL-19). */
export function checkPeopleInView(scene: Scene, flow: Flow): Finding[] {
  return scene.nodes
    .filter(({ node }) => ((flow.own.get(node.id) ?? 0) & labelBit.images_of_people) !== 0)
    .map(({ node, at }) =>
      report('FLOW_PEOPLE_IN_VIEW', 'flag', at, { node: node.id, tool: node.tool }),
    )
}
