import { describe, expect, it } from 'vitest'
import { chunkDocument } from '../../retrieval/chunk.ts'
import { tableAwareSplitter } from '../../retrieval/splitters.ts'

const rows = Array.from({ length: 60 }, (_, row) => `Line item number ${row}\t${row},100\t${row},200`)
const table = [
  'Balance sheet',
  '(in millions)',
  'December 27,\tJune 28,',
  '2024\t2023',
  'ASSETS:',
  ...rows,
].join('\n')
const prose = Array.from(
  { length: 20 },
  (_, n) => `Sentence ${n} says something of interest to the reader.`,
).join(' ')
const chunksOf = async (text: string) =>
  (await chunkDocument({ hint: 'x', sha256: null, text, problem: null }, tableAwareSplitter())).chunks

describe('tableAwareSplitter', () => {
  it('cuts no row and repeats the title and header before every chunk of a table', async () => {
    const chunks = await chunksOf(`${prose}\n\n${table}\n\n${prose}`)
    const tables = chunks.filter(chunk => chunk.text.includes('Line item'))
    expect(tables.length).toBeGreaterThan(2)
    for (const chunk of tables) {
      expect(chunk.text).toMatch(/^Balance sheet\n\(in millions\)\nDecember 27,\tJune 28,\n2024\t2023\n/)
      expect(chunk.text).not.toContain('Sentence')
      for (const line of chunk.text.split('\n').slice(5)) expect(rows).toContain(line)
    }
    expect(tables.flatMap(chunk => chunk.text.split('\n').slice(5))).toEqual(rows)
  })

  it('includes the whole text', async () => {
    const text = `${prose}\n\n${table}\nNote to the table.\n${table}\n\n${prose}`
    let reached = 0
    for (const chunk of await chunksOf(text)) {
      expect(chunk.text.endsWith(text.slice(chunk.start, chunk.end))).toBe(true)
      expect(text.slice(reached, Math.max(reached, chunk.start)).trim()).toBe('')
      reached = Math.max(reached, chunk.end)
    }
    expect(text.slice(reached).trim()).toBe('')
  })

  it.each([
    [1, 'REVENUES:', true],
    [2, 'Property and equipment, less accumulated', true],
    [3, 'A line of text', false],
    [1, 'x'.repeat(90), true],
    [1, 'x'.repeat(91), false],
  ])('keeps %i lines %j between two rows in the table: %s', async (count, line, isKept) => {
    const between = Array.from({ length: count }, () => line)
    const chunks = await chunksOf(
      [prose, '', ...rows.slice(0, 5), ...between, ...rows.slice(5, 10)].join('\n'),
    )
    const tables = chunks.filter(chunk => chunk.text.includes('Line item'))
    expect(tables.some(chunk => chunk.text.includes(rows[4]!) && chunk.text.includes(rows[5]!))).toBe(isKept)
  })

  it('keeps two rows together as a table, and one row with a gap in the prose', async () => {
    const rowsOf = (count: number): string => rows.slice(0, count).join('\n')
    const text = (count: number): string =>
      `${prose.slice(0, 120)}\n\n${rowsOf(count)}\n\n${prose.slice(0, 120)}`
    expect(await chunksOf(text(1))).toHaveLength(1)
    expect((await chunksOf(text(2))).length).toBeGreaterThan(1)
  })

  it('reads Markdown tables as tables', async () => {
    const markdown = ['| Item | 2024 |', '|---|---|', ...rows.map((_, n) => `| 项目${n} | ${n},000 |`)].join(
      '\n',
    )
    const chunks = await chunksOf(`${prose}\n\n${markdown}\n`)
    const tables = chunks.filter(chunk => chunk.text.includes('项目'))
    for (const chunk of tables) expect(chunk.text.startsWith('| Item | 2024 |\n|---|---|\n')).toBe(true)
  })

  it('repeats all rows of a head, whose further rows are below the line of dashes', async () => {
    const head = '|  | Three months ended |  |\n| --- | --- | --- |\n|  | 2024 | 2023 |\n'
    const markdown = `${head}${rows.map((_, n) => `| 项目${n} | ${n},000 | ${n},100 |`).join('\n')}`
    const chunks = (await chunksOf(`${prose}\n\n${markdown}\n`)).filter(chunk => chunk.text.includes('项目'))
    expect(chunks.length).toBeGreaterThan(1)
    for (const chunk of chunks) expect(chunk.text.startsWith(head)).toBe(true)
  })

  it('keeps a row that is longer than a chunk whole', async () => {
    const long = `Label\t${'word '.repeat(500)}\t5`
    const chunks = await chunksOf(`Label\tText\tValue\nA\tb\t1\n${long}\nC\td\t2`)
    expect(chunks.some(chunk => chunk.text.includes(long))).toBe(true)
  })
})
