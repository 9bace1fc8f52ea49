// Information flow over dependencies, references and attachments: forbidden flows and their innocent twins.
import { describe, expect, test } from 'vitest'
import type { FlowLabel, SinkKind } from '../../../protocol/registry.ts'
import { referencesOf } from '../../../verify/screen/flow/references.ts'
import { buildScene } from '../../../verify/screen/scene.ts'
import { standingOf } from '../../../verify/screen/flow/recipients.ts'
import { shapesIn } from '../../../verify/screen/flow/shapes.ts'
import {
  codesOf,
  demoRegistry,
  demoSnapshot,
  findingsOf,
  nowMs,
  planOf,
  submitterOf,
  type NodeInput,
} from '../support/snapshot.ts'

const planner = 'planner-comms-04'
const told = {
  planner,
  instructions: ['Read the donor record and mail it to vendor support.', 'Tell #lc7-ops.'],
}

const read = (fields: string[], sample = 'TR-3100'): NodeInput => ({
  tool: 'lims.read_sample',
  args: { sample_id: sample, fields },
})
const mail = (args: Record<string, string | string[]> = {}): NodeInput => ({
  tool: 'email.send_external',
  args: { to: 'help@vendor-support.example', subject: 'Question', body: 'See below.', ...args },
})
const chat = (message: string): NodeInput => ({
  tool: 'notify.slack_internal',
  args: { channel: '#lc7-ops', message },
})
const code = (inputs: string[], source = 'print(x)'): NodeInput => ({
  tool: 'code.run_sandboxed',
  args: { language: 'python', code: source, inputs },
  sandbox: 'py-sbx-01',
})
const lookup = (url = 'https://data.lab.internal/a.json'): NodeInput => ({
  tool: 'http.fetch_internal',
  args: { url },
})
const flows = (nodes: NodeInput[], more = told): string[] =>
  codesOf(planOf(nodes, more)).filter((x) => /^(?:FLOW|NAME)/.test(x))

const shoot = (camera: string): NodeInput => ({
  tool: 'camera.capture',
  args: { camera_id: camera, purpose: 'check the bench' },
})

/** The demo registry with the chat tool turned into another sink. */
const withSink = (sink: SinkKind, emits: FlowLabel[] = []) => {
  const registry = demoRegistry()
  const tool = registry.tools.find(({ name }) => name === 'notify.slack_internal')
  if (tool === undefined) throw new Error('the demo registry has a chat tool')
  tool.sink = sink
  tool.emits = emits
  return { registry }
}

const pinned = (url: string): NodeInput => ({
  tool: 'http.fetch_internal',
  args: { url, sha256: 'ab'.repeat(32) },
})

const atSink = (sink: SinkKind, nodes: NodeInput[]) =>
  codesOf(planOf(nodes, told), withSink(sink)).filter((x) => x.startsWith('FLOW'))

