import { type Block, type DemoDocument, heading, note, page, paragraph, subheading, table } from './blocks.ts'
import type { Company } from './company.ts'
import { type KeyFigures, keyFigures } from './key-figures.ts'
import { grouped, growth, inWords, percent, perShare, printed } from './money.ts'
import { balanceSheet, cashFlowStatement, found, incomeStatement } from './statement-tables.ts'
import { parentOf, type Statements, statementsOf } from './statements.ts'

/** Writes the Chinese annual report of one year. */
export function annualReportZh(company: Company, year: number): DemoDocument {
  const all = statementsOf(company)
  const figures = keyFigures(company, all, String(year))
  return {
    fileName: `${company.shortName}${year}年年度报告.pdf`,
    title: `${company.name}${year}年年度报告`,
    author: company.name,
    runningHead: `${company.name}${year}年年度报告`,
    language: 'zh',
    blocks: [
      ...cover(company, year),
      ...profile(company, all, figures, year),
      ...discussion(company, figures, year),
      ...shareholders(company, figures, year),
      ...statements(company, all, year),
      ...notes(company, figures, year),
    ],
  }
}

const unitNote = (company: Company) => note(`单位：${company.unit.label}　币种：人民币`)

function cover(company: Company, year: number): Block[] {
  return [
    {
      kind: 'title',
      text: company.name,
      below: [`公司代码：${company.stockCode}　公司简称：${company.shortName}`, `${year}年年度报告`],
    },
    heading('重要提示'),
    paragraph(
      `本公司董事会、监事会及董事、监事、高级管理人员保证年度报告内容的真实、准确、完整，不存在虚假记载、误导性陈述或重大遗漏。${company.auditor}为本公司出具了标准无保留意见的审计报告。`,
    ),
    paragraph('本报告所涉及的未来计划等前瞻性陈述，不构成公司对投资者的实质承诺，敬请投资者注意投资风险。'),
    page,
  ]
}

function profile(company: Company, all: Statements, figures: KeyFigures, year: number): Block[] {
  return [
    heading('第一节　公司简介和主要财务指标'),
    ...company.prose.business.map(paragraph),
    subheading('一、主要会计数据'),
    unitNote(company),
    table(
      [40, 24, 24, 12],
      ['主要会计数据', `${year}年`, `${year - 1}年`, '增减(%)'],
      keyRows(company, figures),
    ),
    subheading('二、主要财务指标'),
    table([52, 24, 24], ['主要财务指标', `${year}年`, `${year - 1}年`], ratioRows(company, all, figures)),
  ]
}

function keyRows(company: Company, { now, before, balance, balanceBefore }: KeyFigures): string[][] {
  const pair = (label: string, a: number, b: number) => [label, printed(company, a), printed(company, b)]
  const row = (label: string, a: number, b: number) => [...pair(label, a, b), growth(a, b)]
  return [
    row('营业收入', now.revenue, before.revenue),
    row('净利润', now.netProfit, before.netProfit),
    // Changes of operating cash and balances are not printed, so that they must be calculated.
    pair('经营活动产生的现金流量净额', now.operatingCashFlow, before.operatingCashFlow),
    pair('总资产（期末）', balance.totalAssets, balanceBefore.totalAssets),
    pair('净资产（期末）', balance.equity, balanceBefore.equity),
  ]
}

function ratioRows(company: Company, all: Statements, figures: KeyFigures): string[][] {
  const yearBefore = String(Number(figures.period) - 1)
  const equity = found(all.balances, yearBefore).equity
  const equityBefore = found(all.balances, String(Number(yearBefore) - 1)).equity
  const profit = figures.before.netProfit
  return [
    ['基本每股收益（元/股）', figures.earningsPerShare, perShare(company, profit)],
    ['加权平均净资产收益率（%）', figures.returnOnEquity, percent(profit, (equity + equityBefore) / 2)],
  ]
}

function discussion(company: Company, figures: KeyFigures, year: number): Block[] {
  const { now, before, balance, balanceBefore } = figures
  const words = (grains: number) => inWords(company, grains)
  const margin = (flow: typeof now) => percent(flow.revenue - flow.costOfSales, flow.revenue)
  return [
    heading('第二节　管理层讨论与分析'),
    ...company.prose.market.map(paragraph),
    paragraph(
      `${year}年，公司实现营业收入${words(now.revenue)}，上年同期为${words(before.revenue)}；毛利率为${margin(now)}%，上年同期为${margin(before)}%。研发费用${words(now.researchExpenses)}，占营业收入的${percent(now.researchExpenses, now.revenue)}%。销售费用${words(now.sellingExpenses)}，上年同期为${words(before.sellingExpenses)}。`,
    ),
    paragraph(
      `报告期末，公司存货${words(balance.inventories)}，上年末为${words(balanceBefore.inventories)}；应收账款${words(balance.receivables)}。报告期内购建长期资产支付现金${words(now.capitalExpenditure)}。`,
    ),
    heading('第三节　风险与展望'),
    ...company.prose.risks.map(paragraph),
    ...company.prose.outlook.map(paragraph),
  ]
}

function shareholders(company: Company, figures: KeyFigures, year: number): Block[] {
  const dividend = grouped((figures.now.netProfit * company.grainCny * 0.3 * 10) / company.shares, 2)
  return [
    heading('第四节　股份变动及股东情况'),
    paragraph(
      `截至${year}年12月31日，公司股份总数为${grouped(company.shares, 0)}股，每股面值1元，报告期内未发生变动。董事会拟向全体股东每10股派发现金红利${dividend}元（含税）。`,
    ),
    table(
      [52, 28, 20],
      ['主要股东', '持股数量（股）', '比例（%）'],
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
    heading('第五节　财务报告'),
    ...threeStatements(company, all, year, '合并'),
    ...threeStatements(company, statementsOf(parentOf(company)), year, '母公司'),
  ]
}

function threeStatements(company: Company, all: Statements, year: number, whose: string): Block[] {
  const ends = [`${year}年12月31日`, `${year - 1}年12月31日`]
  const years = ['项目', `${year}年度`, `${year - 1}年度`]
  return [
    subheading(`${whose}资产负债表`),
    unitNote(company),
    balanceSheet(company, all, String(year), ['项目', ...ends]),
    page,
    subheading(`${whose}利润表`),
    unitNote(company),
    incomeStatement(company, all, String(year), years),
    subheading(`${whose}现金流量表`),
    unitNote(company),
    cashFlowStatement(company, all, String(year), years),
    page,
  ]
}

function notes(company: Company, { now, balance }: KeyFigures, year: number): Block[] {
  return [
    heading('第六节　财务报表附注'),
    paragraph(
      `${company.name}注册地为${company.city}。财务报表以持续经营为基础，按照企业会计准则编制，会计期间为${year}年1月1日至12月31日。除特别说明外，金额单位均为人民币${company.unit.label}。`,
    ),
    subheading('一、固定资产'),
    paragraph(
      `报告期末固定资产账面价值为${inWords(company, balance.propertyPlantEquipment)}，其中用于借款抵押的部分为${inWords(company, Math.round(balance.propertyPlantEquipment * 0.12))}，未计提减值准备。`,
    ),
    subheading('二、所得税'),
    paragraph(
      `公司为高新技术企业，适用15%的税率，子公司适用25%的税率。利润总额${inWords(company, now.profitBeforeTax)}，所得税费用${inWords(company, now.incomeTax)}，实际税率为${percent(now.incomeTax, now.profitBeforeTax)}%。`,
    ),
    subheading('三、资产负债表日后事项'),
    paragraph('无需要披露的资产负债表日后事项。'),
  ]
}
