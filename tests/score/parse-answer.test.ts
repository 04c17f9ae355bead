import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAnswer } from '../../src/score/answer/parse-answer.ts'
import { writeCsv } from '../../src/text/csv.ts'

const table = (text: string) => {
  const parsed = parseAnswer(text)
  return parsed.status === 'table' ? [parsed.header, ...parsed.rows] : `${parsed.status}: ${parsed.note}`
}
const plain = [
  ['a', 'b'],
  ['1', '2'],
]

describe('finding the table in an answer', () => {
  it('reads a quoted cell of several lines in a table without a fence', () => {
    const rows = [
      ['file', 'lender', 'borrower'],
      ['a.pdf', 'First, N.A.', 'A Corp. and\n\nB "Bee" LLC'],
      ['b.pdf', 'Second', '5" pipe works'],
      ['c.pdf', '', 'C Corp.\nD Corp.'],
    ]
    expect(table(`The table:\n\n${writeCsv(rows)}\nThat is all, as asked.`)).toEqual(rows)
    const open = 'k,v\na,"never closed\nb,2\nc,3\n'
    expect(table(open)).toEqual([
      ['k', 'v'],
      ['a', '"never closed'],
      ['b', '2'],
      ['c', '3'],
    ])
  })

  it('uses the last fenced csv', () => {
    expect(table('```csv\nx,y\n8,9\n```\nbetter:\n```csv\na,b\n1,2\n```\nbye, all')).toEqual(plain)
  })

  it('reads an unclosed last fence, and one that closes after its last row', () => {
    expect(table('so:\n```csv\na,b\n1,2')).toEqual(plain)
    expect(table('```CSV\na,b\n1,2```')).toEqual(plain)
  })

  it('reads an indented block in a list without its indentation', () => {
    expect(table('1. The table:\n   ```csv\n   a,b\n   1,2\n   ```')).toEqual(plain)
    expect(table('- ```csv\r\n  a,b\r\n  1,2\r\n  ```')).toEqual(plain)
    expect(table('  ```csv\na\tb\n\t2\n```')).toEqual([
      ['a', 'b'],
      ['', '2'],
    ])
  })

  it('reads a block in a quote without the signs of the quote', () => {
    expect(table('> So:\n> ```csv\n> a,b\n> 1,2\n> ```')).toEqual(plain)
    expect(table('> > ~~~csv\n> > a,b\n>> 1,2\n> > ~~~')).toEqual(plain)
    expect(table('```csv\na,b\n> 1,2\n```')).toEqual([
      ['a', 'b'],
      ['> 1', '2'],
    ])
  })

  it('reads text after csv on its line as a row only when the next line has no more fields', () => {
    expect(table('```csv title="My table"\na,b\n1,2\n```')).toEqual(plain)
    expect(table('```csv:out.csv\na,b\n1,2\n```')).toEqual(plain)
    expect(table('```csv a,b\n1,2\n```')).toEqual(plain)
    expect(table('```csv a\n1\n```')).toEqual([['a'], ['1']])
  })

  it('ignores reasoning, closed or not', () => {
    expect(table('<think>```csv\nx,y\n8,9\n```</think>```csv\na,b\n1,2\n```')).toEqual(plain)
    expect(table('```csv\na,b\n1,2\n```\n<think>hm ```csv\nx,y\n')).toEqual(plain)
    expect(table('I think…</think>\n```csv\na,b\n1,2\n```')).toEqual(plain)
    expect(table('<think>never mind')).toBe('none: reasoning without an answer')
  })

  it('uses the last tabular fence with another label when none is labelled csv', () => {
    expect(table('```\na,b\n1,2\n```\n```json\n[{"x": 1, "y": 2}]\n```')).toEqual(plain)
  })

  it('finds the best block of running text, and prefers it to a description of its columns', () => {
    const text =
      'Schema, as asked:\nname,about,format,valid_type\na,first,text,str\nb,second,text,str\n\nThe table:\n\na,b\n1,2\n\nDone, as asked.'
    expect(table(text)).toEqual(plain)
  })

  it('reads Markdown tables, with escaped bars and bold cells', () => {
    expect(table('Here:\n\n| a | b |\n|:--|--:|\n| **1** | x\\|y |\n\nend')).toEqual([
      ['a', 'b'],
      ['1', 'x|y'],
    ])
    expect(table('```csv\n| a | b |\n|---|---|\n| 1 | 2 |\n```')).toEqual(plain)
  })

  it('says why there is none', () => {
    expect(table('')).toBe('none: empty answer')
    expect(table('I looked for it, but found nothing.\nSorry, I can not help.')).toBe(
      'none: no table in the answer',
    )
    expect(table('```csv\n\n```')).toBe('unreadable: the csv block is empty')
    expect(table('[{"a": 1, "b": 2}]')).toBe('unreadable: JSON, not CSV')
  })
})

