import type { Asked, SeenDocument } from './asked.ts'
import { type Figure, readFigures } from './figures.ts'
import type { Table } from './table.ts'

type Figures = Readonly<Record<string, Figure | undefined>>

/** Columns of financial tasks: English and Chinese name, and where the value comes from. `$` stands for the currency. */
const columns: readonly (readonly [
  english: string,
  chinese: string,
  value: (f: Figures) => string | null,
])[] = [
  ['Revenue ($)', '营业收入(元)', f => money(f.revenue)],
  ['Revenue Growth Rate (%)', '营业收入增长率(%)', f => growth(f.revenue)],
  ['Net Income ($)', '净利润(元)', f => money(f.netIncome)],
  ['Net Profit ($)', '', f => money(f.netIncome)],
  ['Net Profit Growth Rate (%)', '净利润增长率(%)', f => growth(f.netIncome)],
  ['Net Profit Margin (%)', '净利润率(%)', f => percent(f.netIncome, f.revenue)],
  ['Diluted EPS ($)', '', f => perShare(f.dilutedEps?.now)],
  [
    'Earnings per Share ($)',
    '每股收益(元/股)',
    f => perShare(f.basicEps?.now ?? ratio(f.netIncome, f.shares)),
  ],
  [
    'Net Profit per Share ($/share)',
    '每股净利润(元/股)',
    f => perShare(f.basicEps?.now ?? ratio(f.netIncome, f.shares)),
  ],
  ['Total Assets ($)', '资产总额(元)', f => money(f.assets)],
  ['Asset Growth Rate (%)', '资产总额增长率(%)', f => growth(f.assets)],
  ['Total Liabilities ($)', '负债总额(元)', f => money(debts(f))],
  ['Liabilities ($)', '', f => money(debts(f))],
  ["Total Stockholders' Equity ($)", '所有者权益(元)', f => money(f.equity)],
  ['Cash and Cash Equivalents ($)', '货币资金(元)', f => money(f.cash)],
  ['Debt to Asset Ratio (%)', '资产负债率(%)', f => percent(debts(f), f.assets)],
  ['Liability-to-Asset Ratio (%)', '', f => percent(debts(f), f.assets)],
  ['Share Capital (Shares)', '股本(股)', f => money(f.shares)],
  [
    'Net Asset per Share ($/share)',
    '每股净资产(元/股)',
    f => perShare(f.equityPerShare?.now ?? ratio(f.equity, f.shares)),
  ],
  ['Equity per Share ($)', '', f => perShare(f.equityPerShare?.now ?? ratio(f.equity, f.shares))],
  [
    'Weighted Average Return on Equity (%)',
    '加权平均净资产收益率(%)',
    f => perShare(f.roe?.now ?? averageReturn(f)),
  ],
  ['Net cash provided by operating activities ($)', '经营活动现金流量净额(元)', f => money(f.operatingCash)],
  ['Net Cash Provided by Operating Activities, MONTHS ($)', '', f => money(f.operatingCash)],
  ['Operating Cash Flow Growth Rate (%)', '经营现金流增长率(%)', f => growth(f.operatingCash)],
  ['Net Cash Ratio (%)', '净现比(%)', f => percent(f.operatingCash, f.netIncome)],
]

/** Financial reports: a row a document, every column that such tasks ask for. */
export function reportsTable(asked: Asked, documents: readonly SeenDocument[]): Table {
  const yuan = documents.some(document => /人民币|\bCNY\b|\bRMB\b|单位[：:]/.test(document.text))
  const currency = yuan ? 'CNY' : 'USD'
  const periods = documents.map(document => readPeriod(document, asked.query))
  const months = ['three months', 'six months', 'nine months', 'year'][
    (periods.find(one => one.quarter > 0)?.quarter ?? 4) - 1
  ]
  const shown = columns.filter(column => !asked.chinese || column[1] !== '')
  const names = shown.map(([english, chinese]) =>
    asked.chinese ? chinese : english.replace('$', currency).replace('MONTHS', months ?? 'year'),
  )
  const rows = documents.map((document, index) => {
    const period = periods[index]!
    const figures = readFigures(document.text, period.quarter > 0)
    return [document.name, period.label, ...shown.map(([, , value]) => value(figures))]
  })
  return {
    columns: [
      asked.chinese ? '文档名称' : 'Filename',
      asked.chinese ? '报表所属期' : 'Reporting Period',
      ...names,
    ],
    rows,
  }
}

const ordinals = ['first', 'second', 'third', 'fourth']

/** `fy2025q2` is `FY2025 Q2`, `2024-q1` is `2024-Q1`, an annual report's is its year. Quarter 0: a whole year. */
function readPeriod({ name, text }: SeenDocument, query: string): { label: string | null; quarter: number } {
  const inName = /(fy)?((?:19|20)\d\d)[-_ ]?q([1-4])|第?([一二三])季度/i.exec(name)
  if (inName?.[2] !== undefined) {
    const quarter = Number(inName[3])
    return {
      label: inName[1] === undefined ? `${inName[2]}-Q${quarter}` : `FY${inName[2]} Q${quarter}`,
      quarter,
    }
  }
  const asked = /(first|second|third|fourth) quarter of (?:fiscal )?(?:year )?(20\d\d)/i.exec(query)
  const isQuarter =
    /10-?q|quarter/i.test(name) || /quarterly (?:report|period ended)/i.test(text.slice(0, 5_000))
  const year =
    /(?:19|20)\d\d/.exec(name)?.[0] ??
    /(?:19|20)\d\d(?=\s*(?:年|annual))|(?<=(?:annual report|year ended)\D{0,20})(?:19|20)\d\d/i.exec(
      text,
    )?.[0]
  if (!isQuarter) return { label: year ?? null, quarter: 0 }
  if (asked === null) return { label: year ?? null, quarter: 1 }
  const quarter = ordinals.indexOf(asked[1]!.toLowerCase()) + 1
  return { label: `FY${asked[2]} Q${quarter}`, quarter }
}

function debts(f: Figures): Figure | undefined {
  const equity = f.allEquity ?? f.equity
  if (f.liabilities !== undefined || f.assets === undefined || equity === undefined) return f.liabilities
  return { now: f.assets.now - equity.now, before: null }
}

function averageReturn(f: Figures): number | undefined {
  if (f.netIncome === undefined || f.equity?.before === undefined || f.equity.before === null)
    return undefined
  return (f.netIncome.now / ((f.equity.now + f.equity.before) / 2)) * 100
}

function ratio(part: Figure | undefined, whole: Figure | undefined): number | undefined {
  return part === undefined || whole === undefined || whole.now === 0 ? undefined : part.now / whole.now
}

function percent(part: Figure | undefined, whole: Figure | undefined): string | null {
  const share = ratio(part, whole)
  return share === undefined ? null : decimals(share * 100)
}

function growth(figure: Figure | undefined): string | null {
  if (figure === undefined || figure.before === null || figure.before === 0) return null
  return decimals(((figure.now - figure.before) / Math.abs(figure.before)) * 100)
}

function money(figure: Figure | undefined): string | null {
  return figure === undefined ? null : Math.round(figure.now).toLocaleString('en-US')
}

function perShare(value: number | undefined): string | null {
  return value === undefined ? null : decimals(value)
}

function decimals(value: number): string {
  return (Math.round(value * 100 + Math.sign(value) * 1e-7) / 100).toFixed(2)
}
