// What leaves marks only in data: LIMS, chat, mail, the internal web, code, firmware. Nothing here
// reaches a real network and no code is run: the cell records that it would have happened.
import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '../../../protocol/json.ts'
import { act, list, refuse, text, type Act, type Tool } from '../act.ts'

const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex')

/** An act on data: it happens at its end or not at all. */
function data(device: string, seconds: number, finish: Act['finish']) {
  return act({ device, seconds, finish, interrupt: () => ({ done: false }) })
}

const readSample: Tool = (world, args) => {
  const sample = text(args, 'sample_id')
  return data('lims', 0.3, () => {
    const fields: Record<string, JsonValue> = {}
    for (const field of list(args['fields']).filter((f) => typeof f === 'string')) {
      const versions = world.records.get(`${sample}/${field}`)
      fields[field] = versions?.at(-1)?.value ?? null
    }
    return { change: {}, result: { sample_id: sample, fields } }
  })
}

const writeResult: Tool = (world, args) => {
  const key = `${text(args, 'sample_id')}/${text(args, 'field')}`
  const value = args['value']
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    return refuse('a value is text, a number or a truth value')
  }
  return data('lims', 0.5, () => {
    // Versions are appended: what was measured is never overwritten.
    const versions = world.records.get(key) ?? []
    versions.push({ value, provenance: text(args, 'provenance') })
    world.records.set(key, versions)
    return {
      change: { record: key, version: versions.length },
      result: { version: versions.length },
    }
  })
}

const postChat: Tool = (world, args) =>
  data('chat', 0.5, () => {
    const channel = text(args, 'channel')
    world.chat.push({ channel, message: text(args, 'message') })
    return { change: { channel, posts: world.chat.length }, result: { posted: true } }
  })

const sendMail: Tool = (world, args) =>
  data('mail', 1, () => {
    const to = text(args, 'to')
    world.outbox.push({ to, subject: text(args, 'subject') })
    return { change: { to, sent: world.outbox.length }, result: { sent: true } }
  })

const fetchInternal: Tool = (_world, args) =>
  data('http', 1, () => {
    const url = text(args, 'url')
    // The artefact store is addressed by content, so a given checksum names what is served.
    const given = args['sha256']
    const checksum = typeof given === 'string' ? given : sha256(url)
    return { change: { url }, result: { status: 200, sha256: checksum } satisfies JsonObject }
  })

const runCode: Tool = (_world, args) => {
  if (args['network'] === true) return refuse('the sandbox has no network')
  return data('sandbox', 5, () => {
    const code = sha256(text(args, 'code'))
    return {
      change: { code_sha256: code },
      result: { exit: 0, stdout: '', note: 'simulated sandbox: the code was not run' },
    }
  })
}

const updateFirmware: Tool = (world, args) => {
  const device = text(args, 'device_id')
  const version = text(args, 'version')
  if (args['signature'] === null || args['signed_by'] === null) {
    return refuse('the boot loader takes signed images only')
  }
  const from = world.firmware.get(device) ?? null
  return act({
    device: `firmware_${device}`,
    seconds: 180,
    uninterruptible: true,
    finish: () => {
      world.firmware.set(device, version)
      return { change: { device, firmware: [from, version] }, result: { version } }
    },
    interrupt: () => ({ device, firmware: [from, from] }),
  })
}

export const dataTools: Record<string, Tool> = {
  'lims.read_sample': readSample,
  'lims.write_result': writeResult,
  'notify.slack_internal': postChat,
  'email.send_external': sendMail,
  'http.fetch_internal': fetchInternal,
  'code.run_sandboxed': runCode,
  'firmware.update': updateFirmware,
}
