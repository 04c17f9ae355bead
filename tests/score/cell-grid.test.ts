import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPandasGrid } from '../../src/run/score-files/csv-grid.ts'
import { readJsonGrid } from '../../src/run/score-files/json-grid.ts'
import { readPandasCsv } from '../../src/score/pandas/csv.ts'
import { type CellGrid, readCellText } from '../../src/score/table/cell-grid.ts'
import { createGoldGrid } from '../../src/score/table/gold-table.ts'
import { parsePythonJson, writePythonNumber } from '../../src/text/python-json.ts'

const cellsOf = (grid: CellGrid): string[][] =>
  Array.from({ length: grid.rowCount }, (_, row) =>
    grid.header.map((_, column) => readCellText(grid, row, column)),
  )

const literalText = (word: string): string =>
  word === 'null' ? '' : word === 'true' ? 'True' : word === 'false' ? 'False' : writePythonNumber(word)
const readJson = (text: string, start = 0, withoutControls = false) =>
  readJsonGrid(text, start, { literalText, withoutControls })

it('keeps every cell of a table that exceeds the initial capacity', () => {
  const rows = Array.from({ length: 1_000 }, (_, row) => [`${row}`, `of ${row}`])
  const json = readJson(JSON.stringify(rows.map(([a, b]) => ({ a, b }))))
  expect(cellsOf(json!.grid)).toEqual(rows)
})

const cell = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('甲公司', '1,234', '', '-5', 'a "b"', '😀', 'x\ny', '\\'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)
const rowsOf = (value: fc.Arbitrary<unknown>) =>
  fc
    .uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
    .chain(names =>
      fc.array(fc.record(Object.fromEntries(names.map(name => [name, value]))), { maxLength: 5 }),
    )

describe('a JSON list read as a grid', () => {
  it('has the cells of its objects, or is null so that the list is parsed (2,000 lists)', () => {
    let read = 0
    fc.assert(
      fc.property(rowsOf(cell), fc.constantFrom(undefined, 1, '\t'), (rows, space) => {
        const text = `[${JSON.stringify(rows, null, space)}, 1]`
        const result = readJson(text, 1)
        if (result === null) return
        read += 1
        const gold = createGoldGrid(parsePythonJson(JSON.stringify(rows)) as Record<string, unknown>[])
        expect(text.slice(result.end)).toBe(', 1]')
        expect(new Set(result.grid.header)).toEqual(new Set(gold.header))
        expect(result.grid.rowCount).toBe(gold.rowCount)
        for (let row = 0; row < gold.rowCount; row += 1) {
          for (const [column, name] of gold.header.entries()) {
            expect(readCellText(result.grid, row, result.grid.header.indexOf(name))).toBe(
              readCellText(gold, row, column),
            )
          }
        }
      }),
      { numRuns: 2000, seed: 7 },
    )
    expect(read).toBeGreaterThan(500)
  })

  it('is used when all rows have the same form, with any spacing, with numbers as Python prints them', () => {
    expect(cellsOf(readJson('[{"a": "x", "b": 5.0}, {"a": "甲", "b": null}]')!.grid)).toEqual([
      ['x', '5.0'],
      ['甲', ''],
    ])
    expect(cellsOf(readJson('[\n {\n  "a": 9007199254740993,\n  "b": true\n }\n]')!.grid)).toEqual([
      ['9007199254740993', 'True'],
    ])
  })

  it('is null when rows differ, cells contain lists or escapes, names repeat, or the text is not JSON', () => {
    const others = [
      '[]',
      '[1]',
      '[{}]',
      '[{"a": "x"}, {"b": "y"}]',
      '[{"a": "x", "b": "y"}, {"b": "y", "a": "x"}]',
      '[{"a": "x"}, {"a": ["y"]}]',
      '[{"a": "x\\n"}]',
      '[{"a": "x\\"", "b": "y"}]',
      '[{"a": "x", "a": "y"}]',
      '[{"a": "x\ny"}]',
      '[{"a": "x"}, ]',
      '[{"a": "x"} {"a": "y"}]',
      '[{"a": "x"}, {"a": 01}]',
      '[{"a": nulls}]',
      '[{"a": "x"',
      '[{"a" "x"}]',
      '[,"a": "x"}]',
    ]
    for (const text of others) expect(readJson(text), text).toBeNull()
  })
})

describe('a CSV read as a grid', () => {
  it('has the same cells as readPandasCsv (5,000 texts)', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '1,2',
      '"',
      '""',
      ',',
      '\n',
      '\r',
      '\r\n',
      ' ',
      '\t',
      '甲',
      '"x"',
      '"x\ny"',
      '\0',
      '\ufeff',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), pieces => {
        const text = pieces.join('')
        const reading = readPandasCsv(text)
        const grid = readPandasGrid(text)
        if ('error' in reading) {
          expect(grid).toEqual(reading)
          return
        }
        if ('error' in grid) throw new Error(grid.error)
        expect([grid.header, ...cellsOf(grid)]).toEqual([reading.table.header, ...reading.table.rows])
      }),
      { numRuns: 5000, seed: 7 },
    )
  })
})
