import { choosePromptLanguage, type PromptLanguage } from '../../src/core/language.ts'
import type { Language } from '../../src/core/task.ts'

/** The columns of a gold table. `numeric` is a subset of `targets`. */
export interface PublishedColumns {
  readonly keys: readonly string[]
  readonly targets: readonly string[]
  readonly numeric: readonly string[]
}

const filename = ['Filename']
const documentName = ['文档名称']

/** AOE's 11 tasks as in its published evaluation code: [keys, targets]. Numeric targets end in `#`. */
const published: Record<
  PromptLanguage,
  Readonly<Record<string, readonly [keys: readonly string[], targets: readonly string[]]>>
> = {
  en: {
    academic_0: [
      ['Cited paper title', 'Referencing paper title'],
      ['Referenced content', 'Label'],
    ],
    academic_1: [['paper_name', 'method'], ['result#']],
    financial_0: [
      filename,
      [
        'Reporting Period#',
        'Total Assets (CNY)#',
        'Asset Growth Rate (%)#',
        'Revenue (CNY)#',
        'Revenue Growth Rate (%)#',
        "Total stockholders' equity (CNY)#",
        'Weighted Average Return on Equity (%)#',
      ],
    ],
    financial_1: [
      filename,
      [
        'Reporting Period#',
        'Revenue (CNY)#',
        'Net Profit (CNY)#',
        'Net Profit Margin (%)#',
        'Weighted Average Return on Equity (%)#',
        'Net Profit Growth Rate (%)#',
        'Net cash provided by operating activities (CNY)#',
        'Net Cash Ratio (%)#',
      ],
    ],
    financial_2: [
      filename,
      [
        'Reporting Period#',
        'Total Liabilities (CNY)#',
        'Liability-to-Asset Ratio (%)#',
        'Operating Cash Flow Growth Rate (%)#',
        'Total Assets (CNY)#',
      ],
    ],
    financial_3: [
      filename,
      [
        'Reporting Period#',
        'Share Capital (Shares)#',
        "Total stockholders' equity (CNY)#",
        'Net Profit (CNY)#',
        'Net Asset per Share (CNY/share)#',
        'Net Profit per Share (CNY/share)#',
        'Weighted Average Return on Equity (%)#',
      ],
    ],
    financial_4: [
      filename,
      [
        'Reporting Period#',
        'Revenue (CNY)#',
        'Net Profit (CNY)#',
        'Net cash provided by operating activities (CNY)#',
      ],
    ],
    financial_5: [
      filename,
      [
        'Reporting Period#',
        'Total Assets (CNY)#',
        'Liabilities (CNY)#',
        "Total stockholders' equity (CNY)#",
        'Share Capital (Shares)#',
        'Debt to Asset Ratio#',
      ],
    ],
    financial_6: [
      filename,
      [
        'Net Profit (CNY)#',
        "Total stockholders' equity (CNY)#",
        'Weighted Average Return on Equity (%)#',
        'Earnings per Share (CNY)#',
        'Equity per Share (CNY)#',
      ],
    ],
  },
  zh: {
    financial_0: [
      documentName,
      [
        '报表所属期#',
        '资产总额(元)#',
        '资产总额增长率(%)#',
        '营业收入(元)#',
        '营业收入增长率(%)#',
        '所有者权益(元)#',
        '加权平均净资产收益率(%)#',
      ],
    ],
    financial_1: [
      documentName,
      [
        '报表所属期#',
        '营业收入(元)#',
        '净利润(元)#',
        '净利润率(%)#',
        '加权平均净资产收益率(%)#',
        '净利润增长率(%)#',
        '经营活动现金流量净额(元)#',
        '净现比(%)#',
      ],
    ],
    financial_2: [
      documentName,
      ['报表所属期#', '负债总额(元)#', '资产负债率(%)#', '经营现金流增长率(%)#', '资产总额(元)#'],
    ],
    financial_3: [
      documentName,
      [
        '报表所属期#',
        '股本(股)#',
        '所有者权益(元)#',
        '净利润(元)#',
        '每股净资产(元/股)#',
        '每股净利润(元/股)#',
        '加权平均净资产收益率(%)#',
      ],
    ],
    financial_4: [documentName, ['报表所属期#', '营业收入(元)#', '净利润(元)#', '经营活动现金流量净额(元)#']],
    financial_5: [
      documentName,
      ['报表所属期#', '资产总额(元)#', '负债总额(元)#', '所有者权益(元)#', '股本(股)#', '资产负债率(%)#'],
    ],
    financial_6: [
      documentName,
      [
        '净利润(元)#',
        '所有者权益(元)#',
        '加权平均净资产收益率(%)#',
        '每股收益(元/股)#',
        '每股净资产(元/股)#',
      ],
    ],
    legal_0: [['案件名'], ['关联索引']],
    legal_1: [
      ['案件名', '被告'],
      ['罪名', '刑期', '缓刑', '处罚金', '没收个人财产', '剥夺政治权利', '其他判决'],
    ],
  },
}

/** Returns the columns of an AOE task such as `financial_3` in a language; null for any other task. */
export function findPublishedColumns(task: string, language: Language): PublishedColumns | null {
  const tasks = published[choosePromptLanguage(language)]
  const row = Object.hasOwn(tasks, task) ? tasks[task] : undefined
  if (row === undefined) return null
  const [keys, marked] = row
  const numeric = marked.filter(column => column.endsWith('#')).map(column => column.slice(0, -1))
  return { keys, targets: marked.map(column => column.replace(/#$/, '')), numeric }
}

/** Returns the languages in which AOE has a task such as `financial_3`. */
export function listPublishedLanguages(task: string): PromptLanguage[] {
  return (['zh', 'en'] as const).filter(language => Object.hasOwn(published[language], task))
}
