import { describe, expect, it } from 'vitest'
import { collectPassages, findTerm, searchPages } from '../../tools/page/passages.ts'

const filing = [
  'Notes of the company',
  'Consolidated statement (in millions)',
  'Three months ended\tSix months ended',
  '2025\t2024\t2025\t2024',
  'REVENUE:',
  ...Array.from({ length: 20 }, (_, n) => `Item ${n}\t${n}1\t${n}2\t${n}3\t${n}4`),
  'Net income per share\t0.61\t0.65\t1.29\t1.55',
  'A sentence after the table.',
].join('\n')
const pages = searchPages([
  { number: 1, text: '这是一份 年 度 报 告，资产总额为 1,234,567 元。', ocr: false },
  { number: 2, text: filing, ocr: false },
  {
    number: 3,
    text: 'The borrower shall pay\nthe agent the fee. The agent is the Bank of Somewhere.',
    ocr: false,
  },
])
const pagesWith = (term: string) => [...findTerm(pages, term).lines.keys()]

describe('finding words in a document', () => {
  it.each([
    ['年度报告', [1]],
    ['1234567', [1]],
    ['１,２３４,５６７', [1]],
    ['NET INCOME  per share', [2]],
    ['shall pay the agent', [3]],
    ['dividend', []],
  ])('finds %s on pages %j', (term, numbers) => {
    expect(pagesWith(term)).toEqual(numbers)
  })

  it.each([
    ['a line-end hyphen', 'reve-\nnue rose', 'revenue rose', 'phrase'],
    ['a hyphen that the reader kept', 'the reve-nue rose', 'revenue rose', 'phrase'],
    ['soft hyphens', 'Um\u00adsatz\u00aderlöse', 'Umsatzerlöse', 'phrase'],
    ['characters without width', 'Zero\u200bwidth', 'zerowidth', 'phrase'],
    ['a range over two lines', 'average 50-\n59 years', '50-59', 'phrase'],
    ['a range as one number', 'average 50-\n59 years', '5059', 'none'],
    ['an en dash', 'in 2019\u20132020', '2019-2020', 'phrase'],
    ['a minus sign', 'a loss of \u22125', '-5', 'phrase'],
    ['an apostrophe', 'we don\u2019t', "don't", 'phrase'],
    ['quotation marks', 'Hotel \u201cRose\u201d', '"Rose"', 'phrase'],
    ['capitals', 'HAUPTSTRASSE', 'Hauptstraße', 'phrase'],
    ['struck text', '~~199~~ 149', '199 149', 'phrase'],
    ['a raised mark as a digit', 'sum 1,234² of', '12342', 'none'],
  ])('sees %s as it is printed', (_, text, term, how) => {
    expect(findTerm(searchPages([{ number: 1, text, ocr: false }]), term)).toMatchObject({ how })
  })

  it('reports when only the words of a term occur near each other', () => {
    expect(findTerm(pages, 'agent borrower fee')).toMatchObject({ how: 'words' })
    expect(findTerm(pages, 'borrower Somewhere dividend')).toMatchObject({ how: 'none' })
  })

  it('returns a complete table row with its column headings', () => {
    const texts = collectPassages(pages, [findTerm(pages, 'Net income per share')]).map(
      passage => passage.text,
    )
    expect(texts).toHaveLength(2)
    expect(texts[0]).toContain('Three months ended\tSix months ended\n2025\t2024\t2025\t2024')
    expect(texts[0]).toContain('(in millions)')
    expect(texts[1]).toContain('Net income per share\t0.61\t0.65\t1.29\t1.55')
    expect(texts.join('\n')).not.toContain('Item 9')
  })

  it('returns a row of a Markdown table with all rows of its head', () => {
    const head = ['|  | Three months ended |  |', '| --- | --- | --- |', '|  | 2024 | 2023 |']
    const body = Array.from({ length: 20 }, (_, at) => `| Cost ${at} | ${at}1 | ${at}2 |`)
    const page = searchPages([{ number: 1, text: [...head, ...body].join('\n'), ocr: false }])
    const texts = collectPassages(page, [findTerm(page, 'Cost 15 151')]).map(passage => passage.text)
    expect(texts[0]).toBe(head.join('\n'))
    expect(texts[1]).toContain('| Cost 15 | 151 | 152 |')
  })

  it('returns three lines above the table of a matching row', () => {
    const above = ['four above', 'three above', 'two above', 'one above']
    const body = Array.from({ length: 20 }, (_, at) => `Cost ${at}\t${at}1\t${at}2`)
    const page = searchPages([{ number: 1, text: [...above, ...body].join('\n'), ocr: false }])
    const [top] = collectPassages(page, [findTerm(page, 'Cost 15')]).map(passage => passage.text)
    expect(top).toBe([...above.slice(1), body[0], body[1]].join('\n'))
  })

  it('merges overlapping passages, so that no line is repeated', () => {
    const texts = collectPassages(pages, [findTerm(pages, 'Item 3'), findTerm(pages, 'Item 5')]).map(
      passage => passage.text,
    )
    expect(texts).toHaveLength(2)
    expect(texts.join('\n').match(/Item 4/g)).toHaveLength(1)
  })
})
