import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findKeys, findKeysInText } from '../../../src/run/pack/find-keys.ts'
import { secretSpellings, sortSpellings } from '../../../src/system/secret-values.ts'

const secret = 'correct-horse-battery-9'
const spellings = sortSpellings(secretSpellings(secret))
const kinds = (text: string): string[] =>
  findKeysInText(Buffer.from(text), spellings).map(({ kind, line }) => `${kind} ${line}`)

it.each([`a line\nkey ${secret}`, `{"x":1}\n{"text":"${secret}"}`])(
  'finds the value of a key variable with its line',
  text => {
    expect(kinds(text)).toEqual(['known 2'])
  },
)

it.each([
  ['base64', Buffer.from(`x${secret}`).toString('base64')],
  ['hexadecimal digits', Buffer.from(secret).toString('hex')],
  ['a key beside', `${Buffer.from(secret).toString('base64')} sk-abcdefghij0123456789`],
])('finds such a value in %s, which is known', (_, text) => {
  expect(kinds(`first\n${text}`)[0]).toBe('known 2')
  expect(kinds(`first\n${text}`).filter(kind => kind.startsWith('known'))).toHaveLength(1)
})

it('finds such a value percent-encoded, and in a file that is no text', () => {
  expect(findKeysInText(Buffer.from(`\0\0${secret}`), spellings)).toHaveLength(1)
  expect(findKeysInText(Buffer.from('a%20b%2Fc-secret'), secretSpellings('a b/c-secret'))).toMatchObject([
    { kind: 'known' },
  ])
})

it.each([
  'sk-abcdefghij0123456789',
  'Authorization: Bearer abcdef0123456789abcdef',
  'https://example.org/?api_key=abcdef0123',
  'postgres://admin:hunter2@example.org/',
  'AKIAIOSFODNN7EXAMPLE',
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  `eyJ${'hbGciOiJI'}UzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4`,
  `hf_${'abcDEF0123'.repeat(4)}`,
])('finds what looks like a key: %s', text => {
  expect(kinds(`first\n${text}`)).toContain('likely 2')
})

it.each([
  'Authorization: Bearer [redacted]',
  'Authorization: the Board of Directors',
  'a'.repeat(64),
  '8123db84-bf64-45f1-b7a6-355a0c67048c',
  'https://example.org/?key=[redacted]',
])('finds nothing in %s', text => {
  expect(kinds(text)).toEqual([])
})

it('finds a key across the pieces in which a large file is read', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tablehunt-keys-')), 'large.txt')
  writeFileSync(path, `${'filler\n'.repeat(2_285_713)}${secret}\n${'filler\n'.repeat(10)}`)
  expect(await findKeys(path, 'large.txt', spellings)).toContainEqual(
    expect.objectContaining({ file: 'large.txt', kind: 'known', line: 2_285_714 }),
  )
})
