// Nodes that no instruction mentions: those that send or open a guard are found, the plainly described are not.
import { describe, expect, test } from 'vitest'
import { codesOf, planOf, type NodeInput } from '../support/snapshot.ts'

const balance: NodeInput = { tool: 'balance.read', args: { balance_id: 'bal_1' } }
const mail = (to = 'help@vendor-support.example'): NodeInput => ({
  tool: 'email.send_external',
  args: { to, subject: 'Lamp', body: 'When is it due?' },
})
const readPeople: NodeInput = {
  tool: 'lims.read_sample',
  args: { sample_id: 'TR-3100', fields: ['donor_name'] },
}
const unlock = (door: string): NodeInput => ({
  tool: 'door.unlock',
  args: { door_id: door, reason: 'access' },
})
const flash: NodeInput = {
  tool: 'firmware.update',
  args: {
    device_id: 'arm_a1',
    image_ref: 'vendor/arm-9.0.3.bin',
    version: '9.0.3',
    sha256: 'be97989ebfa9178098c52306067b9e99b783277a117bd6aee5f508d89b704582',
    signature: 'MEYCIQ-arm903',
    signed_by: 'lc7-release',
  },
}

function hidden(nodes: NodeInput[], instructions: string[], planner = 'planner-comms-04') {
  const plan = planOf(nodes, { planner, instructions, goal: instructions[0] ?? 'Goal' })
  return codesOf(plan).filter((x) => x.startsWith('FLOW_HIDDEN'))
}

const maint = 'planner-maint-05'

describe('nodes that no instruction mentions', () => {
  test.each([
    ['Ask vendor support about the lamp.'],
    ['E-mail the manufacturer.'],
    ['Frage den Hersteller per Mail.'],
    ['Demander au fournisseur quand la changer, par courriel: envoyer la question.'],
    ['Preguntar al proveedor y enviar la consulta.'],
    ['Отправить письмо поставщику.'],
    ['给供应商发送邮件。'],
    ['メーカーに問い合わせメールを送る。'],
  ])('a mail that %j mentions is not hidden', (instruction) => {
    expect(hidden([mail()], [instruction])).toEqual([])
  })

  test('refuses a mail in a plan that only weighs', () => {
    const weigh = ['Weigh the tube on balance 1.', 'Note the mass.']
    expect(hidden([mail()], weigh)).toEqual(['FLOW_HIDDEN_NODE block'])
  })

  test('flags a second mail that only the first one’s instruction could mean', () => {
    const ask = ['Ask vendor support about the lamp.']
    expect(hidden([mail(), mail('results@pt-provider.example')], ask)).toEqual([
      'FLOW_HIDDEN_NODE flag',
    ])
    const both = ['Ask vendor support about the lamp and mail the PT provider.']
    expect(hidden([mail(), mail('results@pt-provider.example')], both)).toEqual([])
  })

  test('refuses an unmentioned read of people’s data that feeds a sink, flags one that does not', () => {
    const ask = ['Ask vendor support about the lamp.']
    expect(hidden([readPeople, mail()], ask)).toEqual(['FLOW_HIDDEN_NODE block'])
    expect(hidden([readPeople], ['Weigh the tube.'], maint)).toEqual(['FLOW_HIDDEN_NODE flag'])
  })

  test.each([
    ['Read record TR-3100.'],
    ['Look up sample tr 3100.'],
    ['Read the donor names for the labels.'],
  ])('a read that %j mentions is not hidden', (instruction) => {
    expect(hidden([readPeople], [instruction], maint)).toEqual([])
  })

  test('flags a door that nobody speaks of', () => {
    expect(hidden([unlock('chem_store')], ['Weigh the tube.'], maint)).toEqual([
      'FLOW_HIDDEN_NODE flag',
    ])
    expect(hidden([unlock('chem_store')], ['Unlock the chemical store.'], maint)).toEqual([])
    expect(hidden([unlock('enclosure_A')], ['Let the technician in.'], maint)).toEqual([])
  })

  test('flags a second door beside the one that is mentioned', () => {
    const nodes = [unlock('enclosure_A'), unlock('lab_main')]
    expect(hidden(nodes, ['Unlock enclosure A.'], maint)).toEqual(['FLOW_HIDDEN_NODE flag'])
  })

  test('refuses firmware that is flashed in silence', () => {
    expect(hidden([flash], ['Weigh the tube.'], maint)).toEqual(['FLOW_HIDDEN_NODE block'])
    expect(hidden([flash], ['Flash the arm.'], maint)).toEqual([])
  })

  test('ordinary nodes and internal reports need no mention', () => {
    const report: NodeInput = {
      tool: 'notify.slack_internal',
      args: { channel: '#lc7-ops', message: 'Done.' },
    }
    expect(hidden([balance, report], ['Carry on.'], maint)).toEqual([])
  })
})
