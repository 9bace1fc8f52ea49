// Every code path goes through a sandbox: finds code, encoded code and references that would be run in
// the arguments of tools that do not run code (CWE-94, ATLAS AML.T0053).
import type { Finding } from '../../../protocol/finding.ts'
import { report } from '../report.ts'
import type { Scene, SceneNode } from '../scene.ts'
import { codeLooks, codeSigns } from '../../lexicon/signs.ts'
import { runsCode } from './sandbox.ts'

export type CodeSign = {
  readonly kind: string
  readonly span: readonly [number, number] | null
}

/** How often encoded text is decoded again, and how many runs of it are looked at. */
const decodeDepthMax = 2
const decodeRunsMax = 20

/** Runs long enough to hold a command; hex digests decode to bytes that are no text. */
const base64Run = /[A-Za-z0-9+/_-]{16,}={0,2}/g
const hexRun = /(?:[0-9a-fA-F]{2}){8,}/g
const percentRun = /%[0-9a-fA-F]{2}/
const printable = /^[\t\n\r\u0020-\u007e]+$/

function fromBase64(text: string): string | null {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')
  if (plain.length % 4 === 1) return null
  try {
    const bytes = atob(plain)
    // UTF-16LE text (the form that PowerShell takes) has a zero after every character.
    return bytes.replaceAll('\u0000', '')
  } catch {
    return null
  }
}

function fromHex(text: string): string {
  let out = ''
  for (let i = 0; i + 1 < text.length; i += 2) {
    out += String.fromCharCode(Number.parseInt(text.slice(i, i + 2), 16))
  }
  return out
}

function fromPercent(text: string): string | null {
  if (!percentRun.test(text)) return null
  return text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function decodings(text: string): { kind: string; text: string; at: [number, number] }[] {
  const out: { kind: string; text: string; at: [number, number] }[] = []
  const add = (kind: string, decoded: string | null, at: [number, number]): void => {
    if (decoded !== null && out.length < decodeRunsMax && printable.test(decoded)) {
      out.push({ kind, text: decoded, at })
    }
  }
  if (text.length < 16) return out
  for (const run of text.matchAll(base64Run)) {
    add('base64', fromBase64(run[0]), [run.index, run.index + run[0].length])
  }
  for (const run of text.matchAll(hexRun)) {
    add('hex', fromHex(run[0]), [run.index, run.index + run[0].length])
  }
  add('percent', fromPercent(text), [0, text.length])
  return out
}

/** The first sign of code in a text, also behind base64, hex or percent encoding. */
export function findCode(text: string, depth = 0): CodeSign | null {
  if (!codeLooks.test(text)) return null
  const plain = text.normalize('NFKC')
  for (const { kind, pattern } of codeSigns) {
    const match = pattern.exec(plain)
    if (match === null) continue
    const span = plain === text ? ([match.index, match.index + match[0].length] as const) : null
    return { kind, span }
  }
  if (depth >= decodeDepthMax) return null
  for (const decoded of decodings(text)) {
    const sign = findCode(decoded.text, depth + 1)
    if (sign !== null) return { kind: `${decoded.kind} ${sign.kind}`, span: decoded.at }
  }
  return null
}

function ofNode(used: SceneNode): Finding[] {
  if (runsCode(used)) return []
  const out: Finding[] = []
  for (const leaf of used.texts) {
    const sign = findCode(leaf.value)
    const facts = { node: used.node.id, tool: used.node.tool }
    if (sign !== null) {
      const where = { at: leaf.at, span: sign.span }
      out.push(report('CODE_OUTSIDE_SANDBOX', 'block', where, { ...facts, kind: sign.kind }))
    }
  }
  return out
}

/** One finding for each argument of a tool without a sandbox that holds code. */
export function checkCode(scene: Scene): Finding[] {
  return scene.nodes.flatMap(ofNode)
}
