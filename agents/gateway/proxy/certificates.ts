import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'

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
  const issue = await openIssuer()
  const [authorityKeys, serverKeys] = await Promise.all([newKeys(), newKeys()])
  const name = `Tablehunt proxy ${randomBytes(4).toString('hex')}`
  const issuer = { name, keys: authorityKeys }
  const certificate = await issue({ name, issuer, publicKey: authorityKeys.publicKey, host: null })
  const key = pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', serverKeys.privateKey))
  const contexts = new Map<string, Promise<SecureContext>>()
  const create = async (host: string): Promise<SecureContext> => {
    const cert = await issue({ name: 'Tablehunt proxy', issuer, publicKey: serverKeys.publicKey, host })
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

/** Loads the certificate library and returns a function that issues certificates as PEM. */
async function openIssuer(): Promise<(request: CertificateRequest) => Promise<string>> {
  const [pkijs, asn1] = await Promise.all([import('pkijs'), import('asn1js')])
  const engine = new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto })
  const distinguished = (value: string) =>
    new pkijs.RelativeDistinguishedNames({
      typesAndValues: [
        new pkijs.AttributeTypeAndValue({ type: '2.5.4.3', value: new asn1.Utf8String({ value }) }),
      ],
    })
  const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
    new pkijs.Extension({ extnID, critical, extnValue: value.toBER() })
  /** The SHA-1 of a public key, by which certificates name it (RFC 5280, 4.2.1.2). */
  const keyId = async (key: webcrypto.CryptoKey): Promise<ArrayBuffer> =>
    await webcrypto.subtle.digest('SHA-1', await webcrypto.subtle.exportKey('raw', key))
  const usage = (bits: number, unused: number) =>
    new asn1.BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits: unused })
  const extensionsOf = async ({ issuer, publicKey, host }: CertificateRequest) => {
    const ownId = extension('2.5.29.14', false, new asn1.OctetString({ valueHex: await keyId(publicKey) }))
    if (host === null)
      return [
        ownId,
        extension(
          '2.5.29.19',
          true,
          new pkijs.BasicConstraints({ cA: true, pathLenConstraint: 0 }).toSchema(),
        ),
        // keyCertSign
        extension('2.5.29.15', true, usage(0x04, 2)),
      ]
    const authorityId = new pkijs.AuthorityKeyIdentifier({
      keyIdentifier: new asn1.OctetString({ valueHex: await keyId(issuer.keys.publicKey) }),
    })
    const names = new pkijs.GeneralNames({
      names: [
        isIP(host) === 0
          ? new pkijs.GeneralName({ type: 2, value: host })
          : new pkijs.GeneralName({
              type: 7,
              value: new asn1.OctetString({ valueHex: Uint8Array.from(addressBytes(host)).buffer }),
            }),
      ],
    })
    return [
      ownId,
      extension('2.5.29.35', false, authorityId.toSchema()),
      extension('2.5.29.19', true, new pkijs.BasicConstraints({ cA: false }).toSchema()),
      // digitalSignature
      extension('2.5.29.15', true, usage(0x80, 7)),
      // serverAuth
      extension('2.5.29.37', false, new pkijs.ExtKeyUsage({ keyPurposes: ['1.3.6.1.5.5.7.3.1'] }).toSchema()),
      extension('2.5.29.17', false, names.toSchema()),
    ]
  }
  return async request => {
    const certificate = new pkijs.Certificate({
      version: 2,
      serialNumber: new asn1.Integer({ valueHex: serialNumber() }),
      issuer: distinguished(request.issuer.name),
      subject: distinguished(request.name),
      notBefore: new pkijs.Time({ value: new Date(Date.now() - dayMs) }),
      notAfter: new pkijs.Time({ value: new Date(Date.now() + validDays * dayMs) }),
      extensions: await extensionsOf(request),
    })
    await certificate.subjectPublicKeyInfo.importKey(request.publicKey, engine)
    await certificate.sign(request.issuer.keys.privateKey, 'SHA-256', engine)
    return pem('CERTIFICATE', certificate.toSchema(true).toBER())
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
