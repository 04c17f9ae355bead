import { describe, expect, it } from 'vitest'
import { rulesJudge } from '../../../src/score/contract/judge.ts'
import { compareStrictly } from '../../../src/score/strict/compare.ts'
import { rateStrictly } from '../../../src/score/strict/rate-cell.ts'
import { readGoldTable } from '../../../src/score/table/gold-table.ts'
import { compareAsPaper } from '../../../tasks/aoe/compare-as-paper.ts'

/** Whether a cell is right. */
const isRight = (column: string, gold: string, predicted: string, numeric = false): boolean =>
  rateStrictly(gold, predicted, { gold: column, predicted: column, numeric })?.score === 1

/** Which gold key each key of the answer is matched with. */
async function matchedKeys(
  compare: typeof compareStrictly,
  keys: readonly string[],
  answers: readonly string[],
): Promise<Record<string, string>> {
  const rows = keys.map((Name, at) => ({ Name, V: String(at) }))
  const gold = readGoldTable({ keyColumns: ['Name'], targetColumns: ['V'], numericColumns: ['V'], rows })
  const answer = { header: ['Name', 'V'], rows: answers.map((key, at) => [key, String(at)]) }
  const { matchOf } = await compare({ gold, answer, judge: rulesJudge })
  return Object.fromEntries(
    keys.flatMap((key, goldRow) => {
      const match = matchOf(goldRow)
      return match === null ? [] : [[answers[match.row]!, key]]
    }),
  )
}

describe('strict numbers', () => {
  // docs/scoring: equal within 1e-6 plus 1e-5 of the gold value.
  it.each([
    ['100000.5', '100001.5', true],
    ['100000.5', '99999.5', true],
    ['100000.5', '100002.5', false],
    // Whole numbers may be codes: all their digits count.
    ['100000', '100001', false],
    ['0', '0.000001', true],
    ['0', '0.000003', false],
    ['1', '1.00001', true],
    ['1', '1.00002', false],
  ])('%s and %s are equal: %s', (gold, predicted, isEqual) => {
    expect(isRight('Value', gold, predicted, true)).toBe(isEqual)
  })
})

describe.each([
  ['strict', compareStrictly],
  ['paper', compareAsPaper],
] as const)('keys under %s', (_, compare) => {
  it.each([
    ['St Mary', 'St. Mary'],
    ['us', 'US'],
    ['a/x.pdf', 'b/x.pdf'],
    ['Alpha Beta', 'alpha-beta'],
    ['AA', 'AA-'],
    ['AA+', 'AA-'],
    ['O', 'O-'],
    ['Rh+', 'Rh-'],
    ['A', 'A*'],
    ['C++', 'C#'],
    ['C', 'C++'],
    ['a*b', 'a/b'],
    ['$5', '€5'],
    ['10%', '10'],
    ['Long-term issuer rating AA', 'Long-term issuer rating AA-'],
    ['Coupon of the senior notes 5%', 'Coupon of the senior notes 5'],
  ])('matches %s and %s with themselves, in any order of the gold', async (left, right) => {
    for (const keys of [
      [left, right],
      [right, left],
    ])
      for (const answers of [[left], [right], [left, right], [right, left]])
        expect(await matchedKeys(compare, keys, answers)).toEqual(
          Object.fromEntries(answers.map(key => [key, key])),
        )
  })
})

describe('integers', () => {
  it.each([
    ['ISBN', '9783161484100', '9783161484101'],
    ['Case', '20240100017', '20240100018'],
    ['Account', '12345678901234567890', '12345678901234567891'],
    ['Population', '8,336,817', '8336818'],
    ['Price', '$1,000,000', '$1,000,005'],
    ['Revenue (USD millions)', '1000000', '1000005'],
  ])('of %s are equal exactly: %s is not %s', (column, gold, predicted) => {
    expect(isRight(column, gold, predicted)).toBe(false)
    expect(isRight(column, gold, predicted, true)).toBe(false)
    expect(isRight(column, gold, gold)).toBe(true)
  })

  it.each([
    ['8336817', '8,336,817'],
    ['1000000.0', '1000000.1'],
    ['14203517', '1.42035e7'],
    ['14203517', '14.2035 million'],
    ['0', '-0'],
    ['36', '36.0'],
  ])('%s is %s', (gold, predicted) => {
    expect(isRight('Value', gold, predicted)).toBe(true)
  })
})

