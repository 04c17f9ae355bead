import { describe, expect, it } from 'vitest'
import { areFiguresDifferent, readKeyFigures } from '../../src/text/key-figures.ts'

const differ = (left: string, right: string): boolean =>
  areFiguresDifferent(readKeyFigures(left), readKeyFigures(right))

const citation = (rest: string): string =>
  `Jonathan Ho, Tim Salimans, William Chan, Mohammad Norouzi, and David J Fleet. Video diffusion models. Advances in Neural Information Processing ${rest}`

describe('the figures of keys', () => {
  it('may be more in one of two sentences, such as the pages of a citation', () => {
    expect(differ(citation('35, 2022.'), citation('35:8633–8646, 2022.'))).toBe(false)
    expect(differ(citation('35, 2022.'), citation('35, 2023.'))).toBe(true)
    expect(differ(citation('Systems.'), citation('Systems, 2023.'))).toBe(true)
    expect(differ('Deathly Hallows, a film', 'Deathly Hallows 2, a film')).toBe(true)
  })

  it.each([
    ['Fiscal year 2021', 'Fiscal year 2022'],
    ['31 December 2020', '31 December 2021'],
    ['Balance at 30 June 2024', 'Balance at 30 July 2024'],
    ['2024-03-01', '2024-03-02'],
    ['2024-03-01', '2024-01-03'],
    ['US0378331005', 'US0378331006'],
    ['US0378331005', 'UK0378331005'],
    ["Men's 100m freestyle", "Men's 200m freestyle"],
    ['iPhone 14 Pro Max', 'iPhone 15 Pro Max'],
    ['GPT-4o mini', 'GPT-4 mini'],
    ['Python 3.10 handbook', 'Python 3.1 handbook'],
    ['Handbook of Physics, 2nd edition', 'Handbook of Physics, 3rd edition'],
    ['Handbook of Physics, second edition', 'Handbook of Physics, third edition'],
    ['The Godfather Part II', 'The Godfather Part III'],
    ['Document BP-999 revised', 'Document BD-999 revised'],
    ['Class A Common Stock', 'Class B Common Stock'],
    ['Arsenal v Chelsea 1-0', 'Arsenal v Chelsea 0-1'],
    ['2024年第一季度报告', '2024年第二季度报告'],
    ['2024年上半年度业绩报告摘要', '2024年下半年度业绩报告摘要'],
    ['Temperature at -5 degrees', 'Temperature at 5 degrees'],
    ['Season 2019/20', 'Season 2019/21'],
    ['Room 1,234', 'Room 1,243'],
  ])('%s is not %s', (left, right) => {
    expect([differ(left, right), differ(right, left)]).toEqual([true, true])
  })

  it.each([
    ['Hotel Continental Graz', 'Hotel Continental Gratz'],
    ['Fiscal year 2021', 'Fiscal yaer 2021'],
    ['31 December 2020', 'December 31, 2020'],
    ['31 Decembr 2020', '31 December 2020'],
    ['2024-03-01', '2024-3-1'],
    ['COVID-19 pandemic', 'COVD-19 pandemic'],
    ['BP 999', 'BP-999'],
    ['FY 2021', 'FY2021'],
    ['100 m freestyle', '100m freestyle'],
    ['Room 1,234', 'Room 1234'],
    ['No. 07', 'No. 7'],
    ['Second edition', '2nd edition'],
    ['Part II', 'Part 2'],
    ['第三次会议', '第3次会议'],
    ['1 - 0', '1–0'],
    ['John A. Smith', 'John Smith'],
    ['May the Force', 'Mai the Force'],
    ['Ａ４ paper', 'A4 papr'],
  ])('%s may be %s', (left, right) => {
    expect([differ(left, right), differ(right, left)]).toEqual([false, false])
  })
})
