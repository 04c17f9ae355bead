import { accountingPolicies } from './accounting-policies-en.ts'
import { type Block, heading, note, paragraph, subheading, table } from './blocks.ts'
import type { Company } from './company.ts'
import type { KeyFigures } from './key-figures.ts'
import { grouped, inWords, percent, printed } from './money.ts'

/** Parts of a total in percent by name. The last part has the rest. */
type Parts = readonly (readonly [name: string, percent: number])[]

/** Writes the notes to the statements of an English annual report. */
export function notesEn(company: Company, figures: KeyFigures, year: number): Block[] {
  return [
    heading('VII. Notes to the financial statements'),
    paragraph(
      `${company.name} was founded in ${company.city}. The statements cover the year from 1 January to 31 December ${year} and were approved by the board in April ${year + 1}. All amounts are in ${company.unit.label} unless stated otherwise.`,
    ),
    subheading('1. Significant accounting policies'),
    ...accountingPolicies.map(([title, text], index) => paragraph(`1.${index + 1} ${title}. ${text}`)),
    ...breakdowns(company, figures, year),
    ...remarks(company, figures, year),
  ]
}

function breakdowns(
  company: Company,
  { now, before, balance, balanceBefore }: KeyFigures,
  year: number,
): Block[] {
  const ends = [`End of ${year}`, `End of ${year - 1}`]
  const years = [String(year), String(year - 1)]
  const split = (
    title: string,
    header: readonly string[],
    parts: Parts,
    totals: readonly [number, number],
  ) => [
    subheading(title),
    note(`Unit: ${company.unit.label}`),
    table([52, 24, 24], ['Item', ...header], splitRows(company, parts, totals)),
  ]
  return [
    ...split(
      '2. Trade receivables by age',
      ends,
      [
        ['Within 1 year', 84],
        ['1 to 2 years', 11],
        ['Over 2 years', 5],
      ],
      [balance.receivables, balanceBefore.receivables],
    ),
    ...split(
      '3. Inventories by kind',
      ends,
      [
        ['Raw materials', 38],
        ['Work in progress', 23],
        ['Finished goods', 35],
        ['Goods in transit', 4],
      ],
      [balance.inventories, balanceBefore.inventories],
    ),
    ...split(
      '4. Payables by kind',
      ends,
      [
        ['For materials', 61],
        ['For equipment', 17],
        ['Bills payable', 22],
      ],
      [balance.tradePayables, balanceBefore.tradePayables],
    ),
    ...split(
      '5. Cost of sales by nature',
      years,
      [
        ['Materials', 69],
        ['Wages', 12],
        ['Depreciation', 9],
        ['Energy', 4],
        ['Freight', 6],
      ],
      [now.costOfSales, before.costOfSales],
    ),
    ...split(
      '6. Selling expenses',
      years,
      [
        ['Wages', 41],
        ['After-sales service', 24],
        ['Travel and entertainment', 13],
        ['Advertising', 12],
        ['Other', 10],
      ],
      [now.sellingExpenses, before.sellingExpenses],
    ),
    ...split(
      '7. Research and development expenses',
      years,
      [
        ['Wages', 57],
        ['Materials', 26],
        ['Depreciation', 9],
        ['Testing and other', 8],
      ],
      [now.researchExpenses, before.researchExpenses],
    ),
  ]
}

function splitRows(company: Company, parts: Parts, totals: readonly [number, number]): string[][] {
  // The shares of the previous year differ a little, as in real reports.
  const columns = totals.map((total, column) => {
    const shares = parts.map(([, share], index) => share + (column === 0 ? 0 : index % 2 === 0 ? -0.8 : 0.7))
    const firsts = shares.slice(0, -1).map(share => Math.round((total * share) / 100))
    return [...firsts, total - firsts.reduce((sum, part) => sum + part, 0)]
  })
  const rows = parts.map(([name], index) => [
    name,
    ...columns.map(column => printed(company, column[index] ?? 0)),
  ])
  return [...rows, ['*Sum', ...totals.map(total => printed(company, total))]]
}

function remarks(company: Company, { now, balance }: KeyFigures, year: number): Block[] {
  const words = (grains: number) => inWords(company, grains)
  const share = (total: number, hundredths: number) => Math.round((total * hundredths) / 100)
  const net = balance.propertyPlantEquipment
  const gross = Math.round(net * 1.46)
  return [
    subheading('8. Property, plant and equipment'),
    paragraph(
      `At the end of ${year} the original cost was ${words(gross)} and accumulated depreciation ${words(gross - net)}. No impairment was recognised. Items with a carrying amount of ${words(share(net, 12))} are pledged for borrowings. Fully depreciated items still in use had a cost of ${words(share(gross, 7))}.`,
    ),
    subheading('9. Borrowings'),
    paragraph(
      `Of the short-term borrowings ${words(share(balance.shortTermBorrowings, 64))} are unsecured and the rest secured by land and buildings. Interest rates lie between 2.90 and 4.15 percent. Of the long-term borrowings ${words(share(balance.longTermBorrowings, 35))} fall due between one and two years after the balance sheet date, the rest within five years. Unused credit lines amounted to ${words(share(balance.shortTermBorrowings, 210))}.`,
    ),
    subheading('10. Income tax'),
    paragraph(
      `The Company is a high-tech enterprise and taxed at 15%; its subsidiaries at 25%. Income tax of ${words(now.incomeTax)} on profit before tax of ${words(now.profitBeforeTax)} gives an effective rate of ${percent(now.incomeTax, now.profitBeforeTax)}%. The additional deduction for research lowered tax by ${words(share(now.researchExpenses, 14))}.`,
    ),
    subheading('11. Financial risks'),
    paragraph(
      `Credit risk: the largest customer owes ${words(share(balance.receivables, 9))}. Liquidity risk: the treasury plans twelve months ahead and keeps at least ${words(share(balance.cash, 40))} at call. Interest risk: a rise of one percentage point would cost ${words(share(balance.shortTermBorrowings + balance.longTermBorrowings, 1))} a year before tax. Currency risk is described in Section III where it matters.`,
    ),
    subheading('12. Related parties'),
    paragraph(
      `${company.holders[0]?.name ?? company.name} controls the Company with ${grouped(company.holders[0]?.percent ?? 0, 2)}% of the votes. Goods worth ${words(share(now.costOfSales, 2))} were bought from its affiliates and goods worth ${words(share(now.revenue, 1))} sold to them, at the prices paid by third parties. Key management was paid ${words(share(now.administrativeExpenses, 6))}.`,
    ),
    subheading('13. Commitments and events after the reporting period'),
    paragraph(
      `Orders placed for plant and equipment that are not in the balance sheet amount to ${words(share(now.capitalExpenditure, 55))}. No event after the reporting period calls for disclosure or adjustment.`,
    ),
  ]
}
