// The platform's cryptography in this very tick: handed to other threads and back, signatures would come
// in an order of their own, and a seed would not be a run. The keys and the results are the real ones.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type KeyObject,
  type JsonWebKey,
  type webcrypto,
} from 'node:crypto'
import type { Random } from './random.ts'

type Subtle = Record<string, (...args: never[]) => Promise<unknown>>
type Key = webcrypto.CryptoKey

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)

/** Keys by their text: a world imports the same few again and again. */
const imported = new Map<string, Key>()
const objects = new WeakMap<Key, KeyObject>()

function objectOf(key: Key): KeyObject {
  const object = objects.get(key)
  if (object === undefined) throw new TypeError('a key that was not imported here')
  return object
}

const own = {
  digest: (_: unknown, data: ArrayBuffer) => {
    const hash = createHash('sha256').update(bytesOf(data)).digest()
    return Promise.resolve(new Uint8Array(hash).buffer)
  },
  sign: (_: unknown, key: Key, data: ArrayBuffer) =>
    Promise.resolve(new Uint8Array(sign(null, bytesOf(data), objectOf(key))).buffer),
  verify: (_: unknown, key: Key, signature: ArrayBuffer, data: ArrayBuffer) =>
    Promise.resolve(verify(null, bytesOf(data), objectOf(key), bytesOf(signature))),
  importKey: (
    _: string,
    jwk: JsonWebKey,
    __: unknown,
    extractable: boolean,
    usages: webcrypto.KeyUsage[],
  ) => {
    const name = JSON.stringify([jwk, usages])
    let key = imported.get(name)
    if (key === undefined) {
      const make = jwk.d === undefined ? createPublicKey : createPrivateKey
      const object = make({ key: jwk, format: 'jwk' })
      key = object.toCryptoKey({ name: 'Ed25519' }, extractable, usages)
      imported.set(name, key)
      objects.set(key, object)
    }
    return Promise.resolve(key)
  },
}

/** Puts these, and the run's own chance, in the place of the platform's until the answer is called. */
export function installCrypto(random: Random): () => void {
  const subtle = crypto.subtle as unknown as Subtle
  const whole = crypto as unknown as Record<string, unknown>
  Object.assign(subtle, own)
  whole['getRandomValues'] = (bytes: Uint8Array) => random.into(bytes)
  whole['randomUUID'] = () => Buffer.from(random.into(new Uint8Array(16))).toString('hex')
  return () => {
    for (const name of Object.keys(own)) delete subtle[name]
    delete whole['getRandomValues']
    delete whole['randomUUID']
  }
}
