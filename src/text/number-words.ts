import { composeUnicode, withArabicAmounts } from './numbers.ts'

/** The English words for 0 to 19. */
export const smallNumberWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
/** The English words for 20, 30 and so on to 90. */
export const tensWords = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
/** The English ordinals from first to twentieth. */
export const ordinalWords =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )

const small = new Map(smallNumberWords.map((word, value) => [word, value] as const))
const tens = new Map(tensWords.map((word, at) => [word, 20 + 10 * at] as const))
const large = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
] as const)

const joinAlternatives = (words: Iterable<string>): string => [...words].join('|')
const belowHundred = `(?:(?:${joinAlternatives(tens.keys())})(?:[-\\s](?:${joinAlternatives([...small.keys()].slice(1, 10))}))?|${joinAlternatives([...small.keys()].slice(1))})`
const belowThousand = `(?:(?:${joinAlternatives([...small.keys()].slice(1))})\\s+hundred(?:\\s+(?:and\\s+)?${belowHundred})?|${belowHundred})`

/** A number in English words within a text. Words that are joined to others by a hyphen are not numbers. */
export const numberWordsForm = new RegExp(
  `(?<![\\p{L}\\d-])${belowThousand}(?:\\s+(?:${joinAlternatives(large.keys())})(?:,?\\s+(?:and\\s+)?${belowThousand})?)*(?![\\p{L}-])`,
  'giu',
)

/** Reads an English number in words, such as `one hundred and twenty-three point five`. Returns null for any other text. */
export function readNumberWords(text: string): number | null {
  const words = text
    .toLowerCase()
    .replace(/-/g, ' ')
    .split(/\s+/)
    .filter(word => word !== '' && word !== 'and')
  const negative = words[0] === 'minus' || words[0] === 'negative'
  const body = negative ? words.slice(1) : words
  const point = body.indexOf('point')
  const whole = readWhole(point < 0 ? body : body.slice(0, point))
  if (whole === null || body.length === 0) return null
  if (point < 0) return negative ? -whole : whole
  const digits = body.slice(point + 1).map(word => small.get(word) ?? Number.NaN)
  if (digits.length === 0 || digits.some(digit => !(digit < 10))) return null
  const value = Number(`${whole}.${digits.join('')}`)
  return negative ? -value : value
}

function readWhole(words: readonly string[]): number | null {
  let total = 0
  let group = 0
  for (const word of words) {
    const value = small.get(word) ?? tens.get(word)
    const factor = large.get(word as 'thousand')
    if (value !== undefined) group += value
    else if (word === 'hundred') group = Math.max(1, group) * 100
    else if (factor !== undefined) {
      total += Math.max(1, group) * factor
      group = 0
    } else return null
  }
  return words.length === 0 ? null : total + group
}

/**
 * Writes the numbers within a text in Arabic digits, in English and Chinese: `for four years` becomes `for 4 years`,
 * 有期徒刑十一年 becomes 有期徒刑11年.
 */
export function withDigits(text: string): string {
  return withEnglishDigits(withArabicAmounts(composeUnicode(text).trim()))
}

/** Writes the English numbers within a text in Arabic digits. */
export function withEnglishDigits(text: string): string {
  return text.replace(numberWordsForm, words => String(readNumberWords(words.replaceAll(',', ' ')) ?? words))
}
