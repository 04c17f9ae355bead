import { describe, expect, it } from 'vitest'
import type { GoldRow, GoldValue } from '../../src/core/gold.ts'
import { containsEvidence, findItemEvidence } from '../../src/evidence/matcher.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { evidenceOfTable } from './table-evidence.ts'

function finds(value: GoldValue, text: string, column = 'Value', row?: GoldRow): boolean {
  const isNumeric = /#/.test(column)
  const name = column.replace('#', '')
  const item = { id: 'x', goldRow: 0, column: name, value, isNumeric, row: row ?? {}, keys: [] }
  return containsEvidence(findItemEvidence([item], [])[0]!, [{ hint: 'd', text }], createTextIndexes())
}

describe('a number', () => {
  it.each([
    ['5,048,400,000', 'Total revenues  5,048.4  4,668.0', 'in millions'],
    ['5048400000', 'revenue of ¥504,840万元', 'in 万'],
    ['2,000,000,000', 'in an amount of $2,000,000,000.', 'in full'],
    ['-2,797,000,000', "Total stockholders' equity (2,797)", 'negative in parentheses'],
    ['-12.5', 'margin of -12.5%', 'negative with a sign'],
    ['-12.5', 'margin of −12.5 points', 'negative with a typographic minus'],
    ['1989', 'Le Cun, Y. (1989). Neural', 'a year in parentheses'],
    ['1990', 'Jackel, L. D. (1990a). Back-Propagation', 'the year of an entry in a list of references'],
    ['1933', 'born 1933-05-02 in Osaka', 'within a date'],
    ['2023', '报告期：2023年度', 'beside Chinese characters'],
    ['1,234', '合计１，２３４', 'in full-width digits'],
    ['5', 'see No.5 there', 'after an abbreviation'],
    ['1111', 'a,1111', 'after a comma'],
    ['0.61', 'Diluted $ .61 $ .65', 'without a leading zero'],
    ['4,285', 'USD4,285 in all', 'after a currency code'],
    ['5,048,000,000', 'some 5,048m in sales', 'with a unit glued to it'],
    ['5,000,000,000', 'a cap of $5,000m', 'with a currency sign and a unit'],
    ['1990', 'a fund of $1990m', 'like a year, but of money'],
    ['2050', 'USD 2050k in fees', 'like a year, but after a currency code'],
    ['2000', 'a beam of 2000mm', 'like a year, but before a unit of two letters'],
    ['5', 'a $5b plan', 'in billions'],
    ['12', 'some 12m users', 'in millions'],
    ['3.5', 'over 3.5k rows', 'in thousands'],
    ['10', 'grew 10x', 'as a factor'],
    ['214', 'Mean weight: 214g', 'with a metric unit glued to it'],
    ['2417.5', 'Höhe 2.417,5 m', 'with a point between thousands and a decimal comma'],
    ['3.5', 'Preis 3,5 % und 2,75 %', 'with a decimal comma'],
    ['3.125', 'Sätze: 2,75 und 3,125', 'with a decimal comma as its text has them'],
    ['1250', 'Umsatz 1.250 Tsd., Marge 12,5 %', 'with a point between thousands as its text has them'],
    ['1234.56', 'Prix 1 234,56 €', 'with spaces between thousands'],
    ['14200', 'Cena 14\u00a0200 zł', 'with a space that does not break'],
    ['1250', "Preis CHF 1'250.50, davor 1'250.–", 'with apostrophes between thousands'],
    ['12000000', 'Выручка 12 млн руб.', 'with a Russian scale'],
    ['1500000', 'Umsatz 1,5 Mio. Euro; Vorjahr 1,2', 'with a German scale'],
    ['123.5', 'السعر ١٢٣٫٥', 'in Arabic digits'],
    ['0.1236', 'a ratio of 12.36%', 'a share printed as a percentage'],
    ['11', '判处有期徒刑十一年', 'in Chinese numerals'],
    ['35,000', '共计三万五千元', 'in Chinese numerals with units'],
    ['3', '缓刑三年，并处罚金', 'in one Chinese numeral before a counter'],
    ['12,000', '罚金1.2万元', 'with 万 and few digits'],
    ['120,000,000', '合同金额1.2亿元', 'with 亿 and few digits'],
    ['2,500,000', 'about $2.5 million', 'with a scale word and few digits'],
    ['5', 'for a period of five years', 'in English words'],
    ['55', 'fifty-five lenders', 'in English words with a hyphen'],
    ['2,000,000,000', 'an amount of two billion dollars', 'in English words with a scale word'],
    ['123,456', '合计１２３，４５６', 'in full-width digits and commas'],
  ])('%s is found in “%s” (%s)', (value, text) => {
    expect(finds(value, text, 'Amount#')).toBe(true)
  })

  it.each([
    ['5,048,400,000', 'Total 15,048.4 and 5,048.9', 'other digits beside it'],
    ['5,000,000', 'page 5 of 12', 'a single digit scaled up'],
    ['12,000,000', '12 employees', 'two digits scaled up'],
    ['963', 'Q963b and B963', 'part of a word'],
    ['1990', 'Le Cun et al., 1990a; 1990b', 'a work of its year'],
    ['2020', 'Smith (2020k, 2020m, 2020t, 2020x)', 'one of many works of its year'],
    ['1990', 'the 1990s', 'part of a decade'],
    ['5', 'a 5G network', 'part of a name'],
    ['2025', 'FY2025 results', 'part of a word before it'],
    ['12', 'at 1:12.15 in the heat', 'part of a time'],
    ['1.2', 'as section 1.2.3 says', 'part of a section number'],
    ['100.0', '99.99 and 100.1', 'beyond 1e-5'],
    ['-2,797', 'assets of 2,797', 'of the other sign'],
    ['12', '1,012 and 120 and 12.5', 'within other numbers'],
    ['2', 'about 3.2', 'the fraction of another number'],
    ['1', '判处有期徒刑十一年', 'within a Chinese numeral'],
    ['11', '依照第十一条', 'the number of an article'],
    ['10', '十分感谢', 'within a Chinese word'],
    ['1', '一般情况', 'within a Chinese word'],
    ['5', 'fifty-five lenders', 'within a number in words'],
    ['2', 'a one-two punch', 'within a word with a hyphen'],
    ['1', 'one of the lenders', 'a pronoun'],
    ['0.5', 'a rate of 5%', 'another share'],
    ['5,000,000', 'a 5 m cable', 'metres, not millions'],
  ])('%s is not found in “%s” (%s)', (value, text) => {
    expect(finds(value, text, 'Amount#')).toBe(false)
  })

  it('is found as a percentage and as a ratio in a column of percentages', () => {
    expect(finds('12.5', 'a margin of 12.5%', 'Margin (%)#')).toBe(true)
    expect(finds('12.5', 'a margin of 0.125', 'Margin (%)#')).toBe(true)
    expect(finds('5', 'a margin of 0.05', 'Margin (%)#')).toBe(false)
    expect(finds('12.5', 'a factor of 0.125', 'Length#')).toBe(false)
  })

  it('is not scaled in a column of percentages, ratios or values per share', () => {
    const text = 'Total 92,080 thousand'
    expect(finds('92.08', text, 'Debt to Asset Ratio (%)#')).toBe(false)
    expect(finds('92080000', text, 'Total Assets#')).toBe(true)
    expect(finds('92080000', text, 'Interest Rate#')).toBe(false)
  })

  it('may be printed in any unit of the table, from thousands to 亿', () => {
    for (const text of ['123,456,000,000', '123,456,000', '12,345,600', '123,456', '1,234.56', '123.456']) {
      expect(finds('123,456,000,000', text, '营业收入(元)#'), text).toBe(true)
    }
    expect(finds('123,456,000,000', '12.3456', '营业收入(元)#')).toBe(false)
  })
})