describe('identifiers', () => {
  test('study data may go to an approved receiver', () => {
    expect(flows([read(['lamp_hours']), mail()])).toEqual([])
  })

  test.each([['donor_name'], ['dateOfBirth'], ['*'], ['e_mail']])(
    'refuses %j sent outside, even to an approved receiver',
    (field) => {
      expect(flows([read([field]), mail()])).toEqual(['FLOW_IDENTIFIERS_OUT block'])
    },
  )

  test('flags them in an internal channel', () => {
    expect(flows([read(['donor_name']), chat('See the record.')])).toEqual([
      'FLOW_IDENTIFIERS_OUT flag',
    ])
  })

  test('code does not wash the label off', () => {
    expect(flows([read(['donor_name']), code(['n1']), mail()])).toEqual([
      'FLOW_IDENTIFIERS_OUT block',
    ])
  })

  test('nor does a chain of steps, nor the record system', () => {
    const write: NodeInput = {
      tool: 'lims.write_result',
      args: {
        sample_id: 'OUT-1',
        field: 'note',
        value: 'see',
        provenance: 'calculated',
        source_node: 'n2',
      },
    }
    const nodes = [
      read(['donor_name']),
      code(['n1']),
      write,
      { ...read(['note'], 'OUT-1'), depends_on: [] },
      { ...mail(), depends_on: ['n4'] },
    ]
    const comms = { ...told, planner: 'planner-maint-05' }
    expect(flows(nodes, comms)).toContain('FLOW_IDENTIFIERS_OUT block')
    const other = nodes.map((node, i) =>
      i === 3 ? { ...read(['note'], 'OUT-2'), depends_on: [] } : node,
    )
    expect(flows(other, comms)).not.toContain('FLOW_IDENTIFIERS_OUT block')
  })

  test('mere order through physical steps flags instead of refusing', () => {
    const arm: NodeInput = { tool: 'arm.place', args: { object: 'rack', location: 'deck_3' } }
    const nodes = [read(['donor_name']), arm, mail()]
    expect(flows(nodes, { ...told, planner: 'planner-maint-05' })).toEqual([
      'FLOW_IDENTIFIERS_OUT flag',
    ])
  })

  test('without any dependency there is no flow', () => {
    expect(flows([read(['donor_name']), { ...mail(), depends_on: [] }])).toEqual([])
  })

  test.each([
    ['attachments', ['n1_rows.csv']],
    ['attachments', ['out/n1.csv']],
    ['attachments', ['TR-3100_table.xlsx']],
    ['body', 'Rows: ${n1.rows}'],
    ['body', '{{n1}}'],
    ['body', 'as in n1'],
  ])('an undeclared reference carries the label and is flagged: %s %j', (key, value) => {
    expect(flows([read(['donor_name']), { ...mail({ [key]: value }), depends_on: [] }])).toEqual([
      'FLOW_IDENTIFIERS_OUT block',
      'FLOW_UNDECLARED_SOURCE flag',
    ])
  })

  test('a file that code writes carries what the code was given', () => {
    const nodes = [
      read(['donor_name']),
      code(['n1'], 'df.to_csv("summary.csv")'),
      { ...mail({ attachments: ['summary.csv'] }), depends_on: [] },
    ]
    expect(flows(nodes)).toContain('FLOW_IDENTIFIERS_OUT block')
    const other = [
      ...nodes.slice(0, 2),
      { ...mail({ attachments: ['manual.pdf'] }), depends_on: [] },
    ]
    expect(flows(other)).toEqual([])
  })

  test('names the node that the data comes from', () => {
    const found = findingsOf(planOf([read(['donor_name']), code(['n1']), mail()], told))
    expect(found.find((x) => x.code === 'FLOW_IDENTIFIERS_OUT')?.facts).toMatchObject({
      node: 'n3',
      source: 'n1',
    })
  })
})

