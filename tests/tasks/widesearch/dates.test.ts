import { describe, expect, it } from 'vitest'
import { readDate, readStatedParts } from '../../../tasks/widesearch/dates.ts'

const clocks = ['2025-08-12T12:00:00Z', '2026-01-31T00:05:00Z']

/** Texts as dateparser 1.2.2 reads them at the two clocks. A text that it does not read stays as it is. */
const read: readonly (readonly string[])[] = [
  ['2019年', '6-08-12', '7-01-31'],
  ['2019 年 3 月 4 日', '6-05-08', '6-10-27'],
  ['2019年3月', '2019-03-01', '2019-03-01'],
  ['2019年03月', '2019年03月', '2019年03月'],
  ['2019年3月4', '2019-03-04', '2019-03-04'],
  ['2019年3月4号', '2019年3月4号', '2019年3月4号'],
  ['2019年3月4日 10:30', '2019-03-04', '2019-03-04'],
  ['2019年3月4日（周一）', '2019-03-04', '2019-03-04'],
  ['10月25日', '2010-08-25', '2010-01-25'],
  ['10月1日', '2010-01-01', '2010-01-01'],
  ['9月30日', '2030-09-01', '2030-09-01'],
  ['2月29日', '2029-02-01', '2029-02-01'],
  ['三月', '2025-03-01', '2026-03-01'],
  ['2019年三月', '2019-03-01', '2019-03-01'],
  ['17年5月3日', '2017-05-03', '2017-05-03'],
  ['周一', '2025-08-11', '2026-01-26'],
  ['去年', '2024-08-12', '2025-01-31'],
  ['上个月', '2025-07-12', '2025-12-31'],
  ['3年前', '2022-08-12', '2023-01-31'],
  ['5天前', '2025-08-07', '2026-01-26'],
  ['102分钟', '2025-08-12', '2026-01-30'],
  ['february 29', '2024-02-29', '2024-02-29'],
  ['2-29', '2024-02-29', '2024-02-29'],
  ['10.25', '2025-08-12', '2026-01-31'],
  ['12:30', '2025-08-12', '2026-01-31'],
  ['10am', '2025-08-12', '2026-01-31'],
  ['2019s', '2025-08-12', '2026-01-30'],
  ['c. 2019', '2019-08-12', '2019-01-31'],
  ['in 2017', '2017-08-01', '2017-01-01'],
  ['last month', '2025-07-12', '2025-12-31'],
  ['in 2 days', '2025-08-14', '2026-02-02'],
  ['1 wk', '2025-08-05', '2026-01-24'],
  ['tues', '2025-08-12', '2026-01-27'],
  ['n.a.', '2025-08-12', '2026-01-31'],
  ['1990年代', '1990年代', '1990年代'],
  ['2019年3月初', '2019年3月初', '2019年3月初'],
  ['2024年第一季度', '2024年第一季度', '2024年第一季度'],
]

/** Texts that dateparser 1.2.2 reads in a way that is not repeated (docs/widesearch.md). They stay as they are. */
const unread: readonly (readonly string[])[] = [
  ['h1 2019', '2019-01-01', '2019-01-01'],
  ['17h30', '2025-08-12', '2026-01-31'],
  ['1e5', '2025-05-01', '2026-05-01'],
  ['2017-01-05 10:30 est', '2017-01-05', '2017-01-05'],
  ['2017年5-6月', '2017-06-05', '2017-06-05'],
  ['2nd week', '2025-07-29', '2026-01-17'],
  ['5 mai 2017', '2017-05-05', '2017-05-05'],
  ['5 марта 2017', '2017-03-05', '2017-03-05'],
  ['two days ago', '2025-08-10', '2026-01-29'],
  ['yesterday 10:30', '2025-08-11', '2026-01-30'],
  ['约1900', '1900-08-01', '1900-01-01'],
]

const ours = (text: string): string[] => clocks.map(clock => readDate(text, Date.parse(clock))?.text ?? text)

describe("dates of WideSearch's published code", () => {
  it.each(read)('%s is read as dateparser does', (text, ...expected) => {
    expect(ours(text!)).toEqual(expected)
  })

  it.each(unread)('%s is left as it is, although dateparser reads it', (text, ...published) => {
    expect(ours(text!)).toEqual([text, text])
    expect(published).not.toEqual([text, text])
  })
})

describe('the parts that a date states', () => {
  it('are none that come from the day of reading', () => {
    expect(readStatedParts('2019年')).toEqual({ year: 2019 })
    expect(readStatedParts('2019年三月')).toEqual({ year: 2019, month: 3 })
    expect(readStatedParts('2019年3月4日（周一）')).toEqual({ year: 2019, month: 3, day: 4 })
    for (const text of ['10月1日', '三月', '去年', '12:30']) expect(readStatedParts(text), text).toBeNull()
  })
})
