import type { Company } from './company.ts'
import { goldMoney, grouped, growth, percent, perShare } from './money.ts'
import { found } from './statement-tables.ts'
import { type Balance, type Flows, periodBefore, type Statements, yearBefore } from './statements.ts'

/** The key figures of a report. Its pages print them, and the gold tables contain them. */
export interface KeyFigures {
  readonly period: string
  readonly now: Flows
  readonly before: Flows
  readonly balance: Balance
  readonly balanceBefore: Balance
  /** Net profit divided by the mean of opening and closing equity, in percent with two decimals. */
  readonly returnOnEquity: string
  readonly earningsPerShare: string
  readonly equityPerShare: string
  readonly revenueGrowth: string
  readonly profitGrowth: string
  readonly assetGrowth: string
  readonly operatingCashGrowth: string
  readonly profitMargin: string
  readonly netCashRatio: string
  readonly liabilityRatio: string
}

/**
 * Calculates the key figures of a period.
 *
 * @throws Error when figures of the period or of the one before are missing
 */
export function keyFigures(company: Company, all: Statements, period: string): KeyFigures {
  const now = found(all.flows, period)
  const before = found(all.flows, yearBefore(period))
  const balance = found(all.balances, period)
  const balanceBefore = found(all.balances, periodBefore(period))
  return {
    period,
    now,
    before,
    balance,
    balanceBefore,
    returnOnEquity: percent(now.netProfit, (balance.equity + balanceBefore.equity) / 2),
    earningsPerShare: perShare(company, now.netProfit),
    equityPerShare: perShare(company, balance.equity),
    revenueGrowth: growth(now.revenue, before.revenue),
    profitGrowth: growth(now.netProfit, before.netProfit),
    assetGrowth: growth(balance.totalAssets, balanceBefore.totalAssets),
    operatingCashGrowth: growth(now.operatingCashFlow, before.operatingCashFlow),
    profitMargin: percent(now.netProfit, now.revenue),
    netCashRatio: percent(now.operatingCashFlow, now.netProfit),
    liabilityRatio: percent(balance.totalLiabilities, balance.totalAssets),
  }
}

/** Returns gold cells by AOE's column names in both languages. A year is a number, a quarter is `2024-Q1`. */
export function goldCells(company: Company, figures: KeyFigures): Readonly<Record<string, string | number>> {
  const { now, balance, period } = figures
  const money = (grains: number) => goldMoney(company, grains)
  const reportingPeriod = /^\d+$/.test(period) ? Number(period) : period
  return company.language === 'zh'
    ? {
        报表所属期: reportingPeriod,
        '资产总额(元)': money(balance.totalAssets),
        '资产总额增长率(%)': figures.assetGrowth,
        '负债总额(元)': money(balance.totalLiabilities),
        '资产负债率(%)': figures.liabilityRatio,
        '营业收入(元)': money(now.revenue),
        '营业收入增长率(%)': figures.revenueGrowth,
        '净利润(元)': money(now.netProfit),
        '净利润增长率(%)': figures.profitGrowth,
        '净利润率(%)': figures.profitMargin,
        '经营活动现金流量净额(元)': money(now.operatingCashFlow),
        '经营现金流增长率(%)': figures.operatingCashGrowth,
        '净现比(%)': figures.netCashRatio,
        '股本(股)': grouped(company.shares, 0),
        '所有者权益(元)': money(balance.equity),
        '加权平均净资产收益率(%)': figures.returnOnEquity,
        '每股净资产(元/股)': figures.equityPerShare,
        '每股净利润(元/股)': figures.earningsPerShare,
        '每股收益(元/股)': figures.earningsPerShare,
      }
    : {
        'Reporting Period': reportingPeriod,
        'Total Assets (CNY)': money(balance.totalAssets),
        'Asset Growth Rate (%)': figures.assetGrowth,
        'Total Liabilities (CNY)': money(balance.totalLiabilities),
        'Liabilities (CNY)': money(balance.totalLiabilities),
        'Liability-to-Asset Ratio (%)': figures.liabilityRatio,
        'Debt to Asset Ratio': figures.liabilityRatio,
        'Revenue (CNY)': money(now.revenue),
        'Revenue Growth Rate (%)': figures.revenueGrowth,
        'Net Profit (CNY)': money(now.netProfit),
        'Net Profit Growth Rate (%)': figures.profitGrowth,
        'Net Profit Margin (%)': figures.profitMargin,
        'Net cash provided by operating activities (CNY)': money(now.operatingCashFlow),
        'Operating Cash Flow Growth Rate (%)': figures.operatingCashGrowth,
        'Net Cash Ratio (%)': figures.netCashRatio,
        'Share Capital (Shares)': grouped(company.shares, 0),
        "Total stockholders' equity (CNY)": money(balance.equity),
        'Weighted Average Return on Equity (%)': figures.returnOnEquity,
        'Net Asset per Share (CNY/share)': figures.equityPerShare,
        'Equity per Share (CNY)': figures.equityPerShare,
        'Net Profit per Share (CNY/share)': figures.earningsPerShare,
        'Earnings per Share (CNY)': figures.earningsPerShare,
      }
}
