import { ToolError } from '../../src/core/errors.ts'

/** What the codes of failed connections mean: those of Node.js, its TLS and zlib, and undici. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers at this address',
  ECONNRESET: 'the server closed the connection',
  EPIPE: 'the server closed the connection',
  ECONNABORTED: 'the connection was broken off',
  ETIMEDOUT: 'the server did not answer in time',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached from here',
  ENETUNREACH: 'the network cannot be reached from here',
  ERR_INVALID_URL: 'the address is invalid',
  UND_ERR_INVALID_ARG: 'the address is invalid',
  UND_ERR_CONNECT_TIMEOUT: 'the server did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'the server did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'the server stopped sending the page',
  UND_ERR_SOCKET: 'the server broke off its answer before the end',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the server broke off its answer before the end',
  Z_DATA_ERROR: "the page's compression is broken",
  Z_BUF_ERROR: "the page's compressed text ends too early",
  Z_NEED_DICT: "the page's compression needs a dictionary that is not known",
  ERR_BROTLI_DECODER_ERROR: "the page's compression is broken",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate cannot be verified",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server's certificate is signed by an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
  EPROTO: 'the server does not speak HTTPS as expected',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak HTTPS',
}

/** The groups of codes whose members mean much the same. */
const groups: readonly (readonly [RegExp, string])[] = [
  [/^HPE_/, 'the answer is not valid HTTP'],
  [/^ERR_(?:_ERROR_FORMAT|BROTLI|ZSTD)|^ZSTD_/, "the page's compression is broken"],
  [/^ERR_SSL_|^ERR_TLS_/, 'the encrypted connection failed'],
]

/**
 * Returns the failure of a request, in words and with its code. A code without words is shown as it is.
 *
 * @param reason a code such as `ECONNRESET`, or the message of a failure without one
 */
export function describeNetworkFailure(
  url: string,
  reason: string,
  options: { readonly infrastructure?: boolean; readonly cause?: unknown } = {},
): ToolError {
  const meaning = words[reason] ?? groups.find(([pattern]) => pattern.test(reason))?.[1]
  const what = meaning === undefined ? `could not be reached: ${reason}` : `${meaning} (${reason})`
  return new ToolError('network', meaning === undefined ? `${url} ${what}` : `${url}: ${what}`, options)
}