describe('letters of units', () => {
  it.each([
    ['500 mL', '500 ML'],
    ['500 ml', '500 ML'],
    ['0.5 L', '500 ML'],
    ['2 GL', '2000 ML'],
    ['500 mg', '500 MG'],
    ['5 kWh', '5 KWH'],
    ['5 hPa', '5 HPA'],
  ])('in capitals mean the same where no other unit is likelier: %s is %s', (gold, predicted) => {
    expect(isRight('Value', gold, predicted)).toBe(true)
    expect(isRight('Value', predicted, gold, true)).toBe(true)
  })

  it.each([
    ['5 MWh', '5 mWh'],
    ['5 MPa', '5 mPa'],
    ['5 mg', '5 Mg'],
    ['5 mM', '5 M'],
    ['5 mM', '5 mm'],
    ['5 mM', '5 µM'],
    ['5 mN', '5 MN'],
    ['5 kN', '5 kn'],
    ['5 pA', '5 Pa'],
    ['5 mS', '5 ms'],
    ['5 MeV', '5 meV'],
    ['5 MBq', '5 mBq'],
    ['5 mT', '5 Mt'],
    ['5 Mm', '5 mm'],
    ['5 Pb', '5 PB'],
    ['0.1 µm', '0.2 µm'],
    ['5 ng', '5 pg'],
    ['$12', '12 kg'],
  ])('%s is not %s', (gold, predicted) => {
    expect(isRight('Value', gold, predicted)).toBe(false)
    expect(isRight('Value', predicted, gold)).toBe(false)
    expect(isRight('Value', gold, gold)).toBe(true)
  })

  it.each([
    ['Force (MN)', '1', '1 mN', false],
    ['Force (MN)', '1', '1 MN', true],
    ['Force (MN)', '1', '1000 kN', true],
    ['Force (kN)', '1', '1 MN', false],
    ['Revenue (USD MN)', '1', 'USD 1 million', true],
    ['Revenue', '5 MN', '5000000', true],
    ['Revenue', '5 mn', '5,000,000', true],
    ['Energy (MWh)', '1', '1 mWh', false],
    ['Frequency (MHz)', '1', '1 mHz', false],
    ['Distance', '5 KM', '5 km', true],
    ['Energy', '5 MWH', '5 MWh', true],
  ])('under %s %s against %s: %s', (column, gold, predicted, expected) => {
    expect(isRight(column, gold, predicted, !gold.includes(' '))).toBe(expected)
  })
})

describe('basis points', () => {
  it.each([
    ['Rate (bps)', '45', '45%', false],
    ['Rate (bps)', '45', '45 bps', true],
    ['Rate (bps)', '45', '0.45%', true],
    ['Spread (basis points)', '45', '45 basis points', true],
    ['Spread (bp)', '45', '45bp', true],
    ['Spread', '45 bps', '0.45%', true],
    ['Spread', '45 bps', '45%', false],
    ['Spread', '45 bps', '0.0045', true],
    ['Margin', '45', '45 bps', false],
    ['Margin', '0.45%', '45 bps', true],
    ['Rate (‰)', '45', '45%', false],
    ['Baud rate (bps)', '9600', '9600', true],
  ])('under %s %s against %s: %s', (column, gold, predicted, expected) => {
    expect(isRight(column, gold, predicted, /^[\d.]+$/.test(gold))).toBe(expected)
  })
})

describe('signs after letters', () => {
  it.each([
    ['A-', 'A'],
    ['AA-', 'AA'],
    ['AA-', 'AA+'],
    ['O−', 'O'],
    ['O- (negative)', 'O (negative)'],
    ['HER2-', 'HER2'],
    ['Cl-', 'Cl'],
    ['A*', 'A'],
    ['a*b', 'a/b'],
    ['a*b', 'a b'],
    ['C#', 'C'],
    ['C++', 'C+'],
  ])('%s is not %s', (gold, predicted) => {
    expect(isRight('Value', gold, predicted)).toBe(false)
    expect(isRight('Value', predicted, gold)).toBe(false)
  })

  it.each([
    ['O−', 'O-'],
    ['long-term', 'long term'],
    ['Spain*', 'Spain'],
    ['*Spain*', 'Spain'],
    ['input/output', 'input output'],
    ['Alder — Inn', 'Alder Inn'],
    ['T-shirt', 'T shirt'],
  ])('%s is %s', (gold, predicted) => {
    expect(isRight('Value', gold, predicted)).toBe(true)
  })
})

describe('counts', () => {
  it.each([
    ['Beds', '12', '12 beds', true],
    ['Number of beds', '12', '12 Beds', true],
    ['Beds', '12', '12 bed', true],
    ['Beds', '12', '13 beds', false],
    ['Beds', '12', '12 rooms', false],
    ['Beds', '12', '12 kg', false],
    ['Number of pumps', '12', '12 km', false],
    ['Beds', '12', '$12', false],
    ['Employees', '12', '12 people', true],
    ['Population', '5000000', '5 m', true],
    ['Capacity', '12', '12 kg', true],
    ['Price', '12', '$12', true],
  ])('under %s %s against %s: %s', (column, gold, predicted, expected) => {
    expect(isRight(column, gold, predicted, true)).toBe(expected)
  })
})

describe('keys under strict that are written differently', () => {
  it.each([
    ['31 March 2024', '2024-03-31'],
    ['FY24', 'Fiscal year 2024'],
    ['Second quarter of 2024', 'Q2 2024'],
    ['Apollo XI', 'Apollo 11'],
    ['First Battalion', '1st Battalion'],
    ['第3章', '第三章'],
    ['Ⅻ', 'XII'],
  ])('%s is %s', async (gold, answer) => {
    expect(await matchedKeys(compareStrictly, [gold], [answer])).toEqual({ [answer]: gold })
  })

  it.each([
    ['31 March 2024', '2024-03-30'],
    ['Apollo XI', 'Apollo 12'],
    ['First Battalion', '2nd Battalion'],
    ['FY24', 'FY25'],
  ])('%s is not %s', async (gold, answer) => {
    expect(await matchedKeys(compareStrictly, [gold], [answer])).toEqual({})
  })

  it('are matched by their text first when both forms are keys', async () => {
    const keys = ['2024', 'FY2024']
    expect(await matchedKeys(compareStrictly, keys, ['FY2024', '2024'])).toEqual({
      FY2024: 'FY2024',
      2024: '2024',
    })
  })
})
