import { type TableBlock, table } from './blocks.ts'
import type { Company } from './company.ts'
import { printed } from './money.ts'
import { type Balance, type Flows, periodBefore, type Statements, yearBefore } from './statements.ts'

/** A line of a statement: a caption, or a value by its field. Sums are bold. `-` fields are printed as outflows. */
type Line<Fields> =
  | readonly ['caption', en: string, zh: string]
  | readonly ['line' | 'sum', en: string, zh: string, field: keyof Fields]

const balanceLines: readonly Line<Balance>[] = [
  ['caption', 'Current assets', '流动资产：'],
  ['line', 'Cash and cash equivalents', '货币资金', 'cash'],
  ['line', 'Trade receivables', '应收账款', 'receivables'],
  ['line', 'Inventories', '存货', 'inventories'],
  ['line', 'Other current assets', '其他流动资产', 'otherCurrentAssets'],
  ['sum', 'Total current assets', '流动资产合计', 'currentAssets'],
  ['caption', 'Non-current assets', '非流动资产：'],
  ['line', 'Property, plant and equipment', '固定资产', 'propertyPlantEquipment'],
  ['line', 'Intangible assets', '无形资产', 'intangibleAssets'],
  ['line', 'Other non-current assets', '其他非流动资产', 'otherNonCurrentAssets'],
  ['sum', 'Total non-current assets', '非流动资产合计', 'nonCurrentAssets'],
  ['sum', 'Total assets', '资产总计', 'totalAssets'],
  ['caption', 'Current liabilities', '流动负债：'],
  ['line', 'Short-term borrowings', '短期借款', 'shortTermBorrowings'],
  ['line', 'Trade and other payables', '应付账款', 'tradePayables'],
  ['line', 'Other current liabilities', '其他流动负债', 'otherCurrentLiabilities'],
  ['sum', 'Total current liabilities', '流动负债合计', 'currentLiabilities'],
  ['caption', 'Non-current liabilities', '非流动负债：'],
  ['line', 'Long-term borrowings', '长期借款', 'longTermBorrowings'],
  ['line', 'Deferred income and other', '递延收益', 'otherNonCurrentLiabilities'],
  ['sum', 'Total non-current liabilities', '非流动负债合计', 'nonCurrentLiabilities'],
  ['sum', 'Total liabilities', '负债合计', 'totalLiabilities'],
  ['caption', "Stockholders' equity", '所有者权益：'],
  ['line', 'Share capital', '股本', 'shareCapital'],
  ['line', 'Capital reserve', '资本公积', 'capitalReserve'],
  ['line', 'Surplus reserve', '盈余公积', 'surplusReserve'],
  ['line', 'Retained earnings', '未分配利润', 'retainedEarnings'],
  ['sum', "Total stockholders' equity", '所有者权益合计', 'equity'],
]

type BalanceTable = Balance & { readonly liabilitiesAndEquity: number }
const lastBalanceLine: Line<BalanceTable> = [
  'sum',
  "Total liabilities and stockholders' equity",
  '负债和所有者权益总计',
  'liabilitiesAndEquity',
]

const incomeLines: readonly Line<Flows>[] = [
  ['sum', 'Revenue', '一、营业收入', 'revenue'],
  ['line', 'Less: Cost of sales', '减：营业成本', 'costOfSales'],
  ['line', 'Taxes and surcharges', '税金及附加', 'taxesAndSurcharges'],
  ['line', 'Selling expenses', '销售费用', 'sellingExpenses'],
  ['line', 'Administrative expenses', '管理费用', 'administrativeExpenses'],
  ['line', 'Research and development expenses', '研发费用', 'researchExpenses'],
  ['line', 'Finance costs', '财务费用', 'financeCosts'],
  ['line', 'Add: Other income', '加：其他收益', 'otherIncome'],
  ['sum', 'Operating profit', '二、营业利润', 'operatingProfit'],
  ['line', 'Add: Non-operating income', '加：营业外收入', 'nonOperatingIncome'],
  ['line', 'Less: Non-operating expenses', '减：营业外支出', 'nonOperatingExpenses'],
  ['sum', 'Profit before tax', '三、利润总额', 'profitBeforeTax'],
  ['line', 'Less: Income tax expense', '减：所得税费用', 'incomeTax'],
  ['sum', 'Net profit', '四、净利润', 'netProfit'],
]