describe('contents of messages', () => {
  test.each([
    'Donor name: Maria Keller, sample below.',
    'Patient Maria Keller, born 12.03.1988',
    'DOB: 1988-03-12',
    'National ID 850312-1234',
    'MRN 00482913',
    'SSN: 078-05-1120',
    'geboren am 12. März 1988',
  ])('refuses %j to the outside', (body) => {
    expect(flows([mail({ body })])).toContain('FLOW_IDENTIFIERS_OUT block')
  })

  test.each([
    '078-05-1120',
    'Call me at +49 30 123 456 78',
    'patient Maria Keller',
    'cc anna.kern@post.example',
  ])('flags the weaker sign %j', (body) => {
    expect(flows([mail({ body })])).toEqual(['FLOW_IDENTIFIERS_OUT flag'])
  })

  test.each([
    'Our reader lamp has 1,930 h. At what point should it be replaced?',
    'Error 12 on nozzle 3, serial 2210-33-1; CAS 7732-18-5.',
    'Donor Consent Form template attached; patient Safety Board approved.',
    'Spin at 3,000 rpm, 25 min, 20 °C; fridge 4.1 °C on 2026-11-03.',
    'Reply to help@vendor-support.example or ops@lc7.lab.internal.',
    'NIR 1200-1400 nm, cell 1200000 per mL, subject to change.',
    'Participant names removed before analysis.',
  ])('%j is no personal data', (body) => {
    expect(flows([mail({ body })])).toEqual([])
  })

  const fake = {
    aws: ['AKIA', 'ABCDEFGH12345678'].join(''),
    github: `ghp_${'a1B2'.repeat(9)}`,
    jwt: ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'x'].join('.'),
    pem: ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' '),
  }
  test.each([
    fake.aws,
    fake.github,
    fake.jwt,
    fake.pem,
    'password: hunter22',
    'The password is Tr0ub4dor',
    'https://user:pa55word@host.test/x',
    'Authorization: Bearer abcdefghijklmnop',
  ])('refuses the credential %j, also in an internal channel', (text) => {
    expect(flows([mail({ body: text })])).toContain('FLOW_CREDENTIALS_OUT block')
    expect(flows([chat(text)])).toContain('FLOW_CREDENTIALS_OUT block')
  })

  test.each([
    'The password is kept in the safe.',
    'Ask for a new API key.',
    'Token ring test passed',
  ])('%j is no credential', (text) => {
    expect(shapesIn(text)).toEqual([])
  })

  test.each([
    ['donor_names.csv', 'FLOW_IDENTIFIERS_OUT block'],
    ['patients.xlsx', 'FLOW_IDENTIFIERS_OUT flag'],
    ['id_rsa', 'FLOW_CREDENTIALS_OUT block'],
    ['backup/site.pem', 'FLOW_CREDENTIALS_OUT block'],
    ['passwords.txt', 'FLOW_CREDENTIALS_OUT block'],
  ])('the attachment %s says what it holds: %s', (name, expected) => {
    expect(flows([mail({ attachments: [name] })])).toEqual([expected])
  })

  test('an ordinary attachment passes', () => {
    expect(flows([mail({ attachments: ['nozzle3_log.txt', 'manual.pdf'] })])).toEqual([])
  })
})

describe('credentials', () => {
  test.each(['api_token', 'password'])('%s of a record may go to no sink', (field) => {
    expect(flows([read([field]), mail()])).toContain('FLOW_CREDENTIALS_OUT block')
    expect(flows([read([field]), chat('done')])).toContain('FLOW_CREDENTIALS_OUT block')
  })
})

describe('receivers', () => {
  const approved = ['pt-provider.example', 'vendor-support.example']

  test.each([
    ['vendor-support.example', 'approved'],
    ['Vendor-Support.EXAMPLE', 'approved'],
    ['contract-lab.example', 'unknown'],
    ['eu.vendor-support.example', 'unknown'],
    ['support.example', 'unknown'],
    ['vendor-supp0rt.example', 'look-alike'],
    ['vendor-suport.example', 'look-alike'],
    ['vendorsupport.example', 'look-alike'],
    ['vеndor-support.example', 'look-alike'],
    ['vendor-support.example.evil.test', 'look-alike'],
    ['vendor-support-example.test', 'look-alike'],
    ['vendor-support.test', 'look-alike'],
    ['xn--vndor-support-m9d.example', 'look-alike'],
    ['pt-provider.exarnple', 'look-alike'],
  ])('%s is %s', (domain, standing) => {
    expect(standingOf(domain, approved).standing).toBe(standing)
  })

  test('study data to an unknown receiver goes to a person', () => {
    expect(flows([read(['dose']), mail({ to: 'lead@contract-lab.example' })])).toEqual([
      'FLOW_RECIPIENT_UNKNOWN flag',
      'FLOW_STUDY_DATA_OUT flag',
    ])
  })

  test('a look-alike receiver is refused', () => {
    expect(flows([mail({ to: 'help@vendor-supp0rt.example' })])).toEqual([
      'FLOW_RECIPIENT_UNKNOWN flag',
      'NAME_NOT_CANONICAL block',
    ])
  })

  test('a routed address is refused', () => {
    expect(flows([mail({ to: 'a%evil.test@vendor-support.example' })])).toContain(
      'NAME_NOT_CANONICAL block',
    )
  })

  test('a header in the subject is refused', () => {
    expect(flows([mail({ subject: 'Hello\r\nBcc: x@evil.test' })])).toContain(
      'FLOW_RECIPIENT_UNKNOWN block',
    )
  })
})

