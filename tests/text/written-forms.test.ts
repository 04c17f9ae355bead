import { describe, expect, it } from 'vitest'
import { isBlankValue } from '../../src/core/blank-value.ts'
import { rateStrictly } from '../../src/score/strict/rate-cell.ts'
import { rateTextByRules } from '../../src/score/table/rate-text.ts'
import { readQuantity } from '../../src/text/quantities.ts'
import { readRange } from '../../src/text/ranges.ts'

/** Both directions under strict, and the rules of the judge. */
const scores = (column: string, gold: string, predicted: string): number[] => {
  const strict = (left: string, right: string): number =>
    rateStrictly(left, right, { gold: column, predicted: column, numeric: false })?.score ?? 0
  return [
    strict(gold, predicted),
    strict(predicted, gold),
    rateTextByRules(gold, predicted, column)?.score ?? 0,
  ]
}

describe('ranges', () => {
  it.each([
    ['Range', '5-10', '5 to 10'],
    ['Range', '5–10', 'between 5 and 10'],
    ['Range', '5~10', '5至10'],
    ['Range', '5 bis 10', 'de 5 à 10'],
    ['Weight', '5-10 kg', '5 kg - 10 kg'],
    ['Weight', '5-10 kg', '5,000–10,000 g'],
    ['Share', '5–10%', '5% – 10%'],
    ['Price', '$5-10 million', '$5 million to $10 million'],
    ['Change', '-5 to 5', '−5–5'],
    ['Season', '2023/24', '2023-24'],
    ['Season', '2023/24', '2023/2024'],
    ['Years', '1990-1995', 'from 1990 to 1995'],
    ['Opening hours', '9:00-17:00', '9 am - 5 pm'],
  ])('under %s %s is %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([1, 1, 1])
  })

  it.each([
    ['Range', '5-10', '5-11'],
    ['Range', '5-10', '10-5'],
    ['Range', '5-10', '510'],
    ['Range', '5–10', '5.10'],
    ['Range', '10⁻³', '10-3'],
    ['Weight', '5-10 kg', '5-10 t'],
    ['Growth', '-5-10%', '5-10%'],
    ['Price', '$5-10', '€5-10'],
    ['Price', '$5-10 million', '$5-10'],
    ['Season', '2023/24', '2024/25'],
    ['Season', '2023/24', '2023'],
    ['Model', 'A320-200', 'A320 to 200'],
    ['Opening hours', '9:00-17:00', '9 am - 6 pm'],
  ])('under %s %s is not %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([0, 0, 0])
  })

  it('are not read from dates, codes and lists', () => {
    for (const text of ['2024-03-04', '555-1234-5', '5 and 10', '5-10-15', 'A-5', '5 ± 1'])
      expect(readRange(text, 'Value')).toBeNull()
    expect(readRange('2011-12', 'Date')).toBeNull()
    expect(readRange('2011-12', 'Season')).toEqual({ from: '2011', to: '2012' })
  })
})

describe('numbers in words and signs', () => {
  it.each([
    ['Rank', '1st', 'first'],
    ['Rank', '3', '3rd'],
    ['Rank', '#1', 'No. 1'],
    ['Phase', 'III', '3'],
    ['Name', 'Henry VIII', 'Henry 8'],
    ['Price', '$5/month', '$5 per month'],
    ['Price', '$5/month', '$5 a month'],
    ['Rating', '4/5', '4 out of 5'],
    ['Count', '≥12', 'at least 12'],
    ['Age', '18+', '18 and over'],
    ['p', '<0.05', '< .05'],
    ['Age', '5', '5 years old'],
    ['Age', '5 years', '5-year-old'],
    ['Screen', '6.1-inch', '6.1 in'],
    ['Change', '-5', 'minus 5'],
    ['Value', '6.02e23', '6.02 × 10²³'],
    ['Value', '10^6', '1000000'],
    ['Time', '14:30', '2:30 pm'],
    ['Time', '14:30', '14.30 Uhr'],
    ['Time', '2 pm', '14:00'],
  ])('under %s %s is %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted).slice(0, 2)).toEqual([1, 1])
  })

  it.each([
    ['Rank', '1st', '11th'],
    ['Rank', '2', 'first'],
    ['Phase', 'II', 'III'],
    ['Size', 'XL', '40'],
    ['Street', 'First Avenue', 'Second Avenue'],
    ['Rate', '5 per second', '5 per 2'],
    ['Size', '3 por 4', '3/4'],
    ['Grade', 'C 12', '12'],
    ['Count', 'at least 12', '12'],
    ['Count', 'at least 12', 'more than 12'],
    ['Count', 'at least 12', 'at most 12'],
    ['Value', '10^6', '10^7'],
    ['Value', '10^6', '106'],
    ['Time', '12 am', '12 pm'],
    ['Time', '2:30', '2:30 pm'],
    ['Time', '13:30 pm', '1:30 pm'],
  ])('under %s %s is not %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([0, 0, 0])
  })

  it('is a length where the column says so', () => {
    expect(readQuantity('2 pm', false, 'Wavelength')?.meanings[0]).toMatchObject({ dimension: 'length' })
    expect(readQuantity('2 pm', false, 'Value')).toBeNull()
  })
})