describe('an amount in several units', () => {
  it('is found as written, and not by the number that it makes', () => {
    expect(finds('5 ft 3 in', 'She is 5 ft. 3 in. tall', 'Height')).toBe(true)
    expect(finds('5 ft 3 in', 'a score of 5.25 points', 'Height')).toBe(false)
  })

  it('is found by the number that is called approximate', () => {
    expect(finds('~12500', 'about 12,500 people', 'Visitors')).toBe(true)
    expect(finds('~12500', 'about 12,600 people', 'Visitors')).toBe(false)
  })
})

describe('a text', () => {
  it.each([
    ['Bank of America, N.A.', 'BANK OF AMERICA, N.A., as agent', 'case and punctuation'],
    [
      'Handwritten Digit Recognition',
      'Handwritten Digit Recog-\nnition with a Network',
      'a hyphen at a line end',
    ],
    ['有期徒刑三年', '判处被告人有期徒刑三年，并处罚金', 'within a Chinese sentence'],
    ['José García', 'JOSÉ GARCÍA (ESP)', 'diacritics'],
    ['1:12.15', 'Kazuo YASUIKE 1928 1:12.15 OISO', 'a time'],
    ['90-94', 'Men 90 – 94', 'a range'],
    ['Smith', 'Smith¹ and others', 'a footnote mark'],
    ['Total Commitment Amount', 'Total\nCommitment\n   Amount', 'over three lines'],
    ['international', 'inter\u00ad\nnational', 'a soft hyphen at a line end'],
    ['cooperation', 'in co\u00adoperation with', 'a soft hyphen within a line'],
    ['efficient office', 'an eﬃcient oﬃce', 'ligatures'],
    ['Princeton University / Together AI', '³Princeton University, ⁴Together AI', 'a list with slashes'],
    ['O’Brien', "Mr O'Brien", 'a typographic apostrophe'],
    ['有期徒刑十一年', '判处有期徒刑11年', 'Arabic digits for Chinese numerals'],
    ['有期徒刑11年', '判处有期徒刑十一年', 'Chinese numerals for Arabic digits'],
    ['12500000 €', 'Umsatz 12,5 Mio. €', 'money in millions'],
    ['3125000 €', 'Umsatz 3,125 Mio. €, 81,5 %', 'money in millions with a decimal comma'],
    ['CHF 48.2 million', "chiffre d'affaires CHF 48,2 millions", 'money in another language'],
    ['3.125 kg', 'Gewicht 3,125 kg, davor 2,5 kg', 'a measure with a decimal comma'],
    ['2024-03-31', 'am 31. März 2024 in Graz', 'a German date'],
    ['2024-03-31', 'le 31 mars 2024', 'a French date'],
    ['31 March 2024', 'el 31 de marzo de 2024', 'a Spanish date'],
    ['2024-03-04', 'vom 04.03.2024', 'a date with points'],
    ['罚金5000元', '并处罚金人民币五千元，罚金五千元', 'an amount of money in Chinese'],
    ['Associate Professor', 'an Associate Professor of Law', 'a whole title'],
    ['Visiting Professor', 'Visiting Professorships: Princeton, Yale', 'the heading of a list'],
    ['Director', 'the two Directors of the company', 'in the plural'],
    [
      'FY2025 Q2',
      'During the second quarter, sales rose. In fiscal 2025 we expect',
      'a quarter and its year apart',
    ],
    ['USD', '“Dollars” and the “$” sign each means lawful currency', 'the name of a currency for its code'],
    ['USD', 'in Canadian dollars or in dollars', 'the name of a currency also without another country'],
    ['CNY', '金额以人民币列示', 'the Chinese name of a currency for its code'],
    [
      'Accomplished corporate attorney with more than 14 years of experience in mergers and acquisitions',
      'Accomplished corporate attorney with more than 14 years\nPage 3 of 9\nof experience in mergers and acquisitions.',
      'a long passage over a page break',
    ],
    ['Professor', 'Associate Professor Li and Professor Wu', 'a title also without another word before it'],
    [
      '["刑法第二百六十四条", "刑法第六十七条"]',
      '依照刑法第六十七条、刑法第二百六十四条',
      'a list, in any order',
    ],
  ])('%s is found in “%s” (%s)', (value, text) => {
    expect(finds(value, text)).toBe(true)
  })

  it.each([
    ['rust', 'a trust company', 'inside a word'],
    ['EUR', 'payable in US dollars', 'another currency'],
    ['USD', 'borrowings in Hong Kong dollars or Australian dollars', 'the dollar of another country'],
    [
      'Accomplished corporate attorney with more than 14 years of experience in mergers and acquisitions',
      'Accomplished corporate attorney with more than 15 years of experience in mergers and acquisitions.',
      'a long passage with another number',
    ],
    ['a corporate attorney', 'a corporate\nPage 3\nattorney', 'a short text that other text interrupts'],
    ['trust', 'trusted', 'a beginning of a word'],
    ['90-94', 'a total of 9,094', 'digits that stood otherwise'],
    ['["刑法第六十七条", "刑法第三百条"]', '依照刑法第六十七条', 'a list with an item missing'],
    ['-', 'a - b', 'nothing but punctuation'],
    ['Professor', 'an Associate Professor of Law', 'a part of another title'],
    ['FY2025 Q2', 'During the first quarter, sales rose. In fiscal 2025 we expect', 'another quarter'],
    ['Arm', 'the Arms Control Act', 'a short name inside another word'],
    ['Partner', 'in partnering with others', 'another word with the same beginning'],
    ['President', 'the Vice-President signed', 'a part of another title after a hyphen'],
    ['教授', '王某，副教授', 'a part of another Chinese title'],
    ['current assets', 'Total non-current assets', 'the opposite'],
    ['五年', '判处有期徒刑十五年', 'a part of a longer Chinese numeral'],
    ['有期徒刑一年', '判处有期徒刑十一年', 'another period'],
    ['Bank', 'Bankers Trust', 'the beginning of another name'],
  ])('%s is not found in “%s” (%s)', (value, text) => {
    expect(finds(value, text)).toBe(false)
  })
})