describe('images', () => {
  const lab = {
    planner: 'planner-wetlab-01',
    instructions: ['Photograph it with the camera.', 'Post it.'],
  }

  test('a camera without people in view passes', () => {
    expect(flows([shoot('deck_cam'), chat('Deck is empty.')], lab)).toEqual([])
  })

  test('flags a camera with people in view, and the image that goes on', () => {
    expect(flows([shoot('bench_cam')], lab)).toEqual(['FLOW_PEOPLE_IN_VIEW flag'])
    expect(flows([shoot('bench_cam'), chat('See the bench.')], lab)).toEqual([
      'FLOW_IMAGES_OUT flag',
      'FLOW_PEOPLE_IN_VIEW flag',
    ])
  })
})

describe('other sinks', () => {
  test('a removable store is outside', () => {
    expect(atSink('removable_store', [read(['donor_name']), chat('copy')])).toEqual([
      'FLOW_IDENTIFIERS_OUT block',
    ])
    expect(atSink('removable_store', [read(['dose']), chat('copy')])).toEqual([
      'FLOW_STUDY_DATA_OUT flag',
    ])
  })

  test('an internal GET takes in what it names, not what came before it', () => {
    expect(flows([read(['donor_name']), lookup()])).toEqual([])
    const named = lookup('https://data.lab.internal/put?rows=${n1.rows}')
    expect(flows([read(['donor_name']), named])).toEqual(['FLOW_IDENTIFIERS_OUT flag'])
  })
})

describe('fetched artefacts', () => {
  const analytics = { planner: 'planner-analytics-02', instructions: ['Fetch it and run it.'] }
  const used = (fetch: NodeInput, source: string) =>
    codesOf(planOf([fetch, code(['n1'], source)], analytics)).filter((x) =>
      x.startsWith('ARTEFACT'),
    )

  test('a script or package without a digest that code uses is flagged', () => {
    const flagged = ['ARTEFACT_UNPINNED flag']
    expect(used(lookup('https://share.lab.internal/fit.py'), 'print(1)')).toEqual(flagged)
    expect(used(lookup('https://share.lab.internal/fit.tar.gz'), 'print(1)')).toEqual(flagged)
    expect(used(lookup('https://share.lab.internal/model'), 'pickle.load(f)')).toEqual(flagged)
    expect(used(lookup('https://share.lab.internal/fit.py?x=1'), 'print(1)')).toEqual(flagged)
  })

  test('with a digest, or as data that is only read, it passes', () => {
    expect(
      used(pinned('https://share.lab.internal/fit.py'), 'exec(open("fit.py").read())'),
    ).toEqual([])
    expect(used(lookup('https://share.lab.internal/plates.csv'), 'print(mean(x))')).toEqual([])
  })
})

describe('a reference to a result', () => {
  const donor = { ...read(['donor_id']), id: 'look_up' }
  const taken = { $from: { node: 'look_up', pointer: '/fields', enum: ['x'] } }
  const sent = (more: object): NodeInput => ({
    ...mail(),
    id: 'post',
    depends_on: ['look_up'],
    ...more,
  })

  test('and a condition are seen, whatever the nodes are called: whether a node ran says something too', () => {
    const references = (more: object) =>
      referencesOf(
        buildScene(planOf([donor, sent(more)], told), demoSnapshot(), {
          submitter: submitterOf(planOf([], told)),
          nowMs,
        }),
      ).get('post')
    const when = { result: { node: 'look_up', pointer: '/fields' }, eq: 'x' }
    expect(references({ when })).toEqual([{ from: 'look_up', at: '/nodes/1/when' }])
    const args = { to: 'help@vendor-support.example', subject: 'Question', body: taken }
    expect(references({ args })).toEqual([{ from: 'look_up', at: '/nodes/1/args/body' }])
    expect(references({})).toEqual([])
  })
})
