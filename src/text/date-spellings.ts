import { type CalendarDay, writeTwoDigits } from './dates.ts'
import { englishMonths, listFoldedMonthNames } from './month-names.ts'

/**
 * Returns the forms in which documents write a day, month or year, in English, Chinese and most European languages. Punctuation is left out, because
 * the search ignores it: `4 march 2024` stands for `4 March, 2024` too.
 */
export function listDateSpellings({ year, month, day }: CalendarDay): string[] {
  if (month === null) return [String(year)]
  return day === null ? listMonthSpellings(year, month) : listDaySpellings(year, month, day)
}

function listMonthSpellings(year: number, month: number): string[] {
  return [
    ...[...listMonthWords(month), ...listFoldedMonthNames(month)].map(word => `${word} ${year}`),
    `${year}年${month}月`,
    `${year}年${writeTwoDigits(month)}月`,
    `${writeChineseYear(year)}年${writeChineseCount(month)}月`,
    `${year}-${writeTwoDigits(month)}`,
    `${writeTwoDigits(month)}/${year}`,
  ]
}

function listDaySpellings(year: number, month: number, day: number): string[] {
  const name = englishMonths[month - 1]
  const inWords = listMonthWords(month).flatMap(word =>
    [String(day), writeTwoDigits(day), writeOrdinal(day)].flatMap(written => [
      `${word} ${written} ${year}`,
      `${written} ${word} ${year}`,
    ]),
  )
  const inNumbers = [String(month), writeTwoDigits(month)].flatMap(m =>
    [String(day), writeTwoDigits(day)].flatMap(d => [
      `${year}-${m}-${d}`,
      `${m}/${d}/${year}`,
      `${d}/${m}/${year}`,
      `${d}.${m}.${year}`,
      `${year}年${m}月${d}日`,
    ]),
  )
  const inOtherLanguages = [...listFoldedMonthNames(month)].flatMap(word => [
    `${day} ${word} ${year}`,
    `${day} de ${word} de ${year}`,
  ])
  return [
    ...inWords,
    ...inOtherLanguages,
    ...inNumbers,
    `${writeOrdinal(day)} day of ${name} ${year}`,
    `${writeOrdinal(day)} of ${name} ${year}`,
    `${year}${writeTwoDigits(month)}${writeTwoDigits(day)}`,
    `${writeChineseYear(year)}年${writeChineseCount(month)}月${writeChineseCount(day)}日`,
    `${writeChineseYear(year).replaceAll('〇', '零')}年${writeChineseCount(month)}月${writeChineseCount(day)}日`,
  ]
}

/** `march`, `mar`; for September `sept` too. */
function listMonthWords(month: number): string[] {
  const name = englishMonths[month - 1] ?? ''
  return [...new Set([name, name.slice(0, 3), ...(month === 9 ? ['sept'] : [])])]
}

const chineseDigits = [...'〇一二三四五六七八九']

function writeChineseYear(year: number): string {
  return [...String(year)].map(digit => chineseDigits[Number(digit)] ?? digit).join('')
}

/** 1 to 31 in Chinese numerals. */
function writeChineseCount(count: number): string {
  const tens = Math.floor(count / 10)
  const ones = count % 10 === 0 && tens > 0 ? '' : (chineseDigits[count % 10] ?? '')
  return tens === 0 ? ones : `${tens === 1 ? '' : chineseDigits[tens]}十${ones}`
}

function writeOrdinal(day: number): string {
  const suffixes: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' }
  return `${day}${day >= 11 && day <= 13 ? 'th' : (suffixes[day % 10] ?? 'th')}`
}