describe('a date', () => {
  it.each([
    'September 5, 2014',
    'Sept. 5, 2014',
    'as of this 5th day of September, 2014',
    '5 September 2014',
    '05-Sep-2014',
    '09/05/2014',
    '2014年9月5日',
    '二〇一四年九月五日',
    '20140905',
  ])('2014-09-05 is found as “%s”', written => {
    expect(finds('2014-09-05', `Dated ${written}.`)).toBe(true)
  })

  it.each(['September 15, 2014', 'September 5, 2015', '2014年9月15日', 'September 5'])(
    '2014-09-05 is not found as “%s”',
    written => expect(finds('2014-09-05', `Dated ${written}.`)).toBe(false),
  )

  it('is found from any of its own forms', () => {
    expect(finds('5 September 2014', 'on 2014-09-05')).toBe(true)
    expect(finds('2014年9月', 'in September 2014')).toBe(true)
  })

  it('that could mean two days is only searched as text', () => {
    expect(finds('03/04/2024', 'on March 4, 2024')).toBe(false)
    expect(finds('03/04/2024', 'on 03/04/2024')).toBe(true)
  })

  it.each([
    ['2012-08-17', 'dated August 17, 2007 … the date that is five years after the Closing Date'],
    [
      '2022-08-16',
      'Closing Date: August 16, 2019. It ends on the third (3rd) anniversary of the Closing Date',
    ],
    ['2023-03-03', 'as of March 4, 2022 … the day that is 364 days after the Closing Date'],
    ['2026-11-04', 'dated as of May 4, 2020 … seventy-eight (78) months after the Closing Date'],
    ['2022-08-16', 'Closing Date: August 16, 2019; 36 months from the Closing Date'],
    [
      '2021-11-12',
      '364-Day Agreement dated November 14, 2019 … the date that is one year after the Commitment Date',
    ],
    ['2021-11-12', 'dated as of November 14, 2019; a term of 364 days plus one year'],
    ['2024-03-03', 'as of March 4, 2021: 364 days plus two years'],
    ['2024-03-03', '364 days (as of March 4, 2021), plus 2 years'],
  ])('%s is found as a period after another day: “%s”', (value, text) => {
    expect(finds(value, text)).toBe(true)
  })

  it.each([
    ['2022-08-16', 'on the third anniversary of the Closing Date', 'without the other day'],
    ['2022-08-16', 'Closing Date: August 16, 2019', 'without the period'],
    ['2022-08-16', 'Closing Date: August 16, 2019; the second anniversary of it', 'with another period'],
    ['2022-08-16', 'Closing Date: August 15, 2019; the third anniversary of it', 'from another day'],
    ['2022', 'in 2019; the third anniversary', 'for a year alone'],
    ['2024-03-03', 'as of March 4, 2021: plus two years', 'without the first of two periods'],
    ['2024-03-03', 'as of March 4, 2021: 364 days', 'without the second of two periods'],
    ['2024-03-03', 'as of March 4, 2020: 364 days plus two years', 'from another day by two periods'],
  ])('%s is not found in “%s” (%s)', (value, text) => {
    expect(finds(value, text)).toBe(false)
  })

  it.each(['second quarter of fiscal 2025', 'Q2 FY2025', '2025年第二季度', 'fiscal 2025 second quarter'])(
    'a fiscal quarter is found as “%s”',
    written => expect(finds('FY2025 Q2', `In the ${written} sales rose`)).toBe(true),
  )

  it('a fiscal quarter may have a two-digit year, also before 2010', () => {
    expect(finds('FY2005 Q2', 'In Q2 FY05 sales rose')).toBe(true)
    expect(finds('FY2005 Q2', 'In Q2 FY5 sales rose')).toBe(false)
  })
})

