import { describe, expect, it } from 'vitest'
import { listDateSpellings } from '../../src/text/date-spellings.ts'
import { dayOrMonthRules, readDate, readPeriod } from '../../src/text/dates.ts'

describe('readDate, by the rules for days and months', () => {
  const read = (text: string): string | null => {
    const date = readDate(text, dayOrMonthRules)
    return date === null ? null : [date.year, date.month, date.day].join(' ')
  }

  it.each([
    ['2024-3-31', '2024 3 31'],
    ['2024 / 03', '2024 3 '],
    ['2024年3月31日', '2024 3 31'],
    ['Mar. 31st, 2024', '2024 3 31'],
    ['31 of March 2024', '2024 3 31'],
    ['31-Mar-2024', '2024 3 31'],
    ['31/3/2024', '2024 3 31'],
    ['2024-02-31', '2024 2 31'],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it.each(['3/4/2024', '2024', '2024Q1', '20240331', '2024-13-01'])('does not read %s', text => {
    expect(read(text)).toBeNull()
  })
})

describe('readPeriod', () => {
  it.each([
    ['20240331', '2024-03-31'],
    ['二〇二四年三月', '2024-03'],
    ['fiscal year 2024, third quarter', '2024Q3'],
    ['2024年下半年', '2024H2'],
    ['FY2024', '2024'],
    ['31/3/2024', '2024-03-31'],
    ['3/31/2024', '2024-03-31'],
    ['03.04.2024', '2024-04-03'],
    ['31-Mar-2024', '2024-03-31'],
    ['31. März 2024', '2024-03-31'],
    ['31 mars 2024', '2024-03-31'],
    ['31 de marzo de 2024', '2024-03-31'],
    ['31 марта 2024 г.', '2024-03-31'],
    ['31 marca 2024', '2024-03-31'],
    ['1er août 2024', '2024-08-01'],
    ['marts 2024', '2024-03'],
  ])('reads %s as %s', (text, expected) => {
    expect(readPeriod(text)).toBe(expected)
  })

  it.each(['2024-02-30', '3/4/2024', '31.02.2024', '2024.03', 'Alma 31 2024'])('does not read %s', text => {
    expect(readPeriod(text)).toBeNull()
  })
})

it('a date is spelled in English and Chinese', () => {
  const spellings = listDateSpellings({ year: 2024, month: 9, day: 21 })
  expect(spellings).toEqual(expect.arrayContaining(['sept 21 2024', '21st of september 2024', '9/21/2024']))
  expect(spellings).toContain('二〇二四年九月二十一日')
})
