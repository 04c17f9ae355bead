import { describe, expect, it } from 'vitest'
import { tableFormatNames, writeTables } from '../../../retrieval/table-formats/formats.ts'
import type { DocumentTable } from '../../../src/core/task.ts'
import { readTable } from '../../../src/models/extractive/shown-tables.ts'
import { answerAboutTables } from '../../../src/models/extractive/table-question.ts'

const cave: DocumentTable = {
  name: 'cave',
  columns: ['cave_id', 'owner_id', 'rock_type', 'depth_m', 'note'],
  rows: [
    ['C1', 7, 'limestone', 412, 'wet&cold'],
    ['C2', 8, 'limestone', 96, null],
    ['C3', 7, 'gypsum', 130, "the keeper's, <new>"],
    ['C4', 9, 'salt', 655, 'two | doors'],
  ],
}
const owner: DocumentTable = {
  name: 'owner',
  columns: ['owner_id', 'owner_name'],
  rows: [
    [7, 'Iso Brandel'],
    [8, 'Mira Tolvan'],
    [9, 'Iso Brandel Sons'],
  ],
}
const documents = [cave, owner].map(table => ({
  name: `8k/single/karst/${table.name}`,
  text: writeTables([table], 'markdown'),
}))
const ask = (...questions: string[]) => answerAboutTables(questions, documents)?.items

describe('extractive asked about tables', () => {
  it.each(tableFormatNames.filter(name => !name.includes(':')))('reads a table in the format %s', format => {
    const table = readTable({ name: 'a/cave', text: writeTables([cave], format) })!
    expect(table.columns).toEqual(cave.columns)
    expect(table.rows).toEqual(cave.rows.map(row => row.map(cell => (cell === null ? null : String(cell)))))
  })

  it('leaves out the line where a table was cut', () => {
    const text = writeTables([cave], 'markdown')
    const at = text.indexOf('gypsum')
    const cut = readTable({ name: 'cave', text: `${text.slice(0, at)}\n[...]\n${text.slice(at + 30)}` })!
    expect(cut.rows.map(([id]) => id)).toEqual(['C1', 'C2', 'C4'])
  })

  it('leaves out the record where a JSON table was cut', () => {
    const text = writeTables([cave], 'json')
    const at = text.indexOf('gypsum')
    const cut = readTable({ name: 'cave', text: `${text.slice(0, at)}\n[...]\n${text.slice(at + 30)}` })!
    expect(cut.rows.map(([id]) => id)).toEqual(['C1', 'C2', 'C4'])
  })

  it('leaves other documents to the other rules', () => {
    expect(
      readTable({ name: 'report.pdf', text: 'Annual report:\n| a | b |\n|---|---|\n| 1 | 2 |' }),
    ).toBeNull()
    expect(answerAboutTables(['Which caves?'], [{ name: 'report.pdf', text: 'Caves' }])).toBeNull()
  })

  it('finds rows by exact values', () => {
    expect(ask('Which cave_id belongs to the cave whose rock type is gypsum?')).toEqual(['C3'])
    expect(
      ask(
        'Give the depth m recorded for the cave that has limestone as its rock type and 8 as its owner id.',
      ),
    ).toEqual(['96'])
  })

  it('finds rows by comparisons and by parts of texts', () => {
    expect(
      ask('List the cave_id of every cave whose depth m is at least 130 and whose rock type is limestone.'),
    ).toEqual(['C1'])
    expect(ask('List the cave_id of every cave whose rock type starts with "li".')).toEqual(['C1', 'C2'])
    expect(ask("List the cave_id of every cave whose note contains 'WET' in any case.")).toEqual(['C1'])
  })

  it('counts rows and finds the highest ones', () => {
    expect(ask('How many cave entries are there whose depth m is over 100?')).toEqual(['3'])
    expect(
      ask('Which 2 of the cave entries have the lowest depth m? Give their cave_id, lowest first.'),
    ).toEqual(['C2', 'C3'])
  })

  it('joins tables by a column that both have', () => {
    expect(
      ask('List the cave_id of each cave that belongs to an owner whose owner name is Iso Brandel.'),
    ).toEqual(['C1', 'C3'])
  })

  it('remembers the rows of earlier questions', () => {
    const first = 'List the cave_id of every cave whose rock type is limestone.'
    expect(ask(first, 'And what is their note?')).toEqual(['wet&cold', null])
    expect(
      ask(
        first,
        'Of those, whose depth m is 96? Give the cave_id.',
        'What is the owner name of each of them?',
      ),
    ).toEqual(['Mira Tolvan'])
  })

  it('says when no rule fits a question', () => {
    expect(ask('Is the sky blue?')).toBeNull()
    expect(ask('The cave with cave_id C1 is on record. Do the tables support this statement?')).toBeNull()
  })
})
