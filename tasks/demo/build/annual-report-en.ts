import { type Block, type DemoDocument, heading, note, page, paragraph, subheading, table } from './blocks.ts'
import type { Company } from './company.ts'
import { governance } from './governance-en.ts'
import { type KeyFigures, keyFigures } from './key-figures.ts'
import { grouped, growth, inWords, percent, perShare, printed } from './money.ts'
import { notesEn } from './notes-en.ts'
import { balanceSheet, cashFlowStatement, found, incomeStatement } from './statement-tables.ts'
import { parentOf, type Statements, statementsOf } from './statements.ts'

/** Writes the English annual report of one year. */
export function annualReportEn(company: Company, year: number): DemoDocument {
  const all = statementsOf(company)
  const figures = keyFigures(company, all, String(year))
  return {
    fileName: `${company.slug}-annual-report-${year}.pdf`,
    title: `${company.name} Annual Report ${year}`,
    author: company.name,
    runningHead: `${company.name}    Annual Report ${year}`,
    language: 'en',
    blocks: [
      ...cover(company, year),
      ...profile(company, all, figures, year),
      ...discussion(company, figures, year),
      ...shareholders(company, figures, year),
      ...governance(company, year),
      page,
      ...statements(company, all, year),
      ...notesEn(company, figures, year),
    ],
  }
}

function cover(company: Company, year: number): Block[] {
  return [
    {
      kind: 'title',
      text: company.name,
      below: [`Stock code: ${company.stockCode}`, `ANNUAL REPORT ${year}`, '(English translation)'],
    },
    heading('Important notice'),
    paragraph(
      `The board of directors, the board of supervisors and the senior management of ${company.name} (the "Company", together with its subsidiaries the "Group") warrant that this report holds no false records, misleading statements or material omissions. ${company.auditor} has audited the financial statements for ${year} and issued an unqualified opinion. In case of discrepancy the Chinese version prevails.`,
    ),
    paragraph(
      'Forward-looking statements in this report, such as plans and expectations, are no commitment to investors. Readers are asked to note the risks described in Section III.',
    ),
    heading('Contents'),
    ...[
      'I. Company profile and key figures',
      'II. Management discussion and analysis',
      'III. Risks and outlook',
      'IV. Shares and shareholders',
      'V. Governance, people and environment',
      'VI. Financial statements',
      'VII. Notes to the financial statements',
    ].map(line => paragraph(line)),
    page,
  ]
}

function profile(company: Company, all: Statements, figures: KeyFigures, year: number): Block[] {
  return [
    heading('I. Company profile and key figures'),
    ...company.prose.business.map(paragraph),
    subheading('Key accounting data'),
    note(`Unit: ${company.unit.label}`),
    table(
      [40, 20, 20, 20],
      ['Item', String(year), String(year - 1), 'Change (%)'],
      keyRows(company, figures),
    ),
    subheading('Key financial ratios'),
    table([52, 24, 24], ['Item', String(year), String(year - 1)], ratioRows(company, all, figures)),
    paragraph(
      'Basic earnings per share are net profit over the shares outstanding. The weighted average return on equity follows the rules for compiling information disclosures of listed companies.',
    ),
  ]
}

function keyRows(company: Company, { now, before, balance, balanceBefore }: KeyFigures): string[][] {
  const row = (label: string, a: number, b: number) => [
    label,
    printed(company, a),
    printed(company, b),
    growth(a, b),
  ]
  return [
    row('Revenue', now.revenue, before.revenue),
    row('Net profit', now.netProfit, before.netProfit),
    row('Net operating cash flow', now.operatingCashFlow, before.operatingCashFlow),
    // Changes of balance sheet items are not printed, so that they must be calculated.
    [
      'Total assets (year end)',
      printed(company, balance.totalAssets),
      printed(company, balanceBefore.totalAssets),
      '',
    ],
    ['Net assets (year end)', printed(company, balance.equity), printed(company, balanceBefore.equity), ''],
  ]
}

function ratioRows(company: Company, all: Statements, figures: KeyFigures): string[][] {
  const yearBefore = String(Number(figures.period) - 1)
  const equity = found(all.balances, yearBefore).equity
  const equityBefore = found(all.balances, String(Number(yearBefore) - 1)).equity
  const profit = figures.before.netProfit
  return [
    ['Basic earnings per share (CNY)', figures.earningsPerShare, perShare(company, profit)],
    [
      'Weighted average return on equity (%)',
      figures.returnOnEquity,
      percent(profit, (equity + equityBefore) / 2),
    ],
  ]
}

