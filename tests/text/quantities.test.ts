import { describe, expect, it } from 'vitest'
import { rateStrictly } from '../../src/score/strict/rate-cell.ts'
import { rateTextByRules } from '../../src/score/table/rate-text.ts'
import { readColumnUnit } from '../../src/text/column-units.ts'
import { readCurrency } from '../../src/text/currencies.ts'
import { casefold, foldCase } from '../../src/text/plain-text.ts'
import { readQuantity } from '../../src/text/quantities.ts'
import { readUnit } from '../../src/text/units.ts'

const strict = (gold: string, predicted: string, column = 'Value', predictedColumn = column) =>
  rateStrictly(gold, predicted, { gold: column, predicted: predictedColumn, numeric: false })
const scoreOf = (gold: string, predicted: string, column = 'Value'): number =>
  strict(gold, predicted, column)?.score ?? 0
const byRules = (gold: string, predicted: string, column = 'Value'): number =>
  rateTextByRules(gold, predicted, column)?.score ?? 0
const both = (gold: string, predicted: string, column?: string): number[] => [
  scoreOf(gold, predicted, column),
  scoreOf(predicted, gold, column),
]

describe('a letter after a number', () => {
  it.each([
    ['1.85 m', '1.85 metres', 'Height'],
    ['1.85 m', '185 cm', 'Height'],
    ['25 mm', '25 millimetres', 'Rain'],
    ['25mm', '2.5 cm', 'Value'],
    ['70 t', '70 tonnes', 'Load'],
    ['300 K', '300 kelvin', 'Value'],
    ['10 m', '10 million', 'Revenue'],
    ['10 m', '10 million', 'Value'],
    ['€10m', '10,000,000 €', 'Depth'],
    ['5 M', '5,000,000', 'Users'],
    ['14.2k', '14200', 'Rate'],
    ['2 t', '2 trillion', 'GDP'],
    ['3 b', '3 billion', 'Sales'],
    ['10', '10 m', 'Depth (m)'],
    ['10', '1000 cm', 'Depth (m)'],
    ['10', '10 m', 'Revenue (EUR m)'],
    ['12 kSEK', '12000 SEK', 'Value'],
  ])('%s equals %s in column %s', (gold, predicted, column) => {
    expect(both(gold, predicted, column)).toEqual([1, 1])
  })

  it.each([
    ['10 m', '10 million', 'Depth (m)'],
    ['3 mm', '3 million', 'Thickness'],
    ['42 K', '42,000', 'Temperature'],
    ['42 K', '42 thousand', 'Melting point (K)'],
    ['5 t', '5 trillion', 'Weight'],
    ['1.85 m', '1,850,000', 'Height'],
    ['10 m', '10 mm', 'Value'],
    ['10 m', '10', 'Revenue (USD)'],
    ['8 b', '8 billion', 'Bits'],
    ['5 m', '5 metres', 'Revenue'],
  ])('%s differs from %s in column %s', (gold, predicted, column) => {
    expect(both(gold, predicted, column)).toEqual([0, 0])
  })

  it('names the rule when only the letter decides', () => {
    expect(strict('14200', '14.2k')).toEqual({ score: 1, rule: 'number-letter' })
  })
})

describe('a space before a sign or unit', () => {
  it.each([
    ['20 °C', '20°C'],
    ['-5 °C', '-5°C'],
    ['90 °', '90°'],
    ['45° N', '45°N'],
    ['45° 30′ N', '45°30′N'],
    ['about 20 %', 'about 20%'],
    ['12 ‰', '12‰'],
    ['5 € per night', '5€ per night'],
    ['€ 5 per night', '€5 per night'],
    ['₹ 500 a day', '₹500 a day'],
    ['5 kWh', '5kWh'],
    ['5 mg/L', '5mg/L'],
    ['100 MB', '100MB'],
    ['1 - 0', '1-0'],
    ['16 : 9', '16:9'],
    ['AT&T', 'AT & T'],
    ['5 km²', '5km2'],
  ])('%s is %s', (gold, predicted) => {
    expect([...both(gold, predicted), byRules(gold, predicted)]).toEqual([1, 1, 1])
  })

  it.each([
    ['5 % of 20', '520'],
    ['20 °C', '20 °F'],
    ['100 MB', '100 Mb'],
    ['5 mW', '5 MW'],
    ['1 - 0', '0 - 1'],
    ['12 ‰', '12 %'],
    ['45° N', '45° S'],
  ])('%s is not %s', (gold, predicted) => {
    expect(both(gold, predicted)).toEqual([0, 0])
  })
})

