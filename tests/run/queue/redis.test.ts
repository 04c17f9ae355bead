import { describe, expect, it } from 'vitest'
import {
  fixForRefusedWrites,
  writeRefusalMessage,
  writeUnreachableMessage,
} from '../../../src/run/queue/redis.ts'

const [plain, secure] = ['redis://:secret@host:1', 'rediss://me:secret@host:1']

describe('the message about a Redis that cannot be used', () => {
  it.each([
    [secure, 'DEPTH_ZERO_SELF_SIGNED_CERT', /not trusted .*NODE_EXTRA_CA_CERTS/],
    [secure, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
    [secure, 'ERR_TLS_CERT_ALTNAME_INVALID', /host name of the certificate/],
    [plain, 'NOPERM this user has no permissions', /all keys and commands/],
    [secure, 'WRONGPASS invalid username-password pair', /rediss:\/\/USER:PASSWORD@HOST:PORT/],
    [plain, 'NOAUTH Authentication required.', / redis:\/\/USER:PASSWORD@HOST:PORT/],
    [plain, 'ERR DB index is out of range', /an existing database/],
    [plain, 'it runs in cluster mode', /not supported. Name a single server/],
  ])('explains how to fix a refusal (%s, %s), without the password', (url, problem, fix) => {
    const said = writeRefusalMessage(url, problem)
    expect(said).toMatch(fix)
    expect(said).toContain('host:1')
    expect(said).not.toContain('secret')
  })

  it('does not treat a Redis that may still be starting as a refusal', () => {
    expect(
      ['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET'].map(problem => writeRefusalMessage(plain, problem)),
    ).toEqual([null, null, null])
  })

  it.each([
    [plain, 'ECONNREFUSED', /Start one/],
    [secure, 'ECONNREFUSED', /Start one/],
    [plain, 'no answer within 5 s', /Start one/],
    [plain, 'ECONNRESET', /uses TLS, write rediss:/],
    [secure, 'no answer within 5 s', /does not use TLS, write redis:/],
    [secure, 'ERR_SSL_WRONG_VERSION_NUMBER', /does not use TLS, write redis:/],
  ])('explains how to fix a Redis that does not answer (%s, %s)', (url, problem, fix) => {
    expect(writeUnreachableMessage(url, problem)).toMatch(fix)
  })

  it('explains how to fix a Redis that refuses writes', () => {
    expect(fixForRefusedWrites("READONLY You can't write against a read only replica.")).toContain('primary')
    expect(fixForRefusedWrites('NOPERM this user has no permissions')).toContain('all keys')
    expect(fixForRefusedWrites("OOM command not allowed when used memory > 'maxmemory'.")).toContain(
      'maxmemory',
    )
  })
})
