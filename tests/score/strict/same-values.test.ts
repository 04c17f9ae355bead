import { expect, it } from 'vitest'
import { rateStrictly } from '../../../src/score/strict/rate-cell.ts'

const score = (gold: string, predicted: string, column: string): number =>
  rateStrictly(gold, predicted, { gold: column, predicted: column, numeric: false })?.score ?? 0

it.each([
  // Dates: 31 March 2024 is a Sunday, and in year 6 of Reiwa (from 2019) and 113 of the Republic (from 1912).
  ['2024-03-31', '2024-03-31T00:00:00+00:00', 'Date'],
  ['2024-03-31', '2024, March 31', 'Date'],
  ['2024-03-31', '2024-Mar-31', 'Date'],
  ['2024-03-31', "Mar 31, '24", 'Date'],
  ['2024-03-31', '31.03.24', 'Date'],
  ['2024-03-31', '31/3/24', 'Date'],
  ['2024-03-31', '31 марта 2024 года', 'Date'],
  ['2024-03-31', '31 Maret 2024', 'Date'],
  ['2024-03-31', '2024-03-31 (Sunday)', 'Date'],
  ['2024-03-31', '2024년 3월 31일', 'Date'],
  ['2024-03-31', '令和6年3月31日', 'Date'],
  ['2024-03-31', '民國113年3月31日', 'Date'],
  ['平成元年', '1989', 'Year'],
  ['2024-03', '2024M03', 'Month'],
  ['Q2 2024', 'II квартал 2024', 'Quarter'],
  ['Q2 2024', '2. Quartal 2024', 'Quarter'],
  ['Q2 2024', 'T2 2024', 'Quarter'],
  ['Q2 2024', 'Q2 FY24', 'Quarter'],
  ['H1 2024', '1H24', 'Period'],
  ['FY2024', 'Geschäftsjahr 2024', 'Year'],
  ['44 BC', '44 BCE', 'Year'],
  ['31 March', 'March 31', 'Birthday'],
  ['31.03.', '31 March', 'Birthday'],
  ['March', 'März', 'Month'],
  ['1–5 May 2024', 'May 1-5, 2024', 'Held'],
  ['1-5 May 2024', '2024-05-01 to 2024-05-05', 'Held'],
  ['1 May – 5 June 2024', 'May 1 – June 5, 2024', 'Held'],
  ['Jan-Mar 2024', 'January to March 2024', 'Held'],
  // Times
  ['14:30', '14h30', 'Departure'],
  ['14:30:00', '2.30 p.m.', 'Departure'],
  ['noon', '12:00', 'Opening'],
  ['14:30 UTC', '14:30 GMT', 'Start'],
  ['2024-03-31T14:30:00Z', '31 March 2024, 2:30 pm UTC', 'Sent'],
  ['PT1H30M', '90 min', 'Duration'],
  ['PT45M', '45 min', 'Duration'],
  // Places: 45° and 30 of 60 minutes are 45.5°.
  ["45°30' N", '45.5', 'Latitude'],
  ['-45.5', '45.5° S', 'Latitude'],
  ['12.5° W', '-12.5', 'Longitude'],
  // Amounts: a standard atmosphere is 760 mmHg, and a metric horsepower 735.49875 W.
  ['5-foot-3', '63 in', 'Height'],
  ['5 cubic feet', '5 ft³', 'Volume'],
  ['5 sq. ft.', '5 square feet', 'Area'],
  ['760 mmHg', '1 atm', 'Pressure'],
  ['100 PS', '73.549875 kW', 'Power'],
  ['5 kΩ', '5000 ohm', 'Value'],
  ['12 Nm', '12 N·m', 'Value'],
  ['5 ppm', '5 parts per million', 'Value'],
  ['5 dozen', '60', 'Value'],
  ['10⁻³', '0.001', 'Value'],
  ['zero', '0', 'Value'],
  ['-1,234.50', '1,234.50-', 'Value'],
  ['5,5–6,5', '5.5 to 6.5', 'Value'],
  ['<5%', 'less than 5 percent', 'Value'],
  ['over 1 million', '>1,000,000', 'Value'],
  ['max. 12', '≤12', 'Value'],
  // Money
  ['€5.000', 'EUR 5,000', 'Price'],
  ['R$5.000', 'BRL 5,000', 'Price'],
  ['€1.629', '€1,629', 'Price'],
  ['50 cents', '$0.50', 'Price'],
  ['50 pence', '£0.50', 'Price'],
  ['Rs 5,000', 'PKR 5,000', 'Price'],
  ['₹5 Cr', '₹50 million', 'Price'],
  ['1億2000万円', '120 million yen', 'Price'],
  ['1억 2천만 원', '₩120,000,000', 'Price'],
  // A code that nothing knows is the same before and after the amount.
  ['XYZ 5,000', '5,000 XYZ', 'Price'],
  // Marks of notes, and signs that cannot be seen
  ['12[1]', '12', 'Value'],
  ['12', '12[note 2]', 'Value'],
  ['12', '12[a]', 'Value'],
  ['1\u00ad234', '1234', 'Value'],
  ['Straßen\u00adbahn', 'Straßenbahn', 'Name'],
  // Truth values
  ['Yes', 'Y', 'Active'],
  ['WAHR', 'true', 'Active'],
  ['TRUE', 'Yes.', 'Active'],
  ['unknown', "I don't know.", 'Owner'],
])('%s and %s under %s are the same', (gold, predicted, column) => {
  expect(score(gold, predicted, column)).toBe(1)
})

