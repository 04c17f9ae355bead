import { expect, it } from 'vitest'
import {
  classifyAllowedHostAddress,
  isAllowedHost,
  parseAllowedHost,
  targetOfUrl,
} from '../../../tools/web/address-guard.ts'

const allows = (allowed: string, url: string): boolean =>
  isAllowedHost([parseAllowedHost(allowed)], targetOfUrl(new URL(url)))

it.each([
  ['wiki.corp', 'http://wiki.corp/a'],
  ['wiki.corp', 'https://WIKI.corp.:8443/a'],
  ['wiki.corp:8080', 'http://wiki.corp:8080/'],
  ['wiki.corp:443', 'https://wiki.corp/'],
  ['wiki.corp:80', 'http://wiki.corp/'],
  ['localhost', 'http://localhost:3000/'],
  ['127.0.0.1:8080', 'http://0x7f.1:8080/'],
  ['[::1]:8080', 'http://[::1]:8080/'],
  ['::1', 'http://[0:0:0:0:0:0:0:1]/'],
  ['例え.corp', 'http://xn--r8jz45g.corp/'],
])('%s allows %s', (allowed, url) => {
  expect(allows(allowed, url)).toBe(true)
})

it.each([
  ['wiki.corp', 'http://other.wiki.corp/'],
  ['wiki.corp', 'http://wiki.corp.example/'],
  ['wiki.corp:8080', 'http://wiki.corp/'],
  ['wiki.corp:80', 'https://wiki.corp/'],
  ['127.0.0.1', 'http://127.0.0.2/'],
])('%s does not allow %s', (allowed, url) => {
  expect(allows(allowed, url)).toBe(false)
})

it.each([
  '',
  'http://wiki.corp',
  'wiki.corp/path',
  '*.corp',
  'a b',
  'user@wiki.corp',
  'wiki:0',
  'wiki:99999',
  'wiki:',
])('refuses %j as a host', text => {
  expect(() => parseAllowedHost(text)).toThrow(expect.objectContaining({ code: 'invalid-host' }))
})

it.each([
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  'fe80::1',
])('never allows a name to resolve to the metadata address %s', address => {
  expect(classifyAllowedHostAddress(address)).not.toBeNull()
})

it.each(['10.0.0.1', '127.0.0.1', '::1', '192.168.1.1', 'fd12::1', '8.8.8.8'])(
  'allows an allowed name to resolve to %s',
  address => {
    expect(classifyAllowedHostAddress(address)).toBeNull()
  },
)
