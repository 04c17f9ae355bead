import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import type * as Asn1 from 'asn1js'
import type * as Pkijs from 'pkijs'

/** A certificate authority that exists only in the memory of this process. */
export interface CertificateAuthority {
  /** Its own certificate, which clients must trust, as PEM. */
  readonly certificate: string
  /** Returns what a TLS server needs to answer for a host name or an IP address (without brackets). */
  secureContextFor(host: string): Promise<SecureContext>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
const dayMs = 86_400_000
/** Clients refuse certificates of servers that are valid for longer than 398 days. */
const validDays = 390
/** The number of hosts whose certificates are kept. The oldest is dropped first. */
const mostKeptHosts = 500

let ofThisProcess: Promise<CertificateAuthority> | null = null

/** Returns the authority of this process, which the proxies of all attempts use. It is created on first use. */
export function certificateAuthority(): Promise<CertificateAuthority> {
  ofThisProcess ??= createCertificateAuthority()
  return ofThisProcess
}

/** Creates an authority. Its keys are never written. */
export async function createCertificateAuthority(): Promise<CertificateAuthority> {
  const issuer = new Issuer(await import('pkijs'), await import('asn1js'))
  const [authorityKeys, serverKeys] = await Promise.all([newKeys(), newKeys()])
  const name = `Tablehunt proxy ${randomBytes(4).toString('hex')}`
  const authority = { name, keys: authorityKeys }
  const { publicKey } = authorityKeys
  const certificate = await issuer.issue({ name, issuer: authority, publicKey, host: null })
  const key = pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', serverKeys.privateKey))
  const contexts = new Map<string, Promise<SecureContext>>()
  const create = async (host: string): Promise<SecureContext> => {
    const { publicKey } = serverKeys
    const cert = await issuer.issue({ name: 'Tablehunt proxy', issuer: authority, publicKey, host })
    return createSecureContext({ key, cert: `${cert}${certificate}` })
  }
  return {
    certificate,
    secureContextFor(host) {
      const cached = contexts.get(host)
      if (cached !== undefined) return cached
      const oldest = contexts.keys().next().value
      if (contexts.size >= mostKeptHosts && oldest !== undefined) contexts.delete(oldest)
      const context = create(host)
      contexts.set(host, context)
      return context
    },
  }
}

interface KeyPair {
  readonly publicKey: webcrypto.CryptoKey
  readonly privateKey: webcrypto.CryptoKey
}

async function newKeys(): Promise<KeyPair> {
  return await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

interface CertificateRequest {
  readonly name: string
  readonly issuer: { readonly name: string; readonly keys: KeyPair }
  readonly publicKey: webcrypto.CryptoKey
  /** The host that the certificate is for; null for the certificate of an authority. */
  readonly host: string | null
}

/** The object identifiers of the parts of a certificate (RFC 5280). */
const identifiers = {
  commonName: '2.5.4.3',
  ownKey: '2.5.29.14',
  usage: '2.5.29.15',
  hosts: '2.5.29.17',
  constraints: '2.5.29.19',
  issuerKey: '2.5.29.35',
  extendedUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const

/** Issues certificates as PEM. */
class Issuer {
  readonly #pkijs: typeof Pkijs
  readonly #asn1: typeof Asn1

  constructor(pkijs: typeof Pkijs, asn1: typeof Asn1) {
    this.#pkijs = pkijs
    this.#asn1 = asn1
  }

  async issue(request: CertificateRequest): Promise<string> {
    const { Certificate, CryptoEngine, Time } = this.#pkijs
    const engine = new CryptoEngine({ name: 'node', crypto: webcrypto })
    const certificate = new Certificate({
      version: 2,
      serialNumber: new this.#asn1.Integer({ valueHex: serialNumber() }),
      issuer: this.#name(request.issuer.name),
      subject: this.#name(request.name),
      notBefore: new Time({ value: new Date(Date.now() - dayMs) }),
      notAfter: new Time({ value: new Date(Date.now() + validDays * dayMs) }),
      extensions: [
        this.#extension('ownKey', await this.#keyId(request.publicKey)),
        ...(request.host === null
          ? this.#authorityExtensions()
          : await this.#serverExtensions(request.host, request.issuer.keys)),
      ],
    })
    await certificate.subjectPublicKeyInfo.importKey(request.publicKey, engine)
    await certificate.sign(request.issuer.keys.privateKey, 'SHA-256', engine)
    return pem('CERTIFICATE', certificate.toSchema(true).toBER())
  }

  #authorityExtensions(): Pkijs.Extension[] {
    const constraints = new this.#pkijs.BasicConstraints({ cA: true, pathLenConstraint: 0 })
    return [
      this.#extension('constraints', constraints.toSchema(), true),
      // keyCertSign
      this.#extension('usage', this.#usage(0x04, 2), true),
    ]
  }

  async #serverExtensions(host: string, { publicKey }: KeyPair): Promise<Pkijs.Extension[]> {
    const { AuthorityKeyIdentifier, BasicConstraints, ExtKeyUsage, GeneralName, GeneralNames } = this.#pkijs
    const issuerKey = new AuthorityKeyIdentifier({ keyIdentifier: await this.#keyId(publicKey) })
    const name =
      isIP(host) === 0
        ? new GeneralName({ type: 2, value: host })
        : new GeneralName({ type: 7, value: this.#bytes(Uint8Array.from(addressBytes(host)).buffer) })
    return [
      this.#extension('issuerKey', issuerKey.toSchema()),
      this.#extension('constraints', new BasicConstraints({ cA: false }).toSchema(), true),
      // digitalSignature
      this.#extension('usage', this.#usage(0x80, 7), true),
      this.#extension('extendedUsage', new ExtKeyUsage({ keyPurposes: [identifiers.serverAuth] }).toSchema()),
      this.#extension('hosts', new GeneralNames({ names: [name] }).toSchema()),
    ]
  }

  #name(value: string): Pkijs.RelativeDistinguishedNames {
    const { AttributeTypeAndValue, RelativeDistinguishedNames } = this.#pkijs
    const text = new this.#asn1.Utf8String({ value })
    const commonName = new AttributeTypeAndValue({ type: identifiers.commonName, value: text })
    return new RelativeDistinguishedNames({ typesAndValues: [commonName] })
  }

  #extension(
    part: keyof typeof identifiers,
    value: { toBER(): ArrayBuffer },
    critical = false,
  ): Pkijs.Extension {
    return new this.#pkijs.Extension({ extnID: identifiers[part], critical, extnValue: value.toBER() })
  }

  #usage(bits: number, unusedBits: number): Asn1.BitString {
    return new this.#asn1.BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits })
  }

  #bytes(valueHex: ArrayBuffer): Asn1.OctetString {
    return new this.#asn1.OctetString({ valueHex })
  }

  /** The SHA-1 of a public key, by which certificates name it (RFC 5280, 4.2.1.2). */
  async #keyId(key: webcrypto.CryptoKey): Promise<Asn1.OctetString> {
    const raw = await webcrypto.subtle.exportKey('raw', key)
    return this.#bytes(await webcrypto.subtle.digest('SHA-1', raw))
  }
}

/** A positive number of 16 bytes. */
function serialNumber(): ArrayBuffer {
  const bytes = Uint8Array.from(randomBytes(16))
  bytes[0] = (bytes[0]! & 0x3f) | 0x40
  return bytes.buffer
}

/** Returns the bytes of an IP address: 4 or 16. */
export function addressBytes(address: string): number[] {
  if (isIP(address) === 4) return address.split('.').map(Number)
  // The URL parser writes every IPv6 address in one form, without dotted parts.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1)
  const [head = '', tail] = plain.split('::')
  const words = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const missing = tail === undefined ? 0 : 8 - words(head).length - words(tail).length
  const groups = [...words(head), ...Array<string>(missing).fill('0'), ...words(tail ?? '')]
  return groups.map(word => Number.parseInt(word, 16)).flatMap(word => [word >> 8, word & 255])
}

function pem(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
