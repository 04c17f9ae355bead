import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readLabels } from '../../../src/models/extractive/labels.ts'
import { packageRoot } from '../../../src/system/paths.ts'
import { answered } from './answered.ts'
import { hostilePieces, hostileQuestions } from './hostile-texts.ts'

const folder = join(packageRoot, 'src/models/extractive')
const json = readFileSync(join(folder, 'labels.json'), 'utf8')

/** Returns labels.json with another value at a path. */
function changed(place: readonly (string | number)[], value: unknown): string {
  const labels: unknown = JSON.parse(json)
  let part = labels
  for (const step of place.slice(0, -1)) part = Reflect.get(part as object, step)
  Reflect.set(part as object, place.at(-1)!, value)
  return JSON.stringify(labels)
}

describe('labels.json', () => {
  it('is valid', () => {
    expect(readLabels(json).kinds.length).toBeGreaterThan(5)
  })

  it('is shipped with the package', () => {
    const { files } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
    expect(files).toContain('src/models/extractive/labels.json')
  })

  const slips: [string, (string | number)[], unknown, RegExp][] = [
    ['a bracket that never closes', ['kinds', 0, 'question'], 'lender(s', /kinds\[0\]\.question/],
    ['an unknown word', ['words', 'tail'], '{compnay}', /words\.tail/],
    ['an unknown way', ['kinds', 0, 'columns', 'Filename'], [['name', 'frist', 'x']], /columns\.Filename/],
    ['an unknown text', ['kinds', 0, 'columns', 'Filename'], [['nmae', 'first', 'x']], /columns\.Filename/],
    ['an unknown key', ['kinds', 0, 'colums'], {}, /colums/],
  ]
  for (const [slip, place, value, named] of slips) {
    it(`is refused with ${slip}, and the error names the entry`, () => {
      expect(() => readLabels(changed(place, value))).toThrow(
        expect.objectContaining({ code: 'invalid-labels', message: expect.stringMatching(named) }),
      )
    })
  }
})

describe('a hostile text', () => {
  it.each(hostileQuestions)('is answered: %s', question => {
    for (const piece of hostilePieces)
      expect(answered(question, ['a-2023.pdf', piece.repeat(20_000 / piece.length)]).length).toBeGreaterThan(
        0,
      )
  })
})

describe('a question of a known kind', () => {
  const kinds: [string, string][] = [
    ['Assess the operating performance of these companies based on the reports.', 'Revenue (USD)'],
    ['Compare profit per employee and the revenue of these companies.', 'Revenue (USD)'],
    ['Which jobs did each candidate hold at which company?', 'Employer'],
    ['List the accuracy of the methods on Bench-1.', 'method'],
    ['Who lent? List each lender of the credit agreements.', 'Lender'],
    ['Give every athlete and time.', 'Athlete'],
    ['请分析下列公司的偿债能力。', '资产负债率(%)'],
  ]
  for (const [question, column] of kinds) {
    it(`is answered with the columns of its kind: ${question}`, () => {
      expect(Object.keys(answered(question, ['a.pdf', ''])[0] ?? {})).toContain(column)
    })
  }
})

describe('a question of no known kind', () => {
  it('is answered with one row for each document', () => {
    const rows = answered('What colour is it?', ['a.pdf', 'A Blue Book\n\nIt is blue.'], ['b.pdf', ''])
    expect(rows.map(row => row.Filename)).toEqual(['a.pdf', 'b.pdf'])
  })

  it('is answered by the kind of its documents', () => {
    const text = 'Consolidated balance sheets\nUnit: CNY\nItem\t2023\t2022\nTotal assets\t5\t4'
    expect(answered('Tabulate.', ['a.pdf', text])[0]).toMatchObject({ 'Total Assets (CNY)': '5' })
  })

  it('has a row for each document when no rule finds a row', () => {
    expect(answered('List every author', ['a.pdf', ''], ['b.pdf', ''])).toMatchObject([
      { Filename: 'a.pdf', Author: null },
      { Filename: 'b.pdf', Author: null },
    ])
  })
})
