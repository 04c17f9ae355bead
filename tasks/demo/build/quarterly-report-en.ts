import { type Block, type DemoDocument, heading, note, page, paragraph, subheading, table } from './blocks.ts'
import type { Company } from './company.ts'
import { type KeyFigures, keyFigures } from './key-figures.ts'
import { grouped, growth, inWords, percent, printed } from './money.ts'
import { balanceSheet, cashFlowStatement, incomeStatement } from './statement-tables.ts'
import { type Statements, statementsOf } from './statements.ts'

/** Writes the English report of the first quarter of a year. */
export function quarterlyReportEn(company: Company, year: number): DemoDocument {
  const all = statementsOf(company)
  const period = `${year}-Q1`
  const figures = keyFigures(company, all, period)
  return {
    fileName: `${company.slug}-quarterly-report-${year}-q1.pdf`,
    title: `${company.name} First Quarterly Report ${year}`,
    author: company.name,
    runningHead: `${company.name}    First Quarterly Report ${year}`,
    language: 'en',
    blocks: [
      {
        kind: 'title',
        text: company.name,
        below: [
          `Stock code: ${company.stockCode}`,
          `FIRST QUARTERLY REPORT ${year}`,
          '(unaudited, English translation)',
        ],
      },
      ...keyData(company, figures, year),
      page,
      ...statements(company, all, period, year),
    ],
  }
}

function keyData(
  company: Company,
  { now, before, balance, balanceBefore }: KeyFigures,
  year: number,
): Block[] {
  const row = (label: string, a: number, b: number) => [
    label,
    printed(company, a),
    printed(company, b),
    growth(a, b),
  ]
  return [
    heading('I. Key figures'),
    note(`Unit: ${company.unit.label}`),
    table(
      [40, 20, 20, 20],
      ['Item', `Q1 ${year}`, `Q1 ${year - 1}`, 'Change (%)'],
      [
        row('Revenue', now.revenue, before.revenue),
        row('Profit before tax', now.profitBeforeTax, before.profitBeforeTax),
      ],
    ),
    table(
      [40, 20, 20, 20],
      ['Item', `31 Mar ${year}`, `31 Dec ${year - 1}`, 'Change (%)'],
      [
        row('Total assets', balance.totalAssets, balanceBefore.totalAssets),
        row('Net assets', balance.equity, balanceBefore.equity),
      ],
    ),
    heading('II. The quarter in brief'),
    paragraph(
      `From January to March ${year} the Group's revenue was ${inWords(company, now.revenue)} (first quarter of ${year - 1}: ${inWords(company, before.revenue)}), with a gross margin of ${percent(now.revenue - now.costOfSales, now.revenue)}%. Selling expenses were ${inWords(company, now.sellingExpenses)} and research and development expenses ${inWords(company, now.researchExpenses)}.`,
    ),
    ...company.prose.market.slice(0, 1).map(paragraph),
    paragraph(
      `The number of shares, ${grouped(company.shares, 0)}, did not change in the quarter. There were no material lawsuits, guarantees or related-party transactions outside the ordinary course of business.`,
    ),
  ]
}

function statements(company: Company, all: Statements, period: string, year: number): Block[] {
  const unit = note(`Unit: ${company.unit.label}`)
  const quarters = ['Item', `Q1 ${year}`, `Q1 ${year - 1}`]
  return [
    heading('III. Financial statements'),
    subheading('Consolidated balance sheet'),
    unit,
    balanceSheet(company, all, period, ['Item', `31 March ${year}`, `31 December ${year - 1}`]),
    page,
    subheading('Consolidated income statement, January to March'),
    unit,
    incomeStatement(company, all, period, quarters),
    page,
    subheading('Consolidated cash flow statement, January to March'),
    unit,
    cashFlowStatement(company, all, period, quarters),
  ]
}