describe('units in another letter case', () => {
  it.each([
    ['Storage', '16 GB', '16 Gb'],
    ['Power', '5 MW', '5 mW'],
    ['Weight', '5 Mg', '5 mg'],
    ['Size', '12"', "12'"],
  ])('under %s %s is not %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([0, 0, 0])
  })

  it.each([
    ['Weight', '5 KG', '5 kg'],
    ['Revenue', '5 M', '5 m'],
    ['Distance', '5 Km', '5 km'],
    ['Energy', '5 KWH', '5 kWh'],
  ])('under %s %s is %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([1, 1, 1])
  })
})

describe('dates', () => {
  it.each([
    ['2024-03-04', 'Monday, 4 March 2024'],
    ['2024-03-06', 'mercredi 6 mars 2024'],
    ['2024-03-06', 'Mi., 6.3.2024'],
    ['2024-03-04', '2024年3月4日（星期一）'],
    ['2024-03-04', '4-Mar-24'],
    ['2024-03-04', 'Mar-04-2024'],
    ['2024-03-04', 'Mar 4, 2024'],
    ['Mar-24', 'March 2024'],
    ['03/2024', 'Mar 2024'],
    ['Q1 2024', '1Q24'],
    ['Q1 2024', "Q1'24"],
    ['2024', 'FY24'],
  ])('%s is %s', (gold, predicted) => {
    expect(scores('Date', gold, predicted)).toEqual([1, 1, 1])
  })

  it.each([
    ['4-Mar-24', '4-Mar-25'],
    ['4-Mar-24', '1924-03-04'],
    ['Mar-24', '24 March 2024'],
    ['Q123', 'Q1 2023'],
    ['March 24', 'March 2024'],
    ['Sunday, 3 March 2024', 'Sunday, 10 March 2024'],
    ['Martius 4 2024', '2024-03-04'],
  ])('%s is not %s', (gold, predicted) => {
    expect(scores('Date', gold, predicted)).toEqual([0, 0, 0])
  })
})

describe('blank values', () => {
  it.each([
    'n.a.',
    'N/D',
    '(not stated)',
    'not reported',
    'k.A.',
    'Keine Angabe',
    'non disponible',
    'не указано',
    '不明',
  ])('%s is blank', text => {
    expect(isBlankValue(text)).toBe(true)
  })

  it.each(['no', '0', 'unknown soldier', '(5)', 'N', 'data', 'none of them'])('%s is a value', text => {
    expect(isBlankValue(text)).toBe(false)
  })
})

describe('codes and addresses', () => {
  it.each([
    ['Version', '3.10', '3.1'],
    ['ZIP code', '01234', '1234'],
    ['ID', '007', '7'],
    ['Email', 'a_b@x.org', 'a.b@x.org'],
    ['URL', 'https://x.org/a-b', 'https://x.org/a_b'],
    ['URL', 'https://x.org/?a=1', 'https://x.org/?a=2'],
  ])('under %s %s is not %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([0, 0, 0])
    const columns = { gold: column, predicted: column, numeric: true }
    expect(rateStrictly(gold, predicted, columns)?.score ?? 0).toBe(0)
  })

  it.each([
    ['Version', '3.0', '3'],
    ['ID', '7', '7.0'],
    ['Value', '3.10', '3.1'],
    ['Email', 'A@x.org', 'a@x.org'],
    ['URL', 'http://x.org/a', 'https://x.org/a/'],
  ])('under %s %s is %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([1, 1, 1])
  })
})