describe('a derived value', () => {
  const row = { 'Total Assets (USD)': '64,096,700,000', 'Total Liabilities (USD)': '59,018,600,000' }
  const ratio = 'Debt to Asset Ratio (%)'

  it('is found by its operands when they produce it exactly', () => {
    const text = 'Total assets $ 64,096.7\nTotal liabilities 59,018.6'
    expect(finds('92.08', text, `${ratio}#`, { ...row, [ratio]: '92.08' })).toBe(true)
    expect(finds('92.08', 'Total assets $ 64,096.7', `${ratio}#`, { ...row, [ratio]: '92.08' })).toBe(false)
  })

  it('is not found when the operands produce another value', () => {
    const text = 'Total assets $ 64,096.7\nTotal liabilities 59,018.6'
    expect(finds('91.08', text, `${ratio}#`, { ...row, [ratio]: '91.08' })).toBe(false)
  })

  it('is never guessed for a column that has no rule', () => {
    const other = 'Cash Conversion (%)'
    expect(finds('92.08', '64,096.7 and 59,018.6', `${other}#`, { ...row, [other]: '92.08' })).toBe(false)
  })

  it.each([
    ['Total Compensation', '1,650', 'base 1,250 and bonus 400'],
    ['Combined pay', '1,650', '| 1,250 | 400 |'],
    ['Bonus share', '32', '1,250 and 400'],
    ['Base ratio', '3.125', '1,250 and 400'],
  ])('is found as the sum or the ratio that its column names: %s', (column, value, text) => {
    const gold = { Base: '1,250', Bonus: '400', [column]: value }
    const isLong = value !== '32'
    expect(finds(value, text, `${column}#`, gold)).toBe(isLong)
    expect(finds(value, text.replace('400', '401'), `${column}#`, gold)).toBe(false)
    expect(finds(value, text, 'Pay#', { Base: '1,250', Bonus: '400', Pay: value })).toBe(false)
  })

  it('is not found when two pairs of values agree with a total', () => {
    const gold = { Base: '1,250', Bonus: '400', Grant: '900', Stock: '750', 'Total pay': '1,650' }
    expect(finds('1,650', '1,250 and 400 and 900 and 750', 'Total pay#', gold)).toBe(false)
  })

  it('of growth needs the prior period in the same table row', () => {
    const growth = { 'Revenue (USD)': '5,048,400,000', 'Revenue Growth Rate (%)': '8.15' }
    const column = 'Revenue Growth Rate (%)#'
    expect(finds('8.15', 'Total revenues\t5,048.4\t4,668.0', column, growth)).toBe(true)
    expect(finds('8.15', 'Total revenues\t5,048.4\nOther\t4,668.0', column, growth)).toBe(false)
    expect(finds('8.15', 'Total revenues\t5,048.4\t4,600.0', column, growth)).toBe(false)
  })

  it('is found in the Chinese columns of AOE', () => {
    const gold = { '负债总额(元)': '300', '资产总额(元)': '400', '资产负债率(%)': '75.00' }
    expect(finds('75.00', '负债合计 300\n资产总计 400', '资产负债率(%)#', gold)).toBe(true)
  })
})

