import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findKeys, keysIn } from '../../../src/run/pack/find-keys.ts'

const secret = 'correct-horse-battery-9'
const kinds = (text: string): string[] =>
  keysIn(Buffer.from(text), [secret]).map(({ kind, line }) => `${kind} ${line}`)

it.each([`a line\nkey ${secret}`, `{"x":1}\n{"text":"${secret}"}`])(
  'finds the value of a key variable with its line',
  text => {
    expect(kinds(text)).toEqual(['known 2'])
  },
)

it('finds such a value in base64, percent-encoded, and in a file that is no text', () => {
  expect(kinds(`x ${Buffer.from(secret).toString('base64')}`)).toEqual(['known null'])
  expect(keysIn(Buffer.from(`\0\0${secret}`), [secret])).toHaveLength(1)
  expect(keysIn(Buffer.from('a%20b%2Fc-secret'), ['a b/c-secret'])).toMatchObject([{ kind: 'known' }])
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
  expect(await findKeys(path, 'large.txt', [secret])).toContainEqual(
    expect.objectContaining({ file: 'large.txt', kind: 'known', line: 2_285_714 }),
  )
})
