import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, vi } from 'vitest'

/** A module without the secrets of other tests. */
async function freshModule() {
  vi.resetModules()
  return await import('../../src/system/secret-values.ts')
}
let secrets: Awaited<ReturnType<typeof freshModule>>
beforeEach(async () => {
  secrets = await freshModule()
})

const key = 'quiet <elm> & "birch" +7/é'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

it.each([
  ['as it is', key],
  ['in JSON', JSON.stringify({ key })],
  ['in JSON within JSON', JSON.stringify(JSON.stringify({ key }))],
  ['percent-encoded', encodeURIComponent(key)],
  ['as an address', encodeURI(key)],
  ['in a form', new URLSearchParams({ key }).toString()],
  ['in base64', base64(key)],
  ['in base64url', Buffer.from(key).toString('base64url')],
  ['in the base64 of user and password', base64(`me:${key}`)],
  ['in the base64 of a longer text', base64(`ab${key}cdefg`)],
  ['in hexadecimal digits', Buffer.from(key).toString('hex')],
  ['in HTML', '<b>quiet &lt;elm&gt; &amp; &quot;birch&quot; +7/é</b>'],
])('removes a secret %s', (_, text) => {
  secrets.registerSecret(key)
  const clean = secrets.withoutSecrets(`before ${text} after`)
  expect(clean).toMatch(/^before .*\[redacted\].* after$/)
  expect(clean).not.toMatch(/elm|birch/)
})

it('removes a secret from texts and names of a record, and returns other records as they are', () => {
  secrets.registerSecret('quiet-elm-7')
  const record = { id: 1, cells: [{ 'quiet-elm-7': 'x quiet-elm-7' }], none: null }
  expect(secrets.valueWithoutSecrets(record)).toEqual({
    ...record,
    cells: [{ '[redacted]': 'x [redacted]' }],
  })
  const open = { id: 2 }
  expect(secrets.valueWithoutSecrets(open)).toBe(open)
})

it('leaves texts that merely resemble a secret', () => {
  secrets.registerSecret('quiet-elm-7')
  const bytes = gzipSync('a text that is compressed').toString('base64')
  for (const text of ['quiet elm 7', 'quiet-elm', bytes]) expect(secrets.withoutSecrets(text)).toBe(text)
})

describe('what is registered', () => {
  const isHidden = (text: string): boolean => secrets.withoutSecrets(text) !== text

  it.each([
    ['short words, which would also remove ordinary text', () => secrets.registerSecret('elm')],
    ['six letters', () => secrets.registerSecret('secret')],
    ['nothing', () => secrets.registerSecret(undefined)],
    ['a path under the name of a key', () => secrets.registerVariable('MY_CREDENTIALS', '/home/me/key.json')],
    ['a number', () => secrets.registerVariable('SEED', '1234567890')],
    ['a mode', () => secrets.registerVariable('MODE', 'deep-search')],
    ['the name of the model', () => secrets.registerVariable('M', 'gpt-4o-mini', '["openai:gpt-4o-mini"]')],
    ['a plain address', () => secrets.registerAddress('http://elm.example/v1?q=beds')],
  ])('ignores %s', (_, register) => {
    register()
    expect(secrets.registeredSpellings()).toEqual([])
  })

  it('knows the lines of a key file, and the keys in the JSON of a service account', () => {
    const lines = ['MIIEvQIBADANBgkqhkiG9w0B+/AQ', 'EFAASCBKcwggSjAgEAAoIBAQC7VJTU']
    const pem = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\nab==\n-----END PRIVATE KEY-----\n`
    const account = { type: 'service_account', private_key_id: 'not secret', private_key: pem }
    secrets.registerSecret(JSON.stringify(account))
    expect(secrets.withoutSecrets(`> ${lines[0]}\r\n> ${lines[1]} service_account not secret`)).toBe(
      '> [redacted]\r\n> [redacted] service_account not secret',
    )
    expect(secrets.withoutSecrets(pem)).toBe('[redacted]\n')
    secrets.registerSecret('first word\nsecond-word-of-a-note\nthird')
    expect(secrets.withoutSecrets('first word, second-word-of-a-note')).toBe('first word, [redacted]')
  })

  it('knows passwords and keys in addresses', () => {
    secrets.registerAddress('http://me:elm%2F7pass@elm.example/?api_key=birch-1234')
    secrets.registerAddress('https://tokenbirch99@elm.example/?entry=birch-5678')
    secrets.registerAddress('https://elm.example/s/a1b2c3d4e5f6a7b8c9d0/mcp')
    for (const text of [
      'elm/7pass',
      'birch-1234',
      'birch-5678',
      'tokenbirch99',
      'a1b2c3d4e5f6a7b8c9d0',
      base64('me:elm/7pass'),
    ])
      expect([text, isHidden(text)]).toEqual([text, true])
    expect(isHidden('me')).toBe(false)
  })

  it('knows variables by their names, passwords in their addresses, and the values of their headers', () => {
    secrets.registerEnvironment({
      MY_API_KEY: 'alder-0001',
      DB_PASSWORD: 'alder-0002',
      AWS_SECRET_ACCESS_KEY: 'alder-0003',
      DATABASE_URL: 'postgres://me:alder-0004@db.example/beds',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer alder-0005,x-team=alder-0006',
      PATH: '/usr/bin/alder-0007',
      KEYBOARD: 'alder-0008',
      PAGE: 'https://x.example/?title=alder-0009-2023',
    })
    const shown = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter(n => !isHidden(`alder-000${n}`))
    expect(shown).toEqual([7, 8, 9])
  })

  it.each([
    'PGPASSWORD',
    'MYTOKEN',
    'MYSQL_PWD',
    'SSHPASS',
    'DB_PASS',
    'accessToken',
    'secretKey',
    'passphrase',
  ])('knows that %s names a secret', name => {
    expect(secrets.isSecretName(name)).toBe(true)
  })

  it.each(['PWD_TEXT', 'COMPASS', 'MONKEY', 'TOKENIZER', 'MAX_TOKENS', 'keyColumns'])(
    'knows that %s names none',
    name => {
      expect(secrets.isSecretName(name)).toBe(false)
    },
  )
})