function discussion(
  company: Company,
  { now, before, balance, balanceBefore }: KeyFigures,
  year: number,
): Block[] {
  const words = (grains: number) => inWords(company, grains)
  const direction = now.revenue >= before.revenue ? 'an increase' : 'a decrease'
  return [
    heading('II. Management discussion and analysis'),
    ...company.prose.market.map(paragraph),
    paragraph(
      `In ${year} the Group recorded revenue of ${words(now.revenue)}, ${direction} over ${words(before.revenue)} in ${year - 1}. Cost of sales came to ${words(now.costOfSales)}, so that the gross margin was ${percent(now.revenue - now.costOfSales, now.revenue)}% (${year - 1}: ${percent(before.revenue - before.costOfSales, before.revenue)}%). Research and development expenses were ${words(now.researchExpenses)}, or ${percent(now.researchExpenses, now.revenue)}% of revenue.`,
    ),
    paragraph(
      `Operations generated ${words(now.operatingCashFlow)} after ${words(before.operatingCashFlow)} in the year before. Capital expenditure was ${words(now.capitalExpenditure)}. At the end of ${year} interest-bearing borrowings stood at ${words(balance.shortTermBorrowings + balance.longTermBorrowings)} (end of ${year - 1}: ${words(balanceBefore.shortTermBorrowings + balanceBefore.longTermBorrowings)}), and inventories at ${words(balance.inventories)}.`,
    ),
    subheading('Revenue by business segment'),
    note(`Unit: ${company.unit.label}`),
    table(
      [40, 20, 20, 20],
      ['Segment', String(year), String(year - 1), 'Change (%)'],
      segmentRows(company, now.revenue, before.revenue),
    ),
    heading('III. Risks and outlook'),
    ...company.prose.risks.map(paragraph),
    ...company.prose.outlook.map(paragraph),
  ]
}

/** Returns the rows of the segments, which add up to revenue. */
function segmentRows(company: Company, now: number, before: number): string[][] {
  const split = (total: number, shift: number) => {
    const parts = company.segments
      .slice(0, -1)
      .map(({ percent: share }, index) =>
        Math.round((total * (share + (index % 2 === 0 ? shift : -shift))) / 100),
      )
    return [...parts, total - parts.reduce((sum, part) => sum + part, 0)]
  }
  const current = split(now, 0)
  const prior = split(before, 1.3)
  const rows = company.segments.map(({ name }, index) => {
    const [a = 0, b = 0] = [current[index], prior[index]]
    return [name, printed(company, a), printed(company, b), growth(a, b)]
  })
  return [...rows, ['*Total', printed(company, now), printed(company, before), growth(now, before)]]
}

function shareholders(company: Company, figures: KeyFigures, year: number): Block[] {
  const dividend = grouped((figures.now.netProfit * company.grainCny * 0.3 * 10) / company.shares, 2)
  return [
    heading('IV. Shares and shareholders'),
    paragraph(
      `At 31 December ${year} the Company had a share capital of ${grouped(company.shares, 0)} shares of CNY 1 each, all of them listed. There was no change in the year. The board proposes a cash dividend of CNY ${dividend} (tax included) for every 10 shares.`,
    ),
    table(
      [52, 28, 20],
      ['Largest shareholders', 'Shares held', 'Share (%)'],
      company.holders.map(holder => [
        holder.name,
        grouped(Math.round((company.shares * holder.percent) / 100), 0),
        grouped(holder.percent, 2),
      ]),
    ),
    page,
  ]
}

function statements(company: Company, all: Statements, year: number): Block[] {
  return [
    heading('VI. Financial statements'),
    ...threeStatements(company, all, year, 'Consolidated'),
    ...threeStatements(company, statementsOf(parentOf(company)), year, 'Parent company'),
  ]
}

function threeStatements(company: Company, all: Statements, year: number, whose: string): Block[] {
  const unit = note(`Unit: ${company.unit.label}`)
  const ends = [`31 December ${year}`, `31 December ${year - 1}`]
  const years = ['Item', String(year), String(year - 1)]
  return [
    subheading(`${whose} balance sheet`),
    unit,
    balanceSheet(company, all, String(year), ['Item', ...ends]),
    page,
    subheading(`${whose} income statement`),
    unit,
    incomeStatement(company, all, String(year), years),
    subheading(`${whose} cash flow statement`),
    unit,
    cashFlowStatement(company, all, String(year), years),
    page,
  ]
}