describe('words after a number', () => {
  it.each([
    ['5 years', '5 Jahre'],
    ['18 Monate', '1.5 ans'],
    ['3 weeks', '3 semanas'],
    ['1 year and 6 months', '1 Jahr und 6 Monate'],
    ['2 hours', '2 Stunden'],
    ['5 лет', '60 months'],
    ['3 t', '3 Tonnen'],
    ['5%', '5 Prozent'],
    ['5 %', '5 per cent'],
    ['5 pct', '5 pour cent'],
    ['5‰', '5 Promille'],
    ['1.5', '1.5x'],
    ['3-fold', '3×'],
    ['2 times', '2 fois'],
    ['5,000 EUR', '5 TEUR'],
    ['5.000,00 €', '5 T€'],
    ['5000 CHF', 'TCHF 5'],
    ['5 MEUR', '5 Mio. EUR'],
  ])('%s equals %s', (gold, predicted) => {
    expect(both(gold, predicted)).toEqual([1, 1])
    expect(both(predicted, gold)).toEqual([1, 1])
  })

  it.each([
    ['5 years', '5 Monate'],
    ['5 Prozent', '5 Promille'],
    ['1.5x', '1.5 kg'],
    ['5 TEUR', '5 EUR'],
    ['5 T$', '$5,000'],
    ['5T €', '5,000 €'],
  ])('%s differs from %s', (gold, predicted) => {
    expect(both(gold, predicted)).toEqual([0, 0])
  })

  it.each([
    ['Umsatz (TEUR)', 1000, 'EUR'],
    ['Umsatz in T€', 1000, 'EUR'],
    ['Revenue (kSEK)', 1000, 'SEK'],
    ['Revenue (TCHF)', 1000, 'CHF'],
  ])('in the column %s are a scale and a currency', (name, scale, currency) => {
    expect(readColumnUnit(name)).toMatchObject({ scale, currencies: [{ usual: [currency] }] })
  })

  it.each(['5 Foobars', '5 Jahrzehnte', '5 Promillepunkte', '5 ft 3 xyz', '5 TXYZ', '5 xyz'])(
    'that are not known are not read: %s',
    text => {
      expect(readQuantity(text)).toBeNull()
    },
  )

  it.each([
    ['1.250', 1.25],
    ['1.250 €', 1250],
    ['1.250.000', 1_250_000],
    ['1.250,00', 1250],
  ])('%s alone is %d', (text, value) => {
    expect(readQuantity(text, true)?.meanings[0]?.value).toBe(value)
  })
})

describe('a number as other languages write it', () => {
  it.each([
    ['12 млн руб.', '12000000 ₽'],
    ['5 тыс. руб.', '5,000 RUB'],
    ['2 Millionen', '2000000'],
    ["2 millions d'euros", '€2,000,000'],
    ['3 milhões de dólares', '$3,000,000'],
    ['1,5 milliards', '1500000000'],
    ['12,5 Md€', '€12.5 billion'],
    ['2 miljarder kr', '2000000000 SEK'],
    ['5만원', '₩50,000'],
    ['3億円', '¥300,000,000'],
    ['2兆円', '2 trillion JPY'],
    ['₺50', '50 TL'],
    ['٣٫٥', '3.5'],
    ['१२३', '123'],
    ['2½', '2.5'],
    ['2 1/4', '2.25'],
    ['2+1⁄4', '2¼'],
    ['5\u2009½ in', '5.5 in'],
    ['-11 1/16', '-11.0625'],
    ['3 × 10⁸', '300,000,000'],
    ['1.2e6 km', '1,200,000 km'],
    ['1.250 €', '€1,250'],
    ['1.250,– €', '€1,250'],
    ["CHF 1'250.–", '1250'],
    ['د.إ 10', 'AED 10'],
  ])('%s equals %s', (gold, predicted) => {
    expect(both(gold, predicted)).toEqual([1, 1])
  })

  it.each([
    ['5 mil', '5000'],
    ['1.250 €', '€1.25'],
    ['$1.250', '$1,250'],
    ['2½', '21/2'],
    ['2 1/4', '21/4'],
    ['2024 1/2', '2024.5'],
    ['1 5/4', '2.25'],
    ['3,5', '35'],
    ['1.250 KWD', '1250 KWD'],
    ['2 Millionen', '2000'],
  ])('%s differs from %s', (gold, predicted) => {
    expect(both(gold, predicted)).toEqual([0, 0])
  })

  it('is one number with a decimal comma in a column of numbers', () => {
    const columns = { gold: 'Rate', predicted: 'Rate' }
    const score = (predicted: string, numeric: boolean) =>
      rateStrictly('14.5', predicted, { ...columns, numeric })?.score ?? 0
    expect([score('14,5', true), score('14,5', false), score('145', true)]).toEqual([1, 0, 0])
  })
})