describe('a name that is broken over the lines of a column', () => {
  const name = 'Wachovia Bank, National Association'

  it.each([
    ['a table', '| Wachovia Bank, | $150,000,000 |\n| National Association | |'],
    ['columns between tabs', 'Wachovia Bank,\t$150,000,000\t5%\nNational Association'],
    ['columns between spaces', '  Wachovia Bank,        ING Bank\n  National Association  N.V.'],
    ['the second column', 'ING Bank              Wachovia Bank,\nN.V.                  National Association'],
    ['an amount between its lines', 'Wachovia Bank,\n$ 150,000,000.00\t5.0%\nNational Association'],
    ['three lines of a table', '| Wachovia | 1 |\n| Bank, National | |\n| Association | |'],
    [
      'two columns of running text',
      'and each of the lenders, such as Wachovia Bank,\tIn this agreement, words have\nNational Association, and its successors and\tthe meaning of the law',
    ],
  ])('is found in %s', (_, text) => expect(finds(name, text)).toBe(true))

  it.each([
    ['another column', '| Wachovia Bank, | 1 |\n| 2 | National Association |'],
    ['a longer cell', '| Wachovia Bank, | 1 |\n| National Association of Bankers | 2 |'],
    ['the end of another word', '| XWachovia Bank, | 1 |\n| National Association | |'],
    ['columns that do not overlap', 'Wachovia Bank,   5\n                 National Association'],
    ['lines with another name between them', 'Wachovia Bank,\t5\nING Bank\t6\nNational Association\t7'],
  ])('is not put together from %s', (_, text) => expect(finds(name, text)).toBe(false))

  it('is placed on the lines of the column', () => {
    const text = 'Lenders\nWachovia Bank,\t5%\nNational Association\nING'
    const needle = { kind: 'text', forms: ['wachoviabanknationalassociation'] } as const
    expect(createTextIndexes()(text).linesWith(needle)).toEqual([{ number: 1, start: 8, end: 46 }])
  })
})