describe('reading hostile tables', () => {
  const csv = (body: string) => table(`\`\`\`csv\n${body}\n\`\`\``)

  it('reads other delimiters, including full-width ones, and single lines that differ', () => {
    expect(csv('a;b\n1;2')).toEqual(plain)
    expect(csv('a\tb\n1\t2')).toEqual(plain)
    expect(csv('a，b\n1，2')).toEqual(plain)
    expect(csv('a,b\n1;2')).toEqual(plain)
  })

  it('joins unquoted thousands when exactly one way fits', () => {
    expect(csv('a,b\nx,1,234,567')).toEqual([
      ['a', 'b'],
      ['x', '1,234,567'],
    ])
    expect(csv('a,b,c\nx,-1,234.50,7%')).toEqual([
      ['a', 'b', 'c'],
      ['x', '-1,234.50', '7%'],
    ])
  })

  it('cuts rows that stay too long, pads short ones, and says so', () => {
    const parsed = parseAnswer('```csv\na,b\nx,y,z\nq\n```')
    expect(parsed).toMatchObject({
      rows: [
        ['x', 'y'],
        ['q', ''],
      ],
    })
    expect(parsed.note).toBe('1 rows longer than the header cut; 1 short rows filled up')
  })

  it('reads unbalanced quotes as text without losing other rows', () => {
    expect(csv('a,b\n"x,1\ny,2')).toEqual([
      ['a', 'b'],
      ['"x', '1'],
      ['y', '2'],
    ])
    expect(csv('a,b\n5" disk,1\n"y, z" ,2')).toEqual([
      ['a', 'b'],
      ['5" disk', '1'],
      ['y, z', '2'],
    ])
    expect(csv('a,b\n"x,1\ny,"2"')).toEqual([
      ['a', 'b'],
      ['"x', '1'],
      ['y', '2'],
    ])
  })

  it('removes BOMs and NULs, and names empty and repeated headers', () => {
    expect(csv('\ufeffa,,a\n1\0,2,3')).toEqual([
      ['a', 'Unnamed: 1', 'a.1'],
      ['1', '2', '3'],
    ])
  })

  it('keeps formulas as text and drops a trailing delimiter', () => {
    expect(csv('a,b,\n=SUM(A1),2,')).toEqual([
      ['a', 'b'],
      ['=SUM(A1)', '2'],
    ])
  })

  it('reads a cell of 100 kB', () => {
    const cell = 'x"y\n'.repeat(25_000)
    expect(table(`\`\`\`csv\na,b\n"${cell.replaceAll('"', '""')}",2\n\`\`\``)).toEqual([
      ['a', 'b'],
      [cell, '2'],
    ])
  })

  it('refuses 40,000 rows with a named reason', () => {
    expect(table(`\`\`\`csv\na,b\n${'1,2\n'.repeat(40_000)}`)).toBe(
      'unreadable: table too large: more than 10000 rows',
    )
  })

  it('refuses tables and texts beyond the other limits with a named reason', () => {
    const row = `${'1,'.repeat(999)}1\n`
    expect(table(`\`\`\`csv\n${row.repeat(400)}`)).toBe(
      'unreadable: table too large: 399000 cells, at most 50000',
    )
    expect(table('```\n'.repeat(5_001))).toBe(
      'unreadable: answer too large: more than 5000 marks of code blocks',
    )
    expect(table(`\`\`\`csv\na,b\n1,${'9'.repeat(100_001)}\n\`\`\``)).toBe(
      'unreadable: table too large: a cell of more than 100000 characters',
    )
  })

  it('reads back any table that it can write', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\n', '中', '；', '|', '-', '1') })
    const rows = fc
      .integer({ min: 2, max: 5 })
      .chain(width =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      )
    fc.assert(
      fc.property(rows, body => {
        const header = body[0]!.map((_, i) => `column ${i}`)
        const parsed = parseAnswer(`text\n\`\`\`csv\n${writeCsv([header, ...body])}\`\`\``)
        expect(parsed).toMatchObject({ status: 'table', header })
        if (parsed.status !== 'table') return
        const expected = body.filter(row => !row.every(value => value === ''))
        expect(parsed.rows.filter(row => !row.every(value => value === ''))).toEqual(expected)
      }),
    )
  })

  it('returns a table, unreadable or none for any text, and never throws', () => {
    const piece = fc.constantFrom(
      '```csv\n',
      '```',
      '"',
      ',',
      '\n',
      '|',
      '|---|---|\n',
      'a',
      '1',
      '<think>',
      '</think>',
      '\ufeff',
      '\0',
      '，',
      '[{',
      ';',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        const parsed = parseAnswer(pieces.join(''))
        expect(['table', 'unreadable', 'none']).toContain(parsed.status)
        if (parsed.status !== 'table') return
        expect(new Set(parsed.header).size).toBe(parsed.header.length)
        for (const row of parsed.rows) expect(row).toHaveLength(parsed.header.length)
      }),
      { numRuns: 500 },
    )
  })
})

describe('lines around a table', () => {
  const rows = [['Alder', '12']]
  it.each([
    ['the separator that Excel names', '```csv\nsep=;\nHotel;Beds\nAlder;12\n```'],
    ['a quotation in Markdown', '> | Hotel | Beds |\n> |---|---|\n> | Alder | 12 |'],
    ['a line of dashes in CSV', '```csv\nHotel,Beds\n-----,----\nAlder,12\n```'],
  ])('are no rows: %s', (_, text) => {
    expect(parseAnswer(text)).toMatchObject({ status: 'table', header: ['Hotel', 'Beds'], rows })
  })

  it('are values in other places', () => {
    expect(parseAnswer('```csv\nHotel,Beds\nAlder,12\n---,---\n```')).toMatchObject({
      rows: [...rows, ['---', '---']],
    })
    expect(parseAnswer('```csv\nHotel,Beds\n> Alder,12\n```')).toMatchObject({ rows: [['> Alder', '12']] })
  })
})
