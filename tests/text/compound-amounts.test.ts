import { describe, expect, it } from 'vitest'
import { rateStrictly } from '../../src/score/strict/rate-cell.ts'
import { rateTextByRules } from '../../src/score/table/rate-text.ts'
import { readCompoundAmount } from '../../src/text/compound-amounts.ts'

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

describe('amounts in several units', () => {
  it.each([
    ['Height', '5 ft 3 in', '63 in'],
    ['Height', `5'3"`, '63 in'],
    ['Height', '5′ 3″', '5 feet, 3 inches'],
    ['Height', '6 ft', `6'0"`],
    ['Screen', '6.1"', '6.1 inches'],
    ['Weight', '5 lb 4 oz', '84 oz'],
    ['Distance', '5 km 300 m', '5.3 km'],
    ['Duration', '1h 30min', '90 min'],
    ['Durée', '1 h 30', '90 minutes'],
    ['Dauer', '1 Std. 30 Min.', '90 Minuten'],
    ['时长', '1小时30分钟', '90分钟'],
    ['Runtime', '1h30m', '1 hour and 30 minutes'],
    ['Duration', '1 day 2 hours', '26 hours'],
    ['Duration', '48 hours', '2 days'],
    ['Duration (min)', '90', '1h 30min'],
  ])('under %s %s is %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([1, 1, 1])
  })

  it.each([
    ['Height', '5 ft 3 in', '5 ft 4 in'],
    ['Height', '5 ft 13 in', '6 ft 1 in'],
    ['Height', `5'3"`, '53'],
    ['Height', `5'3"`, '5.3'],
    ['Longitude', `5'3"`, '63 in'],
    ['Duration', '1h 30min', '1h 31min'],
    ['Duration', '1h 30 kg', '90 min'],
    ['Duration', '1 foo 30 bar', '90 min'],
    ['Size', '3 m 5 m', '8 m'],
  ])('under %s %s is not %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([0, 0, 0])
  })
})

describe('durations with colons', () => {
  it.each([
    ['Duration', '01:30:00', '90 min'],
    ['Time', '2:01:09', '2 h 1 min 9 s'],
    ['Lap time', '2:05', '2 min 5 s'],
    ['Running time', '1:30', '1h30'],
    ['Duration (mm:ss)', '2:05', '125 s'],
    ['Duration (min)', '90', '1:30:00'],
  ])('are read under %s: %s is %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([1, 1, 1])
  })

  it.each([
    ['Start time', '01:30', '90 min'],
    ['Departure time', '01:30:00', '1h 30min'],
    ['Time (UTC)', '01:30', '90 min'],
    ['Ratio', '1:30', '90 min'],
    ['Lap time', '2:05', '2 h 5 min'],
    ['Duration', '2:00', '2'],
    ['Duration', '1:75', '135 min'],
  ])('are something else under %s: %s is not %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([0, 0, 0])
  })

  it('have two readings when neither the column nor the digits decide', () => {
    expect(readCompoundAmount('1:30', 'Duration').map(({ value }) => value)).toEqual([5400, 90])
    expect(readCompoundAmount('1:30', 'Score')).toEqual([])
  })
})

describe('units that the column decides', () => {
  it.each([
    ['Temperature', '20 C', '20 °C'],
    ['Temperature', '20 ºC', '20 degrees Celsius'],
    ['Temperature (°C)', '20', '20 C'],
    ['Max temp', '68 °F', '20 °C'],
    ['Melting point', '0 °C', '273.15 K'],
    ['Duration', '90m', '90 min'],
    ['Change', '5 pp', '5 percentage points'],
    ['Change', '5 p.p.', '5 Prozentpunkte'],
    ['Change', '5个百分点', '5 pp'],
    ['Change (pp)', '5', '5 pp'],
    ['Pages', '5 pp', '5 pages'],
    ['Speed', '100 Mbps', '100 Mbit/s'],
    ['Concentration', '5 mg/mL', '5 g/L'],
    ['CO2 (g/km)', '120', '0.12 kg/km'],
    ['Volume', '500 mL', '500 cc'],
  ])('under %s %s is %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([1, 1, 1])
  })

  it.each([
    ['Charge', '20 C', '20 °C'],
    ['Temperature', '20 C', '20 °F'],
    ['Temperature (°C)', '20', '20 F'],
    ['Distance', '90 m', '90 min'],
    ['Growth', '5%', '5 pp'],
    ['Growth (%)', '5', '5 pp'],
    ['CO2 (g/km)', '120', '120 g/mi'],
    ['Speed', '100 Mbps', '100 MB/s'],
    ['Rate (%)', '5', '5 kg'],
    ['Decade', '1990s', '1990'],
  ])('under %s %s is not %s', (column, gold, predicted) => {
    expect(scores(column, gold, predicted)).toEqual([0, 0, 0])
  })
})

describe('approximations', () => {
  it.each([
    ['~12', '12'],
    ['≈12', 'approx. 12'],
    ['about 12', '12'],
    ['ca. 12', '12'],
    ['约12', '12'],
    ['rund 12 kg', '12 kg'],
    ['12 (approx.)', '12'],
    ['c. 1850', '1850'],
  ])('equal the figure: %s is %s', (gold, predicted) => {
    expect(scores('Value', gold, predicted).slice(0, 2)).toEqual([1, 1])
  })

  it.each([
    ['~12', '13'],
    ['>12', '12'],
    ['up to 12', '12'],
    ['almost 12', '12'],
    ['about half of 12', '12'],
  ])('are not bounds: %s is not %s', (gold, predicted) => {
    expect(scores('Value', gold, predicted)).toEqual([0, 0, 0])
  })

  it('are named by their rule', () => {
    expect(rateStrictly('12', '~12', { gold: 'V', predicted: 'V', numeric: true })).toEqual({
      score: 1,
      rule: 'number-approximate',
    })
  })
})

describe('money under a scale', () => {
  it.each([
    ['Umsatz (TEUR)', '5', '5,000 EUR', 1],
    ['Umsatz (TEUR)', '5', '5.000 €', 1],
    ['Umsatz (TEUR)', '5', '5 TEUR', 1],
    ['Umsatz (TEUR)', '5', '5', 1],
    ['Umsatz (TEUR)', '5', '5 EUR', 0],
    ['Umsatz (TEUR)', '5 EUR', 'EUR 5', 1],
    ['收入（万元）', '5', '50,000元', 1],
    ['收入（万元）', '5', '5元', 0],
    ['Revenue (USD millions)', '5', '$5,000,000', 1],
    ['Revenue (USD millions)', '5', '$5', 1],
    ['Revenue (USD millions)', '5', '$500', 0],
  ])('under %s %s against %s: %s', (column, gold, predicted, expected) => {
    const columns = { gold: column, predicted: column, numeric: /^\d+$/.test(gold) }
    expect(rateStrictly(gold, predicted, columns)?.score ?? 0).toBe(expected)
    expect(rateTextByRules(gold, predicted, column)?.score ?? 0).toBe(gold === predicted ? 1 : expected)
  })
})
