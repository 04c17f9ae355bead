import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { joinPages } from '../../src/core/document.ts'
import { smallPdf } from './small-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'tables-'))
const reader = createDocumentReader({ cacheFolder: folder })

afterAll(async () => {
  await reader.close()
  rmSync(folder, { recursive: true, force: true })
})

const textOf = async (content: string): Promise<string> =>
  joinPages((await reader.read(smallPdf([content]), 'tables.pdf')).pages)

/** Draws a text that begins at `x`. */
const draw = (x: number, y: number, text: string): string =>
  `BT /F1 10 Tf ${x} ${y} Td (${text.replace(/[\\()]/g, character => `\\${character}`)}) Tj ET\n`

/** Draws digits that end at `right`. In Helvetica at 10 points, a digit is 5.56 points wide and a comma 2.78. */
const drawRight = (right: number, y: number, text: string): string => {
  const width = [...text].reduce((sum, sign) => sum + (/[,.]/.test(sign) ? 2.78 : 5.56), 0)
  return draw(right - width, y, text)
}

const rule = (x0: number, y0: number, x1: number, y1: number): string =>
  `0.5 w ${x0} ${y0} m ${x1} ${y1} l S\n`

/** Draws rows of a label and values, 14 points apart, the values at the right edges of their columns. */
const drawRows = (top: number, rows: readonly (readonly string[])[], edges: readonly number[]): string =>
  rows
    .flatMap(([label, ...values], at) => [
      draw(50, top - 14 * at, label!),
      ...values.flatMap((value, column) =>
        value === '' ? [] : [drawRight(edges[column]!, top - 14 * at, value)],
      ),
    ])
    .join('')

const rows = [
  ['Revenue', '1,200', '1,100', '980'],
  ['Other income', '', '12', ''],
  ['Cost of sales', '700', '650', '600'],
  ['Grants', '', '', '15'],
  ['Total', '500', '462', '395'],
]
const edges = [300, 400, 500]
const body = [
  '| Revenue | 1,200 | 1,100 | 980 |',
  '| Other income |  | 12 |  |',
  '| Cost of sales | 700 | 650 | 600 |',
  '| Grants |  |  | 15 |',
  '| Total | 500 | 462 | 395 |',
]

describe('tables without vertical rules', () => {
  it('are no contents where whole numbers stand before ascending ones', async () => {
    const counts = ['Alder', 'Birch', 'Cedar', 'Elm', 'Fir', 'Hazel'].map((name, at) => [
      name,
      at === 2 ? '' : String(at + 4),
      String(3 * at + 5),
    ])
    const text = await textOf(drawRows(700, counts, [300, 400]))
    expect(text).toContain('| Cedar |  | 11 |')
  })

  const head = draw(280, 714, '2023') + draw(380, 714, '2022') + draw(480, 714, '2021')

  it('keep empty cells, and their values in their columns', async () => {
    expect(await textOf(head + drawRows(700, rows, edges))).toBe(
      ['|  | 2023 | 2022 | 2021 |', '| --- | --- | --- | --- |', ...body].join('\n'),
    )
  })

  it('leave titles, units and notes around them as lines', async () => {
    const title = draw(240, 742, 'Statement of earnings') + draw(252, 728, '(in thousands)')
    const note = draw(
      50,
      610,
      'See the notes to the accounts on the pages that follow this statement of earnings.',
    )
    const lines = (await textOf(title + head + drawRows(700, rows, edges) + note)).split('\n')
    expect(lines.slice(0, 3)).toEqual([
      'Statement of earnings',
      '(in thousands)',
      '|  | 2023 | 2022 | 2021 |',
    ])
    expect(lines.at(-2)).toBe(body.at(-1))
    expect(lines.at(-1)).toMatch(/^See the notes/)
  })

  it('have heads of several rows, each text over its first column', async () => {
    const groups =
      draw(290, 730, 'Three months ended') +
      rule(260, 727, 410, 727) +
      draw(460, 730, 'Year') +
      rule(460, 727, 510, 727)
    expect((await textOf(groups + head + drawRows(700, rows, edges))).split('\n').slice(0, 3)).toEqual([
      '|  | Three months ended |  | Year |',
      '| --- | --- | --- | --- |',
      '|  | 2023 | 2022 | 2021 |',
    ])
  })

  it('end at the rule above their head: titles with cells of their own are no part of it', async () => {
    const title =
      draw(50, 740, 'Event: 15') +
      draw(180, 740, 'MEN') +
      draw(260, 740, 'Freestyle') +
      draw(430, 740, 'WR 40.72')
    const table = [
      title,
      rule(45, 730, 520, 730),
      draw(50, 716, 'Rank') +
        draw(100, 716, 'Name') +
        draw(200, 716, 'Born') +
        draw(250, 716, 'Team') +
        draw(405, 716, 'Time'),
      rule(45, 710, 520, 710),
      draw(50, 695, '1') + draw(100, 695, 'Ada Adams') + draw(200, 695, '1933') + draw(250, 695, 'Harbour'),
      draw(405, 686, '44.01'),
      draw(50, 665, '2') +
        draw(100, 665, 'Bo Berg') +
        draw(200, 665, '1930') +
        draw(250, 665, 'The Long Distance Swimmers of Aarhus'),
      draw(405, 656, '45.80'),
      draw(50, 635, '3') + draw(100, 635, 'Cy Cole') + draw(200, 635, '1931') + draw(250, 635, 'North'),
      draw(405, 626, '46.12'),
    ]
    expect(await textOf(table.join(''))).toBe(
      [
        'Event: 15\tMEN\tFreestyle\tWR 40.72',
        '| Rank | Name | Born | Team | Time |',
        '| --- | --- | --- | --- | --- |',
        '| 1 | Ada Adams | 1933 | Harbour | 44.01 |',
        '| 2 | Bo Berg | 1930 | The Long Distance Swimmers of Aarhus | 45.80 |',
        '| 3 | Cy Cole | 1931 | North | 46.12 |',
      ].join('\n'),
    )
  })

  it('join the lines of a label, and divide values at narrow gaps', async () => {
    const table = [
      draw(50, 700, 'Interest on funds held for'),
      draw(50, 690, 'clients') + drawRight(300, 690, '16,782') + drawRight(330, 690, '156.6'),
      draw(50, 674, 'Rent') + drawRight(300, 674, '9,640') + drawRight(330, 674, '88.1'),
      draw(50, 658, 'Fees') + drawRight(300, 658, '12,005') + drawRight(330, 658, '91.0'),
      draw(50, 642, 'Gifts') + drawRight(300, 642, '210') + drawRight(330, 642, '7.5'),
    ]
    expect((await textOf(table.join(''))).split('\n').filter((_, at) => at !== 1)).toEqual([
      '| Interest on funds held for clients | 16,782 | 156.6 |',
      '| Rent | 9,640 | 88.1 |',
      '| Fees | 12,005 | 91.0 |',
      '| Gifts | 210 | 7.5 |',
    ])
  })
})

