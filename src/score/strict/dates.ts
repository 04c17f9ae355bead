import { readChineseNumeral } from '../../text/numbers.ts'

/** A day, month, quarter, half-year or year as one text, such as `2024-03-31`, `2024-03`, `2024Q2`, `2024H1`, `2024`. */
export type DateForm = string

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const month =
  '(?<m>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const fiscal = '(?:(?:fiscal|financial)\\s+(?:year\\s+)?|fy\\s*)?'
const day = '(?<d>\\d{1,2})(?:st|nd|rd|th)?'
const year = '(?<y>\\d{4})'
const quarter =
  '(?:q(?<q>[1-4])|(?<qw>first|second|third|fourth)\\s+quarter|(?<q2>[1-4])(?:st|nd|rd|th)\\s+quarter)'
const half = '(?:h(?<h>[12])|(?<hw>first|second)\\s+half)'
const patterns = [
  `${year}[-/.](?<m>\\d{1,2})[-/.](?<d>\\d{1,2})(?:[t ]00:00(?::00)?(?:\\.0+)?z?)?`,
  '(?<y>(?:19|20)\\d{2})(?<m>0[1-9]|1[0-2])(?<d>0[1-9]|[12]\\d|3[01])',
  `${year}年(?<m>\\d{1,2})月(?<d>\\d{1,2})[日号]`,
  `${year}年(?<m>\\d{1,2})月份?`,
  `${year}年?第?(?<q>[1-4])季度?(?:报告?)?`,
  `${year}年?(?<hz>上半|下半|半)年度?(?:报告?)?`,
  `${year}年?(?:年度|度)?(?:报告?)?`,
  `${month}\\s+${day},?\\s+${year}`,
  `${day}\\s+(?:of\\s+)?${month},?\\s+${year}`,
  `${month},?\\s+${year}`,
  `${year}[-/](?<m>0[1-9]|1[0-2])`,
  `${fiscal}${year}\\s*[-,/]?\\s*${quarter}`,
  `${quarter}\\s*(?:of\\s+|[-,/]\\s*)?${fiscal}${year}`,
  `${fiscal}${year}\\s*[-,/]?\\s*${half}`,
  `${half}\\s*(?:of\\s+|[-,/]\\s*)?${fiscal}${year}`,
  `${fiscal}${year}`,
].map(source => new RegExp(`^${source}$`, 'i'))

/** A text that is one date or period; null for anything else. Fiscal and calendar periods are told by their names alone. */
export function readDate(text: string): DateForm | null {
  if (text.length > 60) return null
  const plain = arabic(text.normalize('NFKC').trim().replace(/\s+/g, ' '))
  for (const pattern of patterns) {
    const groups = pattern.exec(plain)?.groups
    if (groups !== undefined) return formOf(groups)
  }
  return null
}

/** Chinese numerals before 年, 月, 日 and in 第…季度 as digits. */
function arabic(text: string): string {
  return text.replace(/[零〇一二三四五六七八九十]+(?=[年月日号季])/g, numeral =>
    String(readChineseNumeral(numeral) ?? numeral),
  )
}

const ordinals = ['first', 'second', 'third', 'fourth']

function formOf(groups: Readonly<Record<string, string | undefined>>): DateForm | null {
  const { y, m, d, q, q2, qw, h, hw, hz } = groups
  const quarterNumber =
    q ?? q2 ?? (qw === undefined ? undefined : String(ordinals.indexOf(qw.toLowerCase()) + 1))
  if (quarterNumber !== undefined) return `${y}Q${quarterNumber}`
  const halfNumber =
    h ??
    (hw === undefined
      ? hz === undefined
        ? undefined
        : hz === '下半'
          ? '2'
          : '1'
      : String(ordinals.indexOf(hw.toLowerCase()) + 1))
  if (halfNumber !== undefined) return `${y}H${halfNumber}`
  if (m === undefined) return y ?? null
  const monthNumber = /^\d/.test(m) ? Number(m) : monthNames.indexOf(m.slice(0, 3).toLowerCase()) + 1
  if (monthNumber < 1 || monthNumber > 12) return null
  const monthText = `${y}-${String(monthNumber).padStart(2, '0')}`
  if (d === undefined) return monthText
  const days = new Date(Date.UTC(Number(y), monthNumber, 0)).getUTCDate()
  return Number(d) >= 1 && Number(d) <= days ? `${monthText}-${d.padStart(2, '0')}` : null
}