it.each([
  ['24.03.24', '24.03.25', 'Date'],
  ['3/4', '4 March', 'Birthday'],
  ['1/13', '13/1', 'Score'],
  ['Mars', 'March', 'Planet'],
  ['May', 'Mai', 'Name'],
  ['令和6年', '2023', 'Year'],
  ['44 BC', '44 AD', 'Year'],
  ['Q2 2024', 'Q2 FY25', 'Quarter'],
  ['1–5 May 2024', '1–6 May 2024', 'Held'],
  ['Jan-Mar 2024', 'Jan-Mar 2023', 'Held'],
  ['2024-03-31T14:30:00Z', '2024-03-31T14:30:00+02:00', 'Sent'],
  ['14:30 UTC', '14:30 CET', 'Departure'],
  ['14:30:10', '14:30', 'Departure'],
  ['14:30', '14h30', 'Value'],
  ['P1M', '1 min', 'Duration'],
  ["45°30' N", "45°30' S", 'Latitude'],
  ['45.5 N', '45.5 E', 'Latitude'],
  ['5 W', '-5', 'Power'],
  ['5 ft³', '5 ft 3 in', 'Height'],
  ['5-3', '5 ft 3 in', 'Height'],
  ['100 PS', '100 hp', 'Power'],
  ['5 ppm', '5 ppb', 'Value'],
  ['1234', '1234-', 'Value'],
  ['>1 million', '1 million', 'Value'],
  ['>1 million', '≥1 million', 'Value'],
  ['5-10', '5,10', 'Value'],
  ['$1.250', '$1,250', 'Price'],
  ['€5.000', '€5', 'Price'],
  ['50 cents', '£0.50', 'Price'],
  ['50 cents', '$50', 'Price'],
  ['₹5,000', '₨5,000 PKR', 'Price'],
  ['XYZ 5,000', '5,000 XYW', 'Price'],
  ['12[1]', '12[2]', 'Value'],
  ['12[1]', '121', 'Value'],
  ['x[1]', 'x', 'Value'],
  ['Yes', 'N', 'Active'],
  ['Norway', 'No', 'Active'],
])('%s and %s under %s are not the same', (gold, predicted, column) => {
  expect(score(gold, predicted, column)).toBe(0)
})

it('a number with a code of its column before it is that number', () => {
  expect(score('5000', 'XYZ 5,000', 'Price (XYZ)')).toBe(1)
  expect(score('5000', 'XYW 5,000', 'Price (XYZ)')).toBe(0)
})

it('long texts of East Asian numerals are read in time that grows with their length', () => {
  expect(score('1억 '.repeat(2000), '1만 '.repeat(2000), 'Price')).toBe(0)
})