describe('tables between rules', () => {
  const grid = [
    ...[700, 680, 660, 630, 610].map(y => rule(50, y, 450, y)),
    ...[50, 200, 325, 450].map(x => rule(x, 610, x, 700)),
  ].join('')

  it('have the text of each cell in one row, empty cells among them', async () => {
    const texts = [
      draw(55, 686, 'Item') + draw(205, 686, 'Owner') + draw(330, 686, 'Price'),
      draw(55, 666, 'Boat') + draw(330, 666, '120'),
      draw(55, 648, 'House') +
        draw(205, 648, 'The council of') +
        draw(205, 636, 'the town') +
        draw(330, 648, '9,400'),
      draw(55, 616, 'Tree') + draw(205, 616, 'Nobody'),
    ]
    expect(await textOf(grid + texts.join(''))).toBe(
      [
        '| Item | Owner | Price |',
        '| --- | --- | --- |',
        '| Boat |  | 120 |',
        '| House | The council of the town | 9,400 |',
        '| Tree | Nobody |  |',
      ].join('\n'),
    )
  })

  it('keep a bar in a cell apart from the bars between cells', async () => {
    const texts = draw(55, 686, 'a|b') + draw(205, 686, 'c') + draw(55, 666, 'd') + draw(330, 666, 'e')
    expect((await textOf(grid + texts)).split('\n')[0]).toBe('| a\\|b | c |  |')
  })
})

