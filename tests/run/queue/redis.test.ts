import { describe, expect, it } from 'vitest'
import { refusalMessage, unreachableMessage, writeFix } from '../../../src/run/queue/redis.ts'

const [plain, secure] = ['redis://:secret@host:1', 'rediss://me:secret@host:1']

describe('what a Redis that cannot be used is told to be, and its mend', () => {
  it.each([
    [secure, 'DEPTH_ZERO_SELF_SIGNED_CERT', /not trusted here .*NODE_EXTRA_CA_CERTS/],
    [secure, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
    [secure, 'ERR_TLS_CERT_ALTNAME_INVALID', /the host as the certificate does/],
    [plain, 'NOPERM this user has no permissions', /all keys and commands/],
    [secure, 'WRONGPASS invalid username-password pair', /rediss:\/\/USER:PASSWORD@HOST:PORT/],
    [plain, 'NOAUTH Authentication required.', / redis:\/\/USER:PASSWORD@HOST:PORT/],
    [plain, 'ERR DB index is out of range', /a database that it has/],
  ])('refused: %s, %s', (url, problem, mend) => {
    const said = refusalMessage(url, problem)
    expect(said).toMatch(mend)
    expect(said).toContain('host:1')
    expect(said).not.toContain('secret')
  })

  it('waits where a Redis may come yet', () => {
    expect(
      ['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET'].map(problem => refusalMessage(plain, problem)),
    ).toEqual([null, null, null])
  })

  it.each([
    [plain, 'ECONNREFUSED', /start one/],
    [secure, 'ECONNREFUSED', /start one/],
    [plain, 'no answer within 5 s', /start one/],
    [plain, 'ECONNRESET', /speaks TLS, write rediss:/],
    [secure, 'no answer within 5 s', /speaks no TLS, write redis:/],
    [secure, 'ERR_SSL_WRONG_VERSION_NUMBER', /speaks no TLS, write redis:/],
  ])('silent: %s, %s', (url, problem, mend) => {
    expect(unreachableMessage(url, problem)).toMatch(mend)
  })

  it('sends a writer from a replica to its primary, and looks to memory elsewhere', () => {
    expect(writeFix("READONLY You can't write against a read only replica.")).toContain('the primary')
    expect(writeFix('NOPERM this user has no permissions')).toContain('all keys')
    expect(writeFix("OOM command not allowed when used memory > 'maxmemory'.")).toContain('maxmemory')
  })
})
