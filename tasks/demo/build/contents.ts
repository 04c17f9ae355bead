import { annualReportEn } from './annual-report-en.ts'
import { annualReportZh } from './annual-report-zh.ts'
import type { DemoDocument } from './blocks.ts'
import { judgments, similarJudgments } from './cases-data.ts'
import { readCompany } from './company.ts'
import { judgmentDocument } from './judgments.ts'
import { paperDocument } from './papers.ts'
import { papers, preprints } from './papers-data.ts'
import { quarterlyReportEn } from './quarterly-report-en.ts'
import { financialTask, otherTasks, type Report, type TaskRecord } from './tasks.ts'

const turbines = readCompany('northwind-turbines')
const solar = readCompany('northwind-solar')
const calder = readCompany('calder-marine')
const foods = readCompany('harbourlight-foods')
const tea = readCompany('yunling-tea')
const materials = readCompany('chengjiang-materials')

const annualEn = (company: typeof turbines, year: number): Report => ({
  company,
  period: String(year),
  document: annualReportEn(company, year),
})
const annualZh = (company: typeof turbines, year: number): Report => ({
  company,
  period: String(year),
  document: annualReportZh(company, year),
})
const quarterEn = (company: typeof turbines, year: number): Report => ({
  company,
  period: `${year}-Q1`,
  document: quarterlyReportEn(company, year),
})

const english = [annualEn(turbines, 2023), annualEn(calder, 2023), annualEn(foods, 2023)]
const quarters = [quarterEn(turbines, 2024), quarterEn(foods, 2024)]
const chinese = [annualZh(tea, 2023), annualZh(materials, 2023)]

/** The documents that the tasks ask about. */
export const documents: readonly DemoDocument[] = [
  ...[...english, ...quarters, ...chinese].map(report => report.document),
  ...judgments.map(judgmentDocument),
  ...papers.map(paper => paperDocument(paper, papers)),
]

/** Look-alikes of these documents: another year, a sister company, a namesake or an earlier version. */
export const distractors: readonly DemoDocument[] = [
  annualReportEn(turbines, 2022),
  annualReportEn(solar, 2023),
  annualReportEn(foods, 2022),
  annualReportZh(tea, 2022),
  ...similarJudgments.map(judgmentDocument),
  ...preprints.map(paper => paperDocument(paper, papers)),
]

/** The tasks, in AOE's record format. */
export const records: readonly TaskRecord[] = [
  financialTask('financial_demo-growth_0_en', 'Assess the growth of the following companies.', english),
  financialTask(
    'financial_demo-profit_1_en',
    'For the specified documents, conduct a corporate profitability analysis.',
    [english[2], english[0]].filter(report => report !== undefined),
  ),
  financialTask(
    'financial_demo-quarter_4_en',
    'Compare the operating performance of these companies in the quarter.',
    quarters,
  ),
  financialTask('financial_demo-solvency_2_zh', '请对下列公司的偿债能力进行分析。', chinese),
  financialTask('financial_demo-value_3_zh', '请分析下列公司的股东价值创造情况。', chinese),
  ...otherTasks(),
]
