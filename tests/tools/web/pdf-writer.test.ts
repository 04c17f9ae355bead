import { describe, expect, it } from 'vitest'
import { writePdf } from '../../../tools/web/pdf-writer.ts'
import { readPdfPages } from '../support/pdf-pages.ts'

describe('the PDF writer', () => {
  it('writes text that a PDF reader can extract: Latin, Chinese, signs, separate cells', async () => {
    const text = '被告人张某某\t有期徒刑三年\nRevenue | 1,234 | (5,678)\nÄrger “quoted” – dash €'
    const [page] = await readPdfPages(writePdf(text, '标题'))
    const lines = page!.split('\n').map(line => line.replace(/\s+/g, ' ').trim())
    expect(lines).toEqual(['被告人张某某 有期徒刑三年', 'Revenue 1,234 (5,678)', 'Ärger “quoted” – dash €'])
  })

  it('starts new pages, wraps long lines and loses no word', async () => {
    const words = Array.from({ length: 3_000 }, (_unused, index) => `word${index}`)
    const pages = await readPdfPages(
      writePdf(`${words.slice(0, 1_500).join(' ')}\n${words.slice(1_500).join('\n')}`, ''),
    )
    expect(pages.length).toBeGreaterThan(10)
    expect(
      pages
        .join('\n')
        .split(/\s+/)
        .filter(word => word !== ''),
    ).toEqual(words)
  })

  it('writes the same bytes for the same text', () => {
    expect(Buffer.from(writePdf('a\nb', 't')).equals(Buffer.from(writePdf('a\nb', 't')))).toBe(true)
  })
})
