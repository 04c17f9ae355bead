import { describe, expect, it } from 'vitest'
import { readMarkdown, readSpans } from '../../../src/report/app/markdown.ts'
import { findMatches } from '../../../src/report/app/views/marked.tsx'

describe('the Markdown of a trace', () => {
  it('has headings, paragraphs, lists, tables and code', () => {
    const text =
      '# Title\n\nFirst\nline\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 \\| 3 |\n\n```js\n# code\n```\nend'
    expect(readMarkdown(text)).toEqual([
      { kind: 'heading', level: 1, text: 'Title' },
      { kind: 'paragraph', text: 'First\nline' },
      { kind: 'list', isOrdered: false, items: ['a', 'b'] },
      { kind: 'table', header: ['x', 'y'], rows: [['1', '2 | 3']] },
      { kind: 'code', text: '# code' },
      { kind: 'paragraph', text: 'end' },
    ])
  })

  it('has tables for fenced CSV and for lines with tabs, and headings for page marks', () => {
    expect(readMarkdown('```csv\na,b\n"x, ""y""",2\n```')).toEqual([
      { kind: 'table', header: ['a', 'b'], rows: [['x, "y"', '2']] },
    ])
    expect(readMarkdown('--- page 3 ---\nRevenue\t1\nCosts\t2')).toEqual([
      { kind: 'heading', level: 4, text: 'page 3' },
      {
        kind: 'table',
        header: [],
        rows: [
          ['Revenue', '1'],
          ['Costs', '2'],
        ],
      },
    ])
  })

  it('keeps links, images and HTML as text', () => {
    expect(readSpans('![x](https://a.example) <b>1</b> **2** `3`')).toEqual([
      { kind: 'text', text: '![x](https://a.example) <b>1</b> ' },
      { kind: 'strong', text: '2' },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: '3' },
    ])
  })

  it('loses no text of an unclosed fence, an empty text or one long line', () => {
    expect(readMarkdown('```\na')).toEqual([{ kind: 'code', text: 'a' }])
    expect(readMarkdown('')).toEqual([])
    const long = '*'.repeat(100_000)
    expect(readMarkdown(long)).toHaveLength(1)
    expect(
      readSpans(long)
        .map(({ text }) => text)
        .join(''),
    ).toBe(long)
  })
})

describe('matches in a text', () => {
  it('ignore case unless the text is wanted exactly, and begin below the mark of the page', () => {
    const text = 'a 1\n--- page 2 ---\nA 1'
    expect(findMatches(text, { text: 'a 1', page: null, isExact: false })).toEqual([0, 19])
    expect(findMatches(text, { text: 'A 1', page: 2, isExact: true })).toEqual([19])
    expect(findMatches(text, { text: '', page: null, isExact: false })).toEqual([])
  })
})
