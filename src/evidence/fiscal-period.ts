import { foldText } from '../text/fold.ts'

const ordinals = ['first', 'second', 'third', 'fourth'] as const
const cjkOrdinals = [...'一二三四']

const quarterForms = [
  /^(?:fy|fiscal(?: year)?)?\s*'?(\d{4})\s*[-/,]?\s*q([1-4])$/i,
  /^q([1-4])\s*[-/,]?\s*(?:of\s+)?(?:fy|fiscal(?: year)?)?\s*'?(\d{4})$/i,
  /^(\d{4})年?第?([1-4一二三四])季度?(?:报告?)?$/,
] as const

/** Reads a fiscal quarter such as `FY2025 Q2`, `Q2 2025` or `2025年第二季度`; null for anything else. */
function readQuarter(value: string): { year: number; quarter: number } | null {
  for (const [index, form] of quarterForms.entries()) {
    const match = form.exec(value)
    if (match === null) continue
    const [year, quarter] = index === 1 ? [match[2], match[1]] : [match[1], match[2]]
    const worded = cjkOrdinals.indexOf(quarter ?? '')
    return { year: Number(year), quarter: worded === -1 ? Number(quarter) : worded + 1 }
  }
  return null
}

/**
 * Lists the written forms of a fiscal quarter, folded for the search at word boundaries; empty when the value is not
 * a quarter. A quarter counts as a date, so any written form of it is evidence.
 */
export function quarterWrittenForms(value: string): string[] {
  const readPeriod = readQuarter(value.normalize('NFKC').trim())
  if (readPeriod === null) return []
  const { year, quarter } = readPeriod
  const word = ordinals[quarter - 1] ?? ''
  const cjk = cjkOrdinals[quarter - 1] ?? ''
  const years = [
    `${year}`,
    `fiscal ${year}`,
    `fiscal year ${year}`,
    `FY${year}`,
    `FY ${year}`,
    `FY${String(year % 100).padStart(2, '0')}`,
  ]
  const forms = years.flatMap(written => [
    `Q${quarter} ${written}`,
    `${written} Q${quarter}`,
    `${word} quarter of ${written}`,
    `${word} quarter ${written}`,
    `${word} fiscal quarter of ${written}`,
    `${written} ${word} quarter`,
    `${quarter}Q ${written}`,
    `${quarter}Q${written}`,
  ])
  const chinese = [
    `${year}年第${cjk}季度`,
    `${year}年${cjk}季度`,
    `${year}年第${quarter}季度`,
    `${year}年${quarter}季度`,
  ]
  return [...new Set([...forms, ...chinese].map(form => foldText(form).text))]
}

/**
 * Lists the forms of a fiscal quarter in two parts that a document prints apart, `second quarter` and `fiscal 2025`, each
 * folded; null when the value is not a quarter.
 */
export function quarterParts(value: string): readonly [string[], string[]] | null {
  const quarter = readQuarter(value.normalize('NFKC').trim())
  if (quarter === null) return null
  const word = ordinals[quarter.quarter - 1] ?? ''
  const fold = (form: string): string => foldText(form).text
  const quarters = [`${word} quarter`, `${word} fiscal quarter`, `Q${quarter.quarter}`]
  const years = [
    `fiscal ${quarter.year}`,
    `fiscal year ${quarter.year}`,
    `FY${quarter.year}`,
    `FY ${quarter.year}`,
  ]
  return [quarters.map(fold), years.map(fold)]
}
