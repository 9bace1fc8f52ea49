// Which URLs the gateway may be made to call: public hosts over https, and what the operator opened.
import { describe, expect, it } from 'vitest'
import { refuseUrl } from '../../../adapters/models/hosts.ts'

const privateHosts = (
  'localhost localhost. localhost.. a..example.com router foo.localdomain ' +
  'printer.local x.svc.cluster.local db.internal metadata.google.internal. ' +
  'nas.home.arpa 1.0.0.127.in-addr.arpa a.test x.onion x.alt box.private 127.1 ' +
  '2130706433 0x7f.1 0177.0.0.1 10.0.0.1. 100.64.0.1 169.254.169.254 172.31.255.255 ' +
  '192.168.0.1 192.88.99.1 198.19.0.1 203.0.113.9 240.0.0.1 [::] [::1] ' +
  '[::ffff:7f00:1] [::7f00:1] [64:ff9b::7f00:1] [64:ff9b:1::a] [100::1] [fc00::1] ' +
  '[fd12::1] [fe80::1] [fec0::1] [ff02::1] [5f00::1] [2001::1] [2001:10::1] ' +
  '[2001:1ff::1] [2001:db8::1] [2002:7f00:1::] [3fff::1] [4000::1] [e000::1]'
).split(' ')
const publicHosts = ['api.example.com', 'example.com.', '8.8.8.8', '172.32.0.1', '192.88.98.1']
const publicV6 = ['[2606:4700::1]', '[2001:200::1]', '[2a00:1450::1]', '[3ffe::1]']

describe('a URL that a site names', () => {
  it('is refused for every host that is not on the public internet', () => {
    for (const host of privateHosts) {
      expect([host, refuseUrl(`https://${host}/v1`, [])]).toEqual([host, 'url_private'])
    }
  })

  it('is taken for public hosts over https', () => {
    for (const host of [...publicHosts, ...publicV6]) {
      expect([host, refuseUrl(`https://${host}/v1`, [])]).toEqual([host, null])
      expect(refuseUrl(`http://${host}/v1`, [])).toBe('url_not_https')
    }
  })

  it('is refused with a port of another service, or a password', () => {
    for (const port of [22, 25, 80, 1023]) {
      expect(refuseUrl(`https://example.com:${port}/`, [])).toBe('url_port')
    }
    for (const port of [443, 1024, 8443]) {
      expect(refuseUrl(`https://example.com:${port}/`, [])).toBe(null)
    }
    expect(refuseUrl('https://user:pw@example.com/', ['example.com'])).toBe('url_credentials')
    expect(refuseUrl('file:///etc/passwd', [])).toBe('url_invalid')
  })

  it('may name what the operator opened, that port alone', () => {
    expect(refuseUrl('http://127.0.0.1:11434/v1', ['127.0.0.1:11434'])).toBe(null)
    expect(refuseUrl('http://127.0.0.1:22/v1', ['127.0.0.1:11434'])).toBe('url_private')
  })
})