describe('currencies', () => {
  it.each([
    ['CHF 5,000', '5,000 CHF', 'Value'],
    ["CHF 5'000", 'CHF 5,000', 'Value'],
    ['5000', 'CHF 5,000', 'Price (CHF)'],
    ['5000', 'A$5,000', 'Price (AUD)'],
    ['$5,000', 'A$5,000', 'Price (AUD)'],
    ['5 zł', 'PLN 5', 'Value'],
    ['Rs. 5,00,000', '₹500,000', 'Value'],
    ['R$ 5', '5 BRL', 'Value'],
    ['5 kr', '5 SEK', 'Value'],
    ['1.234,50 €', 'EUR 1,234.50', 'Value'],
    ['3,5 €', '3.50 EUR', 'Value'],
    ['**14200**', '€14,200', 'Value'],
    ['GHS 5', '5 GHS', 'Value'],
  ])('%s equals %s in column %s', (gold, predicted, column) => {
    expect(both(gold, predicted, column)).toEqual([1, 1])
  })

  it.each([
    ['₹5,000', '₩5,000', 'Value'],
    ['₹5,000', '₽5000', 'Value'],
    ['$5', 'A$5', 'Value'],
    ['5 SEK', '5 NOK', 'Value'],
    ['£5', 'EGP 5', 'Value'],
    ['5000', '€5,000', 'Price (CHF)'],
    ['zł5', 'Kč5', 'Value'],
  ])('%s differs from %s in column %s', (gold, predicted, column) => {
    expect([...both(gold, predicted, column), byRules(gold, predicted, column)]).toEqual([0, 0, 0])
  })

  it('knows every code of the platform, before and after the amount', () => {
    for (const code of Intl.supportedValuesOf('currency')) {
      expect(readQuantity(`${code} 5`)?.currency?.usual, code).toEqual([code])
      expect(readQuantity(`5 ${code}`)?.currency?.usual, code).toEqual([code])
    }
  })

  it('does not take other words for a currency or a unit', () => {
    expect(['ABC', 'all', 'top', 'hotels'].map(text => readCurrency(text))).toEqual([null, null, null, null])
    expect(['hotels', 'G', 'D', 'xyz'].map(readUnit)).toEqual([null, null, null, null])
    expect(['5 XYZ', '5 all', '5G', '3D', '5 hotels'].map(text => readQuantity(text))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
    expect(readColumnUnit('TOP hotels').currencies).toEqual([])
  })
})

describe('percentages', () => {
  it.each([
    ['12.36%', '12.36', 'Margin (%)', 1],
    ['12.36%', '12.36', 'Change in percent', 1],
    ['12.36%', '0.1236', 'Margin (%)', 0],
    ['12.36%', '0.1236', 'Value', 1],
    ['12.36%', '12.36', 'Value', 0],
    ['12 ‰', '1.2%', 'Value', 1],
    ['12 ‰', '12', 'Rate (‰)', 1],
  ])('%s and %s in column %s', (gold, predicted, column, score) => {
    expect(scoreOf(gold, predicted, column)).toBe(score)
  })
})

describe('case folding', () => {
  it.each([
    ['STRASSE', 'Straße'],
    ['GROSS GMBH', 'Groß GmbH'],
    ['ΟΔΟΣ', 'οδος'],
    ['FINE', 'ﬁne'],
    ['İSTANBUL', 'istanbul'],
    ['ILICA', 'ılıca'],
    ['ＡＢＣ', 'abc'],
    ['ΜΆΪΟΣ', 'μάϊος'],
    ['ǅungla', 'ǆungla'],
  ])('%s is %s', (left, right) => {
    expect([byRules(left, right), byRules(right, left)]).toEqual([1, 1])
  })

  it('keeps letters apart that differ in more than case', () => {
    expect(foldCase('Maße')).not.toBe(foldCase('Mase'))
    expect(foldCase('é')).not.toBe(foldCase('e'))
    // Python's casefold keeps the dot, and ExtractBench's scorer with it.
    expect(casefold('İ')).not.toBe('i')
  })
})
