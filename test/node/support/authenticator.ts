// An authenticator in software: it makes an ES256 key and signs what it is asked, or what a test bends of it.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** What is asked, as far as it is looked at. */
export type Asked = { challenge: string; rpId?: string; rp?: { id?: string } }

/** What a test bends. */
export type Bent = {
  origin?: string
  rpId?: string
  challenge?: string
  crossOrigin?: boolean
  verified?: boolean
  counter?: number
}

const present = 0x01
const verifiedFlag = 0x04
const hasKey = 0x40

/** CBOR of a byte string; shorter than 65,536. */
const bytesOf = (value: Uint8Array): Buffer =>
  Buffer.concat([
    value.length < 256
      ? Buffer.from([0x58, value.length])
      : Buffer.from([0x59, value.length >> 8, value.length & 255]),
    value,
  ])
const textOf = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

/** EC2, ES256, P-256 (RFC 9053). */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
  const part = (name: number, text: string): Buffer =>
    Buffer.concat([Buffer.from([name]), bytesOf(Buffer.from(text, 'base64url'))])
  return Buffer.concat([head, part(0x21, x), part(0x22, y)])
}

export class Authenticator {
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id = randomBytes(16)
  readonly #origin: string
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  get id(): string {
    return base64url(this.#id)
  }

  #client(type: string, asked: Asked, bent: Bent): string {
    const { challenge = asked.challenge, origin = this.#origin, crossOrigin = false } = bent
    return base64url(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin })))
  }

  #data(asked: Asked, bent: Bent, more: Buffer): Buffer {
    const host = bent.rpId ?? asked.rpId ?? asked.rp?.id ?? ''
    const verified = bent.verified ?? true
    const flags = present | (verified ? verifiedFlag : 0) | (more.length > 0 ? hasKey : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(bent.counter ?? (this.#counter += 1))
    return Buffer.concat([sha256(host), Buffer.from([flags]), counter, more])
  }

  #around() {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} }
  }

  /** Makes the key. */
  create(asked: Asked, bent: Bent = {}) {
    const length = Buffer.from([0, this.#id.length])
    const key = Buffer.concat([Buffer.alloc(16), length, this.#id, coseOf(this.#pair.publicKey)])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      textOf('fmt'),
      textOf('none'),
      textOf('attStmt'),
      Buffer.from([0xa0]),
      textOf('authData'),
      bytesOf(this.#data(asked, bent, key)),
    ])
    const clientDataJSON = this.#client('webauthn.create', asked, bent)
    return {
      ...this.#around(),
      response: { clientDataJSON, attestationObject: base64url(attestation) },
    }
  }

  /** Signs. */
  get(asked: Asked, bent: Bent = {}) {
    const clientDataJSON = this.#client('webauthn.get', asked, bent)
    const data = this.#data(asked, bent, Buffer.alloc(0))
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const signature = sign('sha256', signed, this.#pair.privateKey)
    return {
      ...this.#around(),
      response: {
        clientDataJSON,
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: null,
      },
    }
  }
}
