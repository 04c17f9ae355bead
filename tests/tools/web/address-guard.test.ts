import { describe, expect, it } from 'vitest'
import { checkPageUrl, classifyAddress } from '../../../tools/web/address-guard.ts'

const refused = [
  '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.99.1.2',
  '168.63.129.16', '169.254.169.254', '169.254.0.1', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1',
  '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1',
  '239.255.255.255', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe',
  '::169.254.169.254', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:a00:1::',
  '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '[::1]',
  'no address', '', '1.2.3',
] // biome-ignore format: a list of addresses

const allowed = [
  '1.1.1.1', '8.8.8.8', '93.184.216.34', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '192.0.1.1',
  '223.255.255.255', '2606:4700:4700::1111', '2a00:1450:4001::200e', '[2606:4700::1]', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8',
] // biome-ignore format: a list of addresses

describe('the address classifier', () => {
  it.each(refused)('refuses %j', address => {
    expect(classifyAddress(address)).not.toBeNull()
  })
  it.each(allowed)('allows %s', address => {
    expect(classifyAddress(address)).toBeNull()
  })
})

describe('the URL check', () => {
  it('allows ordinary addresses, including ports and international names', () => {
    for (const url of [
      'https://example.com/a?b#c',
      'http://example.com:8080/',
      'https://例え.jp/文書',
      'http://8.8.8.8/',
    ]) {
      expect(checkPageUrl(url).href).toBe(new URL(url).href)
    }
  })
  it('reports in one line what it refuses and why', () => {
    expect(() => checkPageUrl('http://0x7f.1/')).toThrow('127.0.0.1 is not fetched: loopback')
    expect(() => checkPageUrl('file:///etc/passwd')).toThrow(
      'only http and https addresses are fetched, not file:',
    )
    expect(() => checkPageUrl('http://example.com@8.8.8.8/')).toThrow('with a user name')
    expect(() => checkPageUrl('no address')).toThrow('not an absolute URL: no address')
  })
})
