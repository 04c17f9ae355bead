import type { Company, EndData, PeriodData } from './company.ts'

/** A balance sheet at the end of a period, in the company's unit (`grains`). */
export interface Balance extends EndData {
  readonly cash: number
  readonly currentAssets: number
  readonly nonCurrentAssets: number
  readonly totalAssets: number
  readonly tradePayables: number
  readonly currentLiabilities: number
  readonly nonCurrentLiabilities: number
  readonly totalLiabilities: number
  readonly shareCapital: number
  readonly capitalReserve: number
  readonly surplusReserve: number
  readonly retainedEarnings: number
  readonly equity: number
}

/** The income and cash flows of a period, in the company's unit (`grains`). */
export interface Flows extends PeriodData {
  readonly operatingProfit: number
  readonly profitBeforeTax: number
  readonly netProfit: number
  readonly operatingInflow: number
  readonly operatingOutflow: number
  readonly operatingCashFlow: number
  readonly investingCashFlow: number
  readonly financingCashFlow: number
  readonly cashIncrease: number
  readonly cashAtStart: number
  readonly cashAtEnd: number
}

export interface Statements {
  /** The balance sheets by period. `2020` is the opening balance. */
  readonly balances: Readonly<Record<string, Balance>>
  readonly flows: Readonly<Record<string, Flows>>
}

/** Returns the previous period. The period before a quarter is the last full year. */
export function periodBefore(period: string): string {
  return String(Number(period.slice(0, 4)) - 1)
}

/** Returns the same period of the previous year. */
export function yearBefore(period: string): string {
  return `${Number(period.slice(0, 4)) - 1}${period.slice(4)}`
}

/**
 * Calculates consistent statements of a company: cash results from the cash flows, retained earnings from profit and
 * dividends, and trade payables balance the sheet.
 *
 * @throws Error when a value would be negative
 */
export function statementsOf(company: Company): Statements {
  const capital = {
    shareCapital: Math.round(company.shares / company.grainCny),
    capitalReserve: company.opening.capitalReserve,
    surplusReserve: company.opening.surplusReserve,
  }
  const openingAssets = assetsOf(company.opening, company.opening.cash).totalAssets
  const openingEquity = openingAssets - debtsOf(company.opening) - company.opening.tradePayables
  const balances: Record<string, Balance> = {
    '2020': balanceOf(company.opening, company.opening.cash, openingEquity, capital),
  }
  const flows: Record<string, Flows> = {}
  for (const [period, data] of Object.entries(company.periods).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const before = balances[periodBefore(period)]
    if (before === undefined) throw new Error(`${company.slug}: no balance before ${period}`)
    const flow = flowsOf(data, before.cash)
    flows[period] = flow
    if (data.end === undefined) continue
    const equity = before.equity + flow.netProfit - data.dividendsPaid
    balances[period] = balanceOf(data.end, flow.cashAtEnd, equity, capital)
  }
  for (const [period, balance] of Object.entries(balances)) check(`${company.slug} ${period}`, balance)
  return { balances, flows }
}

function flowsOf(data: PeriodData, cashAtStart: number): Flows {
  const costs = data.costOfSales + data.taxesAndSurcharges + data.sellingExpenses
  const overheads = data.administrativeExpenses + data.researchExpenses + data.financeCosts
  const operatingProfit = data.revenue - costs - overheads + data.otherIncome
  const profitBeforeTax = operatingProfit + data.nonOperatingIncome - data.nonOperatingExpenses
  const operatingOutflow =
    data.cashToSuppliers + data.cashToEmployees + data.taxesPaid + data.otherOperatingPayments
  const operatingCashFlow = data.cashFromCustomers - operatingOutflow
  const investingCashFlow = data.disposalProceeds - data.capitalExpenditure - data.investmentsBought
  const financingCashFlow =
    data.borrowingsRaised - data.borrowingsRepaid - data.dividendsPaid - data.interestPaid
  const cashIncrease = operatingCashFlow + investingCashFlow + financingCashFlow
  return {
    ...data,
    operatingProfit,
    profitBeforeTax,
    netProfit: profitBeforeTax - data.incomeTax,
    operatingInflow: data.cashFromCustomers,
    operatingOutflow,
    operatingCashFlow,
    investingCashFlow,
    financingCashFlow,
    cashIncrease,
    cashAtStart,
    cashAtEnd: cashAtStart + cashIncrease,
  }
}

function assetsOf(end: EndData, cash: number) {
  const currentAssets = cash + end.receivables + end.inventories + end.otherCurrentAssets
  const nonCurrentAssets = end.propertyPlantEquipment + end.intangibleAssets + end.otherNonCurrentAssets
  return { currentAssets, nonCurrentAssets, totalAssets: currentAssets + nonCurrentAssets }
}

function debtsOf(end: EndData): number {
  return (
    end.shortTermBorrowings +
    end.otherCurrentLiabilities +
    end.longTermBorrowings +
    end.otherNonCurrentLiabilities
  )
}

function balanceOf(
  end: EndData,
  cash: number,
  equity: number,
  capital: Pick<Balance, 'shareCapital' | 'capitalReserve' | 'surplusReserve'>,
): Balance {
  const assets = assetsOf(end, cash)
  const totalLiabilities = assets.totalAssets - equity
  const nonCurrentLiabilities = end.longTermBorrowings + end.otherNonCurrentLiabilities
  return {
    ...end,
    ...assets,
    ...capital,
    cash,
    tradePayables: totalLiabilities - debtsOf(end),
    currentLiabilities: totalLiabilities - nonCurrentLiabilities,
    nonCurrentLiabilities,
    totalLiabilities,
    retainedEarnings: equity - capital.shareCapital - capital.capitalReserve - capital.surplusReserve,
    equity,
  }
}

function check(place: string, balance: Balance): void {
  for (const field of ['cash', 'tradePayables', 'retainedEarnings'] as const) {
    if (balance[field] <= 0) throw new Error(`${place}: ${field} comes out as ${balance[field]}`)
  }
}

/** The parent company's share of the group, as numbers of its own that agree among themselves. */
export function parentOf(company: Company): Company {
  const share = <T extends Readonly<Record<string, unknown>>>(fields: T): T =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [
        field,
        typeof value === 'number' ? Math.round(value * parentShare) : share(value as Record<string, unknown>),
      ]),
    ) as T
  return { ...company, opening: share(company.opening), periods: share(company.periods) }
}
const parentShare = 0.83