const cashLines: readonly Line<Flows>[] = [
  ['caption', 'Cash flows from operating activities', '一、经营活动产生的现金流量：'],
  ['line', 'Cash received from customers', '销售商品、提供劳务收到的现金', 'cashFromCustomers'],
  ['line', 'Sub-total of cash inflows from operations', '经营活动现金流入小计', 'operatingInflow'],
  ['line', 'Cash paid to suppliers', '购买商品、接受劳务支付的现金', 'cashToSuppliers'],
  ['line', 'Cash paid to and on behalf of employees', '支付给职工以及为职工支付的现金', 'cashToEmployees'],
  ['line', 'Taxes paid', '支付的各项税费', 'taxesPaid'],
  ['line', 'Other cash paid for operations', '支付其他与经营活动有关的现金', 'otherOperatingPayments'],
  ['line', 'Sub-total of cash outflows from operations', '经营活动现金流出小计', 'operatingOutflow'],
  ['sum', 'Net cash provided by operating activities', '经营活动产生的现金流量净额', 'operatingCashFlow'],
  ['caption', 'Cash flows from investing activities', '二、投资活动产生的现金流量：'],
  ['line', 'Proceeds from disposal of long-term assets', '处置长期资产收回的现金', 'disposalProceeds'],
  ['line', 'Purchase of long-term assets', '购建长期资产支付的现金', 'capitalExpenditure'],
  ['line', 'Purchase of investments', '投资支付的现金', 'investmentsBought'],
  ['sum', 'Net cash used in investing activities', '投资活动产生的现金流量净额', 'investingCashFlow'],
  ['caption', 'Cash flows from financing activities', '三、筹资活动产生的现金流量：'],
  ['line', 'Proceeds from borrowings', '取得借款收到的现金', 'borrowingsRaised'],
  ['line', 'Repayment of borrowings', '偿还债务支付的现金', 'borrowingsRepaid'],
  ['line', 'Dividends paid', '分配股利支付的现金', 'dividendsPaid'],
  ['line', 'Interest paid', '偿付利息支付的现金', 'interestPaid'],
  ['sum', 'Net cash from financing activities', '筹资活动产生的现金流量净额', 'financingCashFlow'],
  ['sum', 'Net increase in cash and cash equivalents', '四、现金及现金等价物净增加额', 'cashIncrease'],
  ['line', 'Cash and cash equivalents at beginning', '加：期初现金及现金等价物余额', 'cashAtStart'],
  ['sum', 'Cash and cash equivalents at end', '五、期末现金及现金等价物余额', 'cashAtEnd'],
]

const widths = [52, 24, 24]

/** Returns the balance sheet at the end of a period and at the end of the previous full year. */
export function balanceSheet(
  company: Company,
  all: Statements,
  period: string,
  header: string[],
): TableBlock {
  const withTotal = (at: string): BalanceTable => {
    const balance = found(all.balances, at)
    return { ...balance, liabilitiesAndEquity: balance.totalLiabilities + balance.equity }
  }
  const columns = [withTotal(period), withTotal(periodBefore(period))] as const
  return statement(company, [...balanceLines, lastBalanceLine], columns, header)
}

/** Returns the income statement of a period and of the same period of the previous year. */
export function incomeStatement(
  company: Company,
  all: Statements,
  period: string,
  header: string[],
): TableBlock {
  return statement(company, incomeLines, flowColumns(all, period), header)
}

/** Returns the cash flow statement of a period and of the same period of the previous year. */
export function cashFlowStatement(
  company: Company,
  all: Statements,
  period: string,
  header: string[],
): TableBlock {
  return statement(company, cashLines, flowColumns(all, period), header)
}

/**
 * Returns the entry of a name.
 *
 * @throws Error when it is missing
 */
export function found<T>(entries: Readonly<Record<string, T>>, name: string): T {
  const entry = entries[name]
  if (entry === undefined) throw new Error(`no figures for ${name}`)
  return entry
}

function flowColumns(all: Statements, period: string): readonly [Flows, Flows] {
  return [found(all.flows, period), found(all.flows, yearBefore(period))]
}

function statement<Fields extends object>(
  company: Company,
  lines: readonly Line<Fields>[],
  [now, before]: readonly [Fields, Fields],
  header: string[],
): TableBlock {
  const label = (line: Line<Fields>) => (company.language === 'zh' ? line[2] : line[1])
  const rows = lines.map(line => {
    if (line[0] === 'caption') return [`*${label(line)}`]
    const cells = [now, before].map(column => printed(company, Number(column[line[3]])))
    return [`${line[0] === 'sum' ? '*' : ''}${label(line)}`, ...cells]
  })
  return table(widths, header, rows)
}
