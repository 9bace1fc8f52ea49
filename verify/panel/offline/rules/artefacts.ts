// Firmware is signed by a trusted signer or refused, and always a person's decision (POL-13);
// code stays in an allow-listed sandbox without network or devices (POL-11).
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions } from '../view/text.ts'

const reaches = anyOf(
  'import serial|serial serial|import socket|socket socket|subprocess|os system|os popen|popen|import requests|requests get|requests post|urllib|urlopen|httpx|aiohttp|ftplib|smtplib|paramiko|pyserial|modbus|pymodbus|pyvisa|usb core|curl|wget|pip install|install packages|ctypes|download file|system2|httr|rcurl|telnetlib|gpio|spidev|docker|sudo|nsenter|pyads|snap7|opcua',
)
/** Paths and calls whose words alone would also be ordinary names. */
const reachesHost = /\/(dev|proc|sys|etc|run)\/|\b(system|shell)\s*\(|\bsocket\s*\(|https?:\/\//i
const evaluates = anyOf('exec|eval|pickle|marshal|importlib|unserialize')
const removes = anyOf('os remove|os unlink|rmtree|unlink|file remove|truncate')

function firmware(view: PlanView, n: ViewNode): JudgeFinding[] {
  const signer = str(n, 'signed_by')
  const trusted = view.registry.signers.includes(signer)
  const signature = str(n, 'signature') !== ''
  const ask: Ask = trusted && signature ? 'person' : 'refuse'
  return [
    found('adversarial', 'JUDGE_SUPPLY_CHAIN', n.at, {
      ask,
      basis: 'structure',
      claim:
        ask === 'refuse'
          ? 'Firmware has no signature of a trusted signer.'
          : 'Firmware is changed; a person decides.',
    }),
  ]
}

function admin(n: ViewNode): JudgeFinding[] {
  if (n.role === 'firmware' || n.tool?.risk_class !== 'admin') return []
  return [
    found('adversarial', 'JUDGE_AUTHORITY', n.at, {
      ask: 'person',
      basis: 'structure',
      claim: 'An administrative tool is used.',
    }),
  ]
}

function code(view: PlanView, n: ViewNode): JudgeFinding[] {
  const say = (ask: Ask, claim: string) =>
    found('adversarial', 'JUDGE_SUPPLY_CHAIN', n.at, { ask, basis: 'structure', claim })
  const out: JudgeFinding[] = []
  const sandbox = n.node.sandbox
  if (sandbox === null || !view.registry.sandboxes.includes(sandbox)) {
    out.push(say('refuse', 'Code runs outside the allow-listed sandboxes.'))
  }
  if (n.node.args['network'] === true) out.push(say('refuse', 'Code asks for the network.'))
  const unit = view.code.find((u) => u.node === n.i)
  if (unit !== undefined && (mentions(unit, reaches) || reachesHost.test(unit.raw))) {
    out.push(say('refuse', 'Code reaches for devices, the network or the host.'))
  }
  const pinned = view
    .ofRole('http')
    .filter((h) => view.order.before(h.i, n.i))
    .every((h) => str(h, 'sha256') !== '')
  if (!pinned) out.push(say('person', 'Code follows an artefact without a pinned digest.'))
  if (unit !== undefined && mentions(unit, removes)) {
    out.push(say('person', 'Code removes files.'))
  }
  if (unit !== undefined && mentions(unit, evaluates)) {
    out.push(say('person', 'Code runs text that the plan does not show.'))
  }
  return out
}

export const artefacts: Rule = {
  id: 'artefacts',
  pol: 'POL-13',
  eye: 'adversarial',
  check: (view) => [
    ...view.ofRole('firmware').flatMap((n) => firmware(view, n)),
    ...view.nodes.flatMap(admin),
    ...view.ofRole('code').flatMap((n) => code(view, n)),
  ],
}
