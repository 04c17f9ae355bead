import { describe, expect, it } from 'vitest'
import { exampleTable, promptExamples } from '../../src/core/prompts.ts'
import { parseAnswer, parseAttemptAnswer } from '../../src/score/answer/parse-answer.ts'

const fenced = (...lines: string[]): string => `\`\`\`csv\n${lines.join('\n')}\n\`\`\``
const read = (text: string) => {
  const parsed = parseAttemptAnswer(text)
  return parsed.status === 'table' ? { rows: [parsed.header, ...parsed.rows], note: parsed.note } : parsed
}
const hotels = [
  ['Hotel', 'Rooms'],
  ['Seaview', '128'],
]

describe("a copied line of the prompt's example", () => {
  const tables = Object.values(promptExamples).flatMap(example =>
    (['first', 'last', 'none'] as const).map(column => exampleTable(example, column)),
  )
  const line = (fields: readonly string[]): string =>
    fields.map(field => (field.includes(',') ? `"${field}"` : field)).join(',')

  it.each(tables.map(table => [line(table[0]!), table] as const))(
    'is removed above the real header: %s',
    (header, [, row = []]) => {
      const answer = fenced(header, 'Hotel,Rooms', 'Seaview,128', line(row))
      expect(read(answer)).toEqual({ rows: hotels, note: "2 lines of the prompt's example left out" })
      expect(parseAnswer(answer)).not.toMatchObject({ header: ['Hotel', 'Rooms'] })
    },
  )

  it.each(['first column,second column', 'First column,second column,third column', '第一列,第二列'])(
    'is recognised in the form of prompt version 1: %s',
    header => {
      expect(read(fenced(header, 'Hotel,Rooms', 'Seaview,128'))).toMatchObject({ rows: hotels })
    },
  )

  it('stays when the line below it may be a row', () => {
    for (const lines of [
      ['first column,second column', 'Seaview,128'],
      ['first column,second column', 'Seaview,128', 'Old Mill,42'],
      ['first column,second column', 'Seaview,Westmere', 'Old Mill,Carrick'],
    ])
      expect(read(fenced(...lines))).toMatchObject({ rows: lines.map(row => row.split(',')) })
  })

  it('never becomes a table by itself, and never hides the table before it', () => {
    const example = fenced(...exampleTable(promptExamples.en, 'last').map(line))
    expect(read(example)).toEqual({ status: 'unreadable', note: "nothing but the prompt's example" })
    expect(read(`${fenced('Hotel,Rooms', 'Seaview,128')}\nAs in:\n${example}`)).toMatchObject({
      rows: hotels,
    })
  })
})

describe('a number that a missing quote split', () => {
  const header = 'Route,Minutes,Vehicles'
  it('is joined when one way fits, also with a unit after it', () => {
    expect(read(fenced(header, 'Arden,45,51,700'))).toEqual({
      rows: [header.split(','), ['Arden', '45', '51,700']],
      note: '1 rows with unquoted thousands joined',
    })
    expect(read(fenced(header, 'Arden,45,51,700 euros'))).toMatchObject({
      rows: [header.split(','), ['Arden', '45', '51,700 euros']],
    })
  })

  it('is joined under the real header when the example precedes it', () => {
    expect(read(fenced('first column,second column', header, 'Arden,45,51,700'))).toMatchObject({
      rows: [header.split(','), ['Arden', '45', '51,700']],
    })
  })

  it('is not joined when several ways fit', () => {
    expect(read(fenced(header, 'Arden,45,214,300'))).toMatchObject({
      rows: [header.split(','), ['Arden', '45', '214']],
      note: '1 rows longer than the header cut',
    })
  })

  it('is not joined when no quote is missing', () => {
    const joins = (...lines: string[]) =>
      ((read(fenced(...lines)) as { note?: string | null }).note ?? '').includes('joined')
    // The empty end is one field too many.
    expect(read(fenced(header, 'Arden,51,700,'))).toMatchObject({
      rows: [header.split(','), ['Arden', '51', '700']],
    })
    // A number with thousands never starts with 0.
    expect(joins(header, 'Arden,45,0,700')).toBe(false)
    // These fields are not separated by commas.
    expect(joins('Route;Minutes;Vehicles', 'Arden;45;51;700')).toBe(false)
    expect(joins('| Route | Minutes |', '| --- | --- |', '| Arden | 51 | 700 |')).toBe(false)
  })
})
