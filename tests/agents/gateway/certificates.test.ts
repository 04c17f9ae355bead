import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { connect, TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import {
  addressBytes,
  type CertificateAuthority,
  createCertificateAuthority,
} from '../../../agents/gateway/proxy/certificates.ts'
import { checkHost } from './check-host.ts'

/** Two ends of a connection in memory. */
function pipePair(): [Duplex, Duplex] {
  const ends: Duplex[] = []
  for (const other of [1, 0])
    ends.push(
      new Duplex({
        read: () => undefined,
        write: (chunk, _encoding, done) => {
          ends[other]!.push(chunk)
          done()
        },
      }),
    )
  return [ends[0]!, ends[1]!]
}

/** Connects to a host with the authority's certificate, as a client that trusts `trusted`. */
async function shake(authority: CertificateAuthority, host: string, trusted: string, expected = host) {
  const [client, server] = pipePair()
  const secureContext = await authority.secureContextFor(host)
  new TLSSocket(server as never, { isServer: true, secureContext }).on('error', () => undefined)
  const secured = connect({ socket: client, host: expected, ca: trusted, checkServerIdentity: checkHost })
  await once(secured, 'secureConnect')
  return new X509Certificate(secured.getPeerCertificate(true).raw)
}

describe('the certificate authority of the proxy', () => {
  it('signs itself, and may sign certificates of servers alone', async () => {
    const certificate = new X509Certificate((await createCertificateAuthority()).certificate)
    expect(certificate.ca).toBe(true)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkIssued(certificate)).toBe(true)
  })

  it.each(['site.example', 'xn--bcher-kva.example', '127.0.0.1', '::1', '2001:db8::ff:1'])(
    'makes a certificate for %s that a client accepts',
    async host => {
      const authority = await createCertificateAuthority()
      const leaf = await shake(authority, host, authority.certificate)
      expect(leaf.checkIssued(new X509Certificate(authority.certificate))).toBe(true)
      expect(leaf.ca).toBe(false)
      expect(Date.parse(leaf.validFrom)).toBeLessThan(Date.now())
      expect(Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)).toBeLessThan(398 * 86_400_000)
    },
  )

  it('is not accepted for another host, and not by a client that trusts another authority', async () => {
    const [authority, other] = await Promise.all([createCertificateAuthority(), createCertificateAuthority()])
    await expect(
      shake(authority, 'site.example', authority.certificate, 'other.example'),
    ).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    await expect(shake(authority, 'site.example', other.certificate)).rejects.toThrow()
  })

  it('keeps the certificate of a host', async () => {
    const authority = await createCertificateAuthority()
    const [first, second] = await Promise.all([1, 2].map(() => authority.secureContextFor('site.example')))
    expect(first).toBe(second)
  })

  it('writes addresses as bytes', () => {
    expect(addressBytes('127.0.0.1')).toEqual([127, 0, 0, 1])
    expect(addressBytes('::ffff:127.0.0.1')).toEqual([...Array(10).fill(0), 255, 255, 127, 0, 0, 1])
    expect(addressBytes('2001:db8::1')).toEqual([0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 1])
  })
})
