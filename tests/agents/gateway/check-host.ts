import { X509Certificate } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'

/**
 * Checks that a certificate is for a host, as `checkServerIdentity` does. Some releases of Node 22 and 24 refuse every
 * IPv6 address (nodejs/node#64032), so OpenSSL checks those.
 * @returns what is wrong; undefined when the certificate is for the host
 */
export function checkHost(host: string, certificate: PeerCertificate): Error | undefined {
  if (!isIPv6(host)) return checkServerIdentity(host, certificate)
  const found = new X509Certificate(certificate.raw).checkIP(host)
  return found === undefined ? new Error(`The certificate is not for ${host}`) : undefined
}