describe('what has common edges but is no table stays lines', () => {
  const prose = (x: number): string =>
    Array.from({ length: 8 }, (_, at) =>
      draw(x, 700 - 12 * at, `The harbour of line ${at} is deep and the boats`),
    ).join('')

  it.each([
    ['prose in two columns', prose(50) + prose(320)],
    [
      'a table of contents',
      Array.from(
        { length: 8 },
        (_, at) =>
          draw(50, 700 - 14 * at, `Section ${at + 1}.0 Terms`) +
          drawRight(520, 700 - 14 * at, String(3 + 4 * at)),
      ).join(''),
    ],
    [
      'a numbered table of contents',
      Array.from(
        { length: 8 },
        (_, at) =>
          draw(50, 700 - 14 * at, `1.${at + 1}`) +
          draw(90, 700 - 14 * at, 'Conditions of the loan') +
          drawRight(520, 700 - 14 * at, String(3 + 4 * at)),
      ).join(''),
    ],
    [
      'a list with marks',
      Array.from(
        { length: 6 },
        (_, at) =>
          draw(50, 700 - 14 * at, `(${'abcdef'[at]!})`) + draw(90, 700 - 14 * at, 'the parties agree that'),
      ).join(''),
    ],
    [
      'the authors of a title page',
      ['Ada Adams', 'Harbour School', 'ada@harbour.test']
        .map((text, at) => [60, 250, 440].map(x => draw(x, 700 - 14 * at, text)).join(''))
        .join(''),
    ],
    [
      'the parts of formulas',
      Array.from(
        { length: 6 },
        (_, at) =>
          draw(50 + 13 * at, 700 - 13 * at, 'x') +
          draw(110 + 17 * (at % 3), 700 - 13 * at, 'y') +
          draw(190 + 23 * (at % 4), 700 - 13 * at, '2'),
      ).join(''),
    ],
    [
      'the fields of a form',
      ['Name', 'Street', 'Town', 'Signature']
        .map((text, at) => draw(50, 700 - 24 * at, `${text}:`) + draw(150, 700 - 24 * at, '_'.repeat(40)))
        .join(''),
    ],
    [
      'the heading of each page',
      draw(50, 760, '03/11/2025, 17:52') + draw(300, 760, 'archive.test/contract') + prose(50),
    ],
  ])('%s', async (_, content) => {
    expect(await textOf(content)).not.toContain('| --- |')
  })
})

/** Draws a small raised or lowered mark. */
const drawMark = (x: number, y: number, text: string): string =>
  `BT /F1 6 Tf ${x} ${y} Td (${text.replace(/[\\()]/g, character => `\\${character}`)}) Tj ET\n`

describe('marks that are drawn after all figures of a table', () => {
  const table = drawRows(700, rows, edges)
  it.each([
    ['a note', drawMark(300, 704, '1'), '| Revenue | 1,200¹ | 1,100 | 980 |'],
    ['a note in brackets', drawMark(400, 704, '(2)'), '| Revenue | 1,200 | 1,100⁽²⁾ | 980 |'],
    ['a letter', drawMark(500, 704, 'a'), '| Revenue | 1,200 | 1,100 | 980^a |'],
    ['a lowered figure', drawMark(300, 697.5, '2'), '| Revenue | 1,200₂ | 1,100 | 980 |'],
  ])('are in the cell beside which they are printed: %s', async (_what, mark, row) => {
    expect((await textOf(table + mark)).split('\n')[0]).toBe(row)
  })

  it('stay apart when they are beside nothing', async () => {
    expect(await textOf(table + drawMark(330, 704, '1'))).not.toContain('¹')
  })
})

describe('lines around a table', () => {
  it.each([
    ['a sentence with a number at its end', 'The group sold all of its shares in July 2024.'],
    [
      'a sentence over the columns',
      'The board proposes a dividend of CNY 3.11 for each of all shares held in March',
    ],
    ['the unit of the values', 'Unit: CNY thousand'],
    ['the unit in words', '(in thousands of euros)'],
    ['the unit with a currency', 'Amounts in EUR million'],
  ])('are no rows: %s', async (_what, line) => {
    const head = draw(280, 714, '2023') + draw(380, 714, '2022') + draw(480, 714, '2021')
    const text = await textOf(
      draw(line.length > 30 ? 50 : 400, 730, line) + head + drawRows(700, rows, edges),
    )
    expect(text.split('\n').slice(0, 2)).toEqual([line, '|  | 2023 | 2022 | 2021 |'])
  })
})

describe('figures without a head, labels or units', () => {
  const draws = (values: readonly (readonly string[])[]): string =>
    values
      .flatMap((row, at) => row.map((text, column) => drawRight(edges[column]!, 700 - 14 * at, text)))
      .join('')

  it.each([
    [
      'values over bars',
      [
        ['568', '596', '613'],
        ['473', '499', '506'],
        ['398', '413', '431'],
        ['512', '540', '561'],
      ],
    ],
    [
      'two series',
      [
        ['1151', '1171'],
        ['1122', '1139'],
        ['988', '1002'],
        ['740', '735'],
      ],
    ],
  ])('are the labels of a chart: %s', async (_what, values) => {
    expect(await textOf(draws(values))).not.toContain('|')
  })

  it.each([
    [
      'years',
      [
        ['2021', '596', '613'],
        ['2022', '499', '506'],
        ['2023', '413', '431'],
      ],
    ],
    [
      'numbers in order',
      [
        ['1', '596', '613'],
        ['2', '499', '506'],
        ['3', '413', '431'],
      ],
    ],
  ])('are a table with %s', async (_what, values) => {
    expect(await textOf(draws(values))).toContain(`| ${values[0]!.join(' | ')} |`)
  })
})
