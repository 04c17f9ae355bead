import { describe, expect, it } from 'vitest'
import { readContent } from '../../retrieval/context-documents.ts'
import { tableFormatNames, writeTables } from '../../retrieval/table-formats/formats.ts'

const caves = {
  name: 'caves',
  columns: ['id', 'cave', 'depth'],
  rows: [
    ['1', 'Tolvan', '1234567.891'],
    ['2', 'Finance|North', null],
  ],
} as const

const written = (format: string): string => writeTables([caves], format)

it('uses markdown by default', () => {
  expect(readContent({ kind: 'tables', tables: [caves] })).toBe(written('markdown'))
  expect(tableFormatNames.slice(0, 7)).toEqual(['markdown', 'html', 'json', 'latex', 'sql', 'xml', 'csv'])
})

describe('formats without loss', () => {
  it('keep every value', () => {
    const texts = ['Tolvan', '1234567.891']
    for (const format of tableFormatNames.filter(name => !name.includes(':')))
      for (const text of texts) expect(written(format), format).toContain(text)
    expect(written('xml')).toContain('<cave>Finance|North</cave>')
    expect(written('markdown')).toContain('Finance\\|North')
  })

  it('keep texts that look like numbers or missing values', () => {
    const table = { name: 't', columns: ['code', 'region'], rows: [['007', 'NA']] }
    expect(writeTables([table], 'csv')).toBe('t:\ncode,region\n007,NA\n\n\n')
    expect(writeTables([table], 'json')).toContain('"code": "007"')
  })

  it('have the published shapes', () => {
    expect(written('markdown')).toBe(
      'caves:\n| id | cave | depth |\n|-----:|:---------------|------------:|\n| 1 | Tolvan | 1234567.891 |\n| 2 | Finance\\|North | nan |\n\n',
    )
    expect(written('sql')).toBe(
      "caves:\nCREATE TABLE caves (id, cave, depth);\nINSERT INTO caves (id, cave, depth) VALUES\n('1', 'Tolvan', '1234567.891'),\n('2', 'Finance|North', 'nan');\n\n",
    )
    expect(written('latex')).toContain(
      '\\begin{tabular}{|l|l|l|}\n\\hline\nid & cave & depth \\\\\n\\hline\n',
    )
    expect(written('html')).toContain(' <tr>\n <td>1</td>\n <td>Tolvan</td>\n')
    expect(JSON.parse(written('json').slice('caves:\n'.length))).toMatchObject({
      schema: { primaryKey: ['index'] },
      data: [{ index: 0, id: 1, cave: 'Tolvan', depth: 1234567.891 }, { depth: null }],
    })
  })
})

describe('published formats', () => {
  it('write numbers as the published code does', () => {
    expect(written('markdown:published')).toContain('| 1 | Tolvan | 1.23457e+06 |')
    const numbers = {
      name: 'n',
      columns: ['a', 'b'],
      rows: [
        ['1', '2.5'],
        ['3', '4'],
      ],
    }
    expect(writeTables([numbers], 'sql:published')).toContain("('1.0', '2.5'),\n('3.0', '4.0');")
    expect(writeTables([numbers], 'csv:published')).toBe('n:\na,b\n1,2.5\n3,4.0\n\n\n')
    expect(writeTables([numbers], 'html:published')).toContain('<td>4.0</td>')
    const decimals = {
      name: 'd',
      columns: ['x', 'y'],
      rows: [
        ['1.25', '0.125'],
        ['3', '10.5'],
      ],
    }
    const html = writeTables([decimals], 'html:published')
    for (const cell of ['1.25', '3.00', '0.125', '10.500']) expect(html).toContain(`<td>${cell}</td>`)
    const whole = { name: 'w', columns: ['x', 'y'], rows: [['1234567', '2']] }
    expect(writeTables([whole], 'markdown:published')).toContain('| 1.23457e+06 | 2 |')
    const named = { name: 'w', columns: ['x', 'y'], rows: [['1234567', 'a']] }
    expect(writeTables([named], 'markdown:published')).toContain('| 1234567 | a |')
    const missing = { name: 'm', columns: ['x'], rows: [['NULL'], ['None']] }
    expect(writeTables([missing], 'json:published')).toContain('"x": null')
  })

  it('have the defects of the published XML', () => {
    const table = { name: 't', columns: ['firm'], rows: [['Finance – 云岭 & Co']] }
    expect(writeTables([table], 'xml:published')).toContain('<firm>Finullce &amp;amp; Co</firm>')
  })
})
