import { describe, expect, it } from 'vitest'
import { writeCanonicalUrl } from '../../src/text/canonical-url.ts'

describe('the canonical URL', () => {
  it.each([
    ['https://Example.com/a/', 'http://example.com/a'],
    ['https://example.com/a#part-2', 'https://example.com/a'],
    ['https://example.com/', 'http://example.com'],
    ['https://example.com/a?utm_source=x&UTM_Medium=y', 'https://example.com/a'],
    ['https://example.com/a?id=1&utm_source=x', 'https://example.com/a/?id=1'],
    ['https://example.com:443/%e4%b8%ad', 'https://example.com/%E4%B8%AD'],
    ['https://example.com/中', 'https://example.com/%E4%B8%AD'],
    ['https://example.com/%zz', 'http://example.com/%zz/'],
  ])('treats %s and %s as one page', (first, second) => {
    expect(writeCanonicalUrl(first)).toBe(writeCanonicalUrl(second))
    expect(writeCanonicalUrl(first)).not.toBeNull()
  })

  it.each([
    ['https://example.com/a', 'https://example.com/b'],
    ['https://example.com/a?id=1', 'https://example.com/a?id=2'],
    ['https://example.com/a?q=1%262', 'https://example.com/a?q=1&2'],
    ['https://example.com/a', 'https://docs.example.com/a'],
    ['https://example.com/A', 'https://example.com/a'],
    ['https://www.example.com/a', 'https://example.com/a'],
    ['https://example.com/a?b=1&a=2', 'https://example.com/a?a=2&b=1'],
  ])('distinguishes %s and %s', (first, second) => {
    expect(writeCanonicalUrl(first)).not.toBe(writeCanonicalUrl(second))
  })

  it.each([
    '',
    'example.com/a',
    'ftp://example.com/a',
    'javascript:alert(1)',
    'data:text/plain,x',
    'mailto:a@b.c',
  ])('does not exist for %j', link => {
    expect(writeCanonicalUrl(link)).toBeNull()
  })
})
