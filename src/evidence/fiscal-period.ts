import { periodRules, readDate, writeTwoDigits } from '../text/dates.ts'
import { foldText } from '../text/fold.ts'
import { ordinalWords } from '../text/number-words.ts'

const cjkOrdinals = [...'一二三四']

/**
 * Lists the written forms of a fiscal quarter, folded for the search at word boundaries; empty when the value is not
 * a quarter. A quarter counts as a date, so any written form of it is evidence.
 */
export function listQuarterForms(value: string): string[] {
  const { year, quarter = null } = readDate(value, periodRules) ?? {}
  if (year === undefined || quarter === null) return []
  const word = ordinalWords[quarter - 1] ?? ''
  const cjk = cjkOrdinals[quarter - 1] ?? ''
  const years = [
    `${year}`,
    `fiscal ${year}`,
    `fiscal year ${year}`,
    `FY${year}`,
    `FY ${year}`,
    `FY${writeTwoDigits(year % 100)}`,
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
export function listQuarterParts(value: string): readonly [string[], string[]] | null {
  const { year, quarter = null } = readDate(value, periodRules) ?? {}
  if (year === undefined || quarter === null) return null
  const word = ordinalWords[quarter - 1] ?? ''
  const fold = (form: string): string => foldText(form).text
  const quarters = [`${word} quarter`, `${word} fiscal quarter`, `Q${quarter}`]
  const years = [`fiscal ${year}`, `fiscal year ${year}`, `FY${year}`, `FY ${year}`]
  return [quarters.map(fold), years.map(fold)]
}