describe('a text that a PDF or text recognition has changed', () => {
  const work =
    'Tri Dao, Fast and memory-efficient exact attention. In Advances in Information Processing, volume 1, 2022.'

  it.each([
    ['efficient transformers', 'Reformer: eficient transformers'],
    ['office difference', 'the ofice diference'],
    [work, work.replace('efficient', 'eficient')],
    [work.replace('exact', 'O(n 2)'), work.replace('exact', 'O(n²)')],
    [work, work.replace('volume 1', 'volume I')],
    [work, work.replace('volume 1, 2022', 'volume l, pages 611-626, 2022')],
  ])('is found: %s', (value, text) => expect(finds(value, text)).toBe(true))

  it.each([
    ['staff', 'the staf'],
    ['efficient transformers', 'an efcient transformer'],
    ['volume 1', 'volume I'],
    [work, work.replace('volume 1', 'volume 2')],
  ])('is not found: %s in “%s”', (value, text) => expect(finds(value, text)).toBe(false))
})

describe('a word that changes the meaning of the next one', () => {
  it.each([
    'Senior Associate - Silverbridge Legal',
    'Associate, Silverbridge Legal',
    'Vice\tSilverbridge Legal',
    '| Acting | Silverbridge Legal |',
  ])('does not after a break: “%s”', text => expect(finds('Silverbridge Legal', text)).toBe(true))

  it.each(['Associate Professor', 'non-Professor', 'Assistant\nProfessor'])('does in “%s”', text =>
    expect(finds('Professor', text)).toBe(false),
  )
})

describe('a row whose key names a file', () => {
  const gold = {
    kind: 'table' as const,
    keyColumns: ['Filename'],
    targetColumns: ['Revenue'],
    numericColumns: ['Revenue'],
    rows: [
      { Filename: 'reports/A.PDF', Revenue: '1,234' },
      { Filename: 'b.pdf', Revenue: '1,234' },
    ],
  }

  it('is searched only in that document, ignoring path, case and extension', () => {
    const cells = evidenceOfTable(gold, ['a.md', 'b.pdf'])
    const documents = [
      { hint: 'a.md', text: 'Revenue 1,234' },
      { hint: 'b.pdf', text: 'Revenue 9' },
    ]
    expect(cells.map(cell => containsEvidence(cell, documents, createTextIndexes()))).toEqual([true, false])
  })
})

describe('a cell without a value', () => {
  it.each([null, '', '  '])('%j has no evidence', value => {
    expect(finds(value, 'null and nothing')).toBe(false)
  })
})

describe('articles of Chinese laws', () => {
  const judgment =
    '依照《中华人民共和国刑法》第二百六十四条、第六十七条第三款、第一百三十三条之一、第五\n十二条之规定，判决如下'

  it.each([
    ['["《刑法》第264条", "《刑法》第67条"]', 'each under its law'],
    ['《刑法》第264条、第52条', 'in a row'],
    ['《中华人民共和国刑法》第二百六十四条', 'as the judgment has it'],
    ['《刑法》第133条之一', 'inserted'],
  ])('%s are found in a judgment in other numerals (%s)', value => {
    expect(finds(value, judgment)).toBe(true)
  })

  it.each([
    ['["《刑法》第264条", "《刑法》第53条"]', 'one is not there'],
    ['《刑法》第133条', 'the one inserted after it is'],
    ['《民法典》第264条', 'of another law'],
    ['《刑法》第64条', 'the end of another number'],
  ])('%s are not found (%s)', value => {
    expect(finds(value, judgment)).toBe(false)
  })
})
