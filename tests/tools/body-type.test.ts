import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createBody } from '../../tools/page/body-type.ts'

const html = Buffer.from('<html><title>T</title><p>The hotel Alder has 12 beds.</p></html>')

function bodyFrom(body: Uint8Array, contentType = 'text/html') {
  const finalUrl = 'http://h.example/'
  return createBody(finalUrl, { status: 200, headers: { 'content-type': contentType }, body, finalUrl })
}

describe('a body that is compressed although no header says so', () => {
  it.each([
    ['once', gzipSync(html)],
    ['twice', gzipSync(gzipSync(html))],
  ])('is unpacked: %s', (_times, body) => {
    expect(bodyFrom(body)).toEqual(bodyFrom(html))
    expect(bodyFrom(body).type).toBe('html')
  })

  it('is a table when the file is one', () => {
    const { type, bytes } = bodyFrom(gzipSync('Hotel,Beds\nAlder,12\n'), 'application/gzip')
    expect({ type, text: Buffer.from(bytes).toString() }).toEqual({
      type: 'text',
      text: 'Hotel,Beds\nAlder,12\n',
    })
  })

  it.each([
    ['broken', gzipSync(html).subarray(0, 30)],
    ['of no known method', Buffer.from([0x1f, 0x8b, 0x00, 0x01, 0x02])],
    ['packed three times', gzipSync(gzipSync(gzipSync(html)))],
    ['larger than a page may be', gzipSync(Buffer.alloc(65_000_000))],
  ])('stays binary when it is %s', (_what, body) => {
    expect(bodyFrom(body).type).toBe('binary')
  })
})
